#ifndef CGLYPHS_H
#define CGLYPHS_H

#include <stddef.h>

/// The outlines of letters as make-glyphs.py writes them: a part of the program's read-only data,
/// of which the system reads the pages that are looked at.
const void *photospots_glyphs(void);

/// The length of the outlines in bytes.
size_t photospots_glyphs_size(void);

#endif
