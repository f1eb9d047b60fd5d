#include "settings/environment.h"
