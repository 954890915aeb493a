// Files mapped into memory, of which a part may be cut off while they are in use.
#ifndef CMAPPING_H
#define CMAPPING_H

#include <stddef.h>

/// Maps the first bytes of an open file to be read; NULL where that fails, as errno says.
///
/// Where the file has lost a page that is read, the page holds zeros from then on, and the process
/// is not ended by SIGBUS.
const void *mappingCreate(int file, size_t length);

/// Gives a mapping up.
void mappingRemove(const void *start, size_t length);

/// Whether a page of a mapping was read that the file had lost.
int mappingIsCut(const void *start);

#endif
