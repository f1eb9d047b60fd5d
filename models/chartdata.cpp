#include "chartdata.h"
