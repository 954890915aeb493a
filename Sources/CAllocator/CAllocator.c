#include "CAllocator.h"

#ifdef __linux__
#include <malloc.h>
#endif

void allocatorGiveBack(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
