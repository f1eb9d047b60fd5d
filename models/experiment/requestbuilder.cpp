#include "experiment/requestbuilder.h"
