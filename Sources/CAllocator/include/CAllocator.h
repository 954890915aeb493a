// The C library's heap, as far as Swift's module of it leaves it out.
#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Gives memory that was freed back to the system, where the C library keeps it: malloc_trim(3).
void allocatorGiveBack(void);

/// Has each piece of memory of `bytes` and more returned to the system as soon as it is freed:
/// M_MMAP_THRESHOLD of mallopt(3).
void allocatorKeepApart(int bytes);

#endif
