#include "wire/replyreader.h"
