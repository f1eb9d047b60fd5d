#include "measure/statistics.h"
