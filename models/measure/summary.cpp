#include "measure/summary.h"
