#include "settings/jsontext.h"
