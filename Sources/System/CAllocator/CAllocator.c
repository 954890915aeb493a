#include "CAllocator.h"

#ifdef __linux__
#include <malloc.h>
#endif

void allocatorTrim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void allocatorSetMapThreshold(int bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, bytes);
#else
  (void)bytes;
#endif
}
