#include "experiment/rundocument.h"
