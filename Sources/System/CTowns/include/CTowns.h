#ifndef CTOWNS_H
#define CTOWNS_H

#include <stddef.h>

/// The towns of the world in the format of make-towns.py. They are in the program's read-only data,
/// of which the system loads only the pages that are accessed.
const void *photospots_towns(void);

/// The size of the towns in bytes.
size_t photospots_towns_size(void);

/// The smaller places, in the same format and with the same numbers of countries.
const void *photospots_villages(void);

/// The size of the smaller places in bytes.
size_t photospots_villages_size(void);

/// The towns' names in other languages, in the second format of make-towns.py.
const void *photospots_other_names(void);

/// The size of these names in bytes.
size_t photospots_other_names_size(void);

#endif
