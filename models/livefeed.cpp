#include "livefeed.h"
