#include "sim/simserver.h"
