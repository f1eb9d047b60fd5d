#include "summarymodel.h"
