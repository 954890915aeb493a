#include "CLibExifShims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libexif/exif-mem.h>

// The decoded entries of a camera's block take about 6 KiB, which stay in the processor's
// first-level cache. A crafted block can be up to 25 KiB long. Allocations that do not fit use
// malloc.
enum { CAPACITY = 16 * 1024, ALIGNMENT = 16 };

struct photospots_exif_arena {
  size_t used;
  // A list of the allocations that did not fit.
  struct overflow *overflow;
  _Alignas(ALIGNMENT) unsigned char bytes[CAPACITY];
};

// The header of each allocation, which allows it to grow. Its size equals the alignment, so that
// the alignment is kept.
struct piece {
  _Alignas(ALIGNMENT) size_t length;
};

struct overflow {
  _Alignas(ALIGNMENT) struct overflow *next;
};

// The arena of the block that this thread decodes: libexif's allocation callbacks have no context
// parameter.
static _Thread_local photospots_exif_arena *current;

static void *allocate(ExifLong wanted) {
  size_t length = ((size_t)wanted + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  size_t total = sizeof(struct piece) + length;
  struct piece *piece;
  if (total <= CAPACITY - current->used) {
    piece = (struct piece *)(current->bytes + current->used);
    current->used += total;
    memset(piece, 0, total);
  } else {
    struct overflow *overflow = calloc(1, sizeof(struct overflow) + total);
    if (!overflow) return NULL;
    overflow->next = current->overflow;
    current->overflow = overflow;
    piece = (struct piece *)(overflow + 1);
  }
  piece->length = length;
  return piece + 1;
}

static void *reallocate(void *old, ExifLong wanted) {
  if (!old) return allocate(wanted);
  struct piece *piece = (struct piece *)old - 1;
  if (wanted <= piece->length) return old;
  void *grown = allocate(wanted);
  if (grown) memcpy(grown, old, piece->length);
  return grown;
}

static void keep(void *piece) {
  (void)piece;
}

static void empty(photospots_exif_arena *arena) {
  arena->used = 0;
  while (arena->overflow) {
    struct overflow *next = arena->overflow->next;
    free(arena->overflow);
    arena->overflow = next;
  }
}

photospots_exif_arena *photospots_exif_arena_new(void) {
  photospots_exif_arena *arena = malloc(sizeof *arena);
  if (!arena) return NULL;
  arena->used = 0;
  arena->overflow = NULL;
  return arena;
}

void photospots_exif_arena_free(photospots_exif_arena *arena) {
  if (arena) empty(arena);
  free(arena);
}

ExifData *photospots_exif_arena_decode(
    photospots_exif_arena *arena, const unsigned char *block, unsigned int length) {
  empty(arena);
  current = arena;
  ExifMem *memory = exif_mem_new(allocate, reallocate, keep);
  ExifData *data = memory ? exif_data_new_mem(memory) : NULL;
  if (data) {
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_load_data(data, block, length);
  }
  current = NULL;
  return data;
}
