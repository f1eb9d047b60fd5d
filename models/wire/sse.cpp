#include "wire/sse.h"
