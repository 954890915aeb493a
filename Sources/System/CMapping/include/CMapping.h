// Memory-mapped files that may be truncated while they are in use.
#ifndef CMAPPING_H
#define CMAPPING_H

#include <stddef.h>

/// Maps the first bytes of an open file for reading. Returns NULL on failure, with the reason in
/// errno.
///
/// If a page is read that was cut off by truncating the file, it is replaced with zeros, and the
/// process is not ended by SIGBUS.
const void *mappingCreate(int file, size_t length);

/// Removes a mapping.
void mappingRemove(const void *start, size_t length);

/// Returns whether a page of a mapping was read that the file had lost.
int mappingIsCut(const void *start);

#endif
