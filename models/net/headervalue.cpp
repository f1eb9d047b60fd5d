#include "net/headervalue.h"
