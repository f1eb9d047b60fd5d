#include "measure/histogram.h"
