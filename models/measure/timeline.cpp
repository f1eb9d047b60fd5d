#include "measure/timeline.h"
