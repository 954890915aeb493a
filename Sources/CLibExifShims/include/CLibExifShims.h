#ifndef PHOTOSPOTS_CLIBEXIF_SHIMS_H
#define PHOTOSPOTS_CLIBEXIF_SHIMS_H

#include <libexif/exif-data.h>

/// Memory in which libexif decodes one block after another.
///
/// libexif asks for some sixty pieces of memory a block, and gives each back by itself; here they
/// lie one behind another and are all given up when the next block begins.
typedef struct photospots_exif_arena photospots_exif_arena;

/// Returns a new arena, or NULL where there is no memory; the caller frees it.
photospots_exif_arena *photospots_exif_arena_new(void);

/// Frees an arena, and the data that lies in it.
void photospots_exif_arena_free(photospots_exif_arena *arena);

/// Decodes a block of `length` bytes, which begins with `Exif\0\0`, with libexif's options that
/// repair and rewrite entries switched off.
///
/// Returns the data, which lies in the arena and must not be freed, and is valid until the arena's
/// next block or its end; NULL where there is no memory.
ExifData *photospots_exif_arena_decode(
    photospots_exif_arena *arena, const unsigned char *block, unsigned int length);

#endif
