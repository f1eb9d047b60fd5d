#include "experiment/prompts.h"
