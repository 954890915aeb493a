#ifndef CTOWNS_H
#define CTOWNS_H

#include <stddef.h>

/// The towns of the world as make-towns.py writes them: a part of the program's read-only data, of
/// which the system reads the pages that are looked at.
const void *photospots_towns(void);

/// How long they are in bytes.
size_t photospots_towns_size(void);

#endif
