#include "log/logreader.h"
