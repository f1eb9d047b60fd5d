#include "experiment/endpointcheck.h"
