#include "log/logwriter.h"
