#ifndef CGLYPHS_H
#define CGLYPHS_H

#include <stddef.h>

/// The outlines of letters in the format of make-glyphs.py. They are in the program's read-only
/// data, of which the system loads only the pages that are accessed.
const void *photospots_glyphs(void);

/// The size of the outlines in bytes.
size_t photospots_glyphs_size(void);

#endif
