// The memory that is allocated, which Swift's Glibc module cannot ask for.
#pragma once

#include <malloc.h>
#include <stddef.h>

static inline size_t heapBytes(void) {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
