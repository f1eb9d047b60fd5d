#include "settings/baseurl.h"
