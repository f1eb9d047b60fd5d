#include "experiment/runspec.h"
