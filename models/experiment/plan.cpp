#include "experiment/plan.h"
