#include "experiment/simulatedendpoint.h"
