// Functions of the C library's heap that Swift's C library module does not export.
#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Returns freed memory that the C library retains to the system: malloc_trim(3).
void allocatorTrim(void);

/// Sets the size in bytes from which each allocation is returned to the system as soon as it is
/// freed: M_MMAP_THRESHOLD of mallopt(3).
void allocatorSetMapThreshold(int bytes);

#endif
