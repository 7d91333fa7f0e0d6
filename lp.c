#define MTC_INTERNAL
#include "mtc.h"
