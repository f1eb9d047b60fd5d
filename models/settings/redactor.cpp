#include "settings/redactor.h"
