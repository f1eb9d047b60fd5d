#include "settings/settingsfinder.h"
