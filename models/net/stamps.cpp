#include "net/stamps.h"
