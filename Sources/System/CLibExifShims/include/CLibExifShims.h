#ifndef PHOTOSPOTS_CLIBEXIF_SHIMS_H
#define PHOTOSPOTS_CLIBEXIF_SHIMS_H

#include <libexif/exif-data.h>

/// An arena in which libexif decodes one block after another.
///
/// libexif makes about sixty allocations per block and frees each separately. In the arena they are
/// contiguous, and all of them are freed when the next block begins.
typedef struct photospots_exif_arena photospots_exif_arena;

/// Returns a new arena, or NULL if memory cannot be allocated. The caller frees it.
photospots_exif_arena *photospots_exif_arena_new(void);

/// Frees an arena and the data in it.
void photospots_exif_arena_free(photospots_exif_arena *arena);

/// Decodes a block of `length` bytes, which begins with `Exif\0\0`. libexif's options that repair
/// and rewrite entries are off.
///
/// Returns the data, or NULL if memory cannot be allocated. The data is owned by the arena, must
/// not be freed, and is valid until the arena decodes its next block or is freed.
ExifData *photospots_exif_arena_decode(
    photospots_exif_arena *arena, const unsigned char *block, unsigned int length);

#endif
