#include "experiment/runcontroller.h"
