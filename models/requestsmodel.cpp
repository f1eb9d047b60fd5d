#include "requestsmodel.h"
