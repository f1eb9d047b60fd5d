#include "measure/metrics.h"
