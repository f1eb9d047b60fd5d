#include "sim/simmodel.h"
