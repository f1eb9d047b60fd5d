#include "seriesmodel.h"
