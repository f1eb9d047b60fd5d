#include "net/client.h"
