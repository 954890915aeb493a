// The C library's heap, as far as Swift's module of it leaves it out.
#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Gives memory that was freed back to the system, where the C library keeps it: malloc_trim(3).
void allocatorGiveBack(void);

#endif
