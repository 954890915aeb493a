#include "CGlyphs.h"

// Clang takes #embed (C23, section 6.10.4) in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char glyphs[] = {
#embed "glyphs.bin"
};

const void *photospots_glyphs(void) { return glyphs; }

size_t photospots_glyphs_size(void) { return sizeof glyphs; }
