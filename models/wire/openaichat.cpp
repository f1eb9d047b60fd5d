#include "wire/openaichat.h"
