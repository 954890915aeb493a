#include "CHEIF.h"

#include "CLoading.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The parts of libheif's interface used here (libheif/heif.h, since version 1.13).
struct heif_context;
struct heif_image_handle;
struct heif_image;

struct heif_error {
  int code;
  int subcode;
  const char *message;
};

// The options up to those of its version 2.
struct heif_decoding_options {
  uint8_t version;
  uint8_t ignore_transformations;
  void (*start_progress)(int step, int maximum, void *context);
  void (*on_progress)(int step, int progress, void *context);
  void (*end_progress)(int step, void *context);
  void *progress_user_data;
  uint8_t convert_hdr_to_8bit;
};

enum {
  heif_error_Ok = 0,
  heif_colorspace_RGB = 1,
  heif_chroma_interleaved_RGB = 10,
  heif_channel_interleaved = 10,
  // The largest side of an image in pixels.
  longest_side = 16384,
};

static struct {
  struct heif_context *(*context_alloc)(void);
  void (*context_free)(struct heif_context *);
  void (*set_maximum_image_size_limit)(struct heif_context *, int side);
  void (*set_max_decoding_threads)(struct heif_context *, int count);
  struct heif_error (*read)(struct heif_context *, const void *, size_t, const void *options);
  struct heif_error (*primary)(struct heif_context *, struct heif_image_handle **);
  void (*handle_release)(const struct heif_image_handle *);
  int (*handle_width)(const struct heif_image_handle *);
  int (*handle_height)(const struct heif_image_handle *);
  size_t (*profile_size)(const struct heif_image_handle *);
  struct heif_error (*profile)(const struct heif_image_handle *, void *);
  struct heif_decoding_options *(*options_alloc)(void);
  void (*options_free)(struct heif_decoding_options *);
  struct heif_error (*decode)(
      const struct heif_image_handle *, struct heif_image **, int colorspace, int chroma,
      const struct heif_decoding_options *);
  void (*image_release)(const struct heif_image *);
  int (*image_width)(const struct heif_image *, int channel);
  int (*image_height)(const struct heif_image *, int channel);
  const uint8_t *(*plane)(const struct heif_image *, int channel, int *stride);
} heif;

// The names of the library on Linux and on macOS.
static const char *const library_names[] = {"libheif.so.1", "libheif.1.dylib"};
enum { names = sizeof library_names / sizeof *library_names };

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

bool heifIsInstalled(void) {
  for (size_t i = 0; i < names; i += 1) {
    if (findSystemLibrary(library_names[i])) return true;
  }
  return false;
}

static void load(void) {
  static const struct LibraryFunction functions[] = {
      {"heif_context_alloc", &heif.context_alloc},
      {"heif_context_free", &heif.context_free},
      {"heif_context_set_maximum_image_size_limit", &heif.set_maximum_image_size_limit},
      {"heif_context_set_max_decoding_threads", &heif.set_max_decoding_threads},
      {"heif_context_read_from_memory_without_copy", &heif.read},
      {"heif_context_get_primary_image_handle", &heif.primary},
      {"heif_image_handle_release", &heif.handle_release},
      {"heif_image_handle_get_width", &heif.handle_width},
      {"heif_image_handle_get_height", &heif.handle_height},
      {"heif_image_handle_get_raw_color_profile_size", &heif.profile_size},
      {"heif_image_handle_get_raw_color_profile", &heif.profile},
      {"heif_decoding_options_alloc", &heif.options_alloc},
      {"heif_decoding_options_free", &heif.options_free},
      {"heif_decode_image", &heif.decode},
      {"heif_image_release", &heif.image_release},
      {"heif_image_get_width", &heif.image_width},
      {"heif_image_get_height", &heif.image_height},
      {"heif_image_get_plane_readonly", &heif.plane},
  };
  bool isLoaded = loadSystemFunctions(
      library_names, names, functions, sizeof functions / sizeof *functions, load_failure,
      sizeof load_failure);
  if (!isLoaded) return;
  load_failure[0] = 0;
  // The first context loads the decoders, which are files in some systems.
  heif.context_free(heif.context_alloc());
}

const char *heifLoad(void) {
  pthread_once(&load_once, load);
  return load_failure[0] ? load_failure : NULL;
}

struct HEIFPicture {
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
};

static bool readPrimary(
    struct HEIFPicture *picture, const uint8_t *bytes, size_t count, int64_t maximumPixels) {
  picture->context = heif.context_alloc();
  if (!picture->context) return false;
  heif.set_maximum_image_size_limit(picture->context, longest_side);
  heif.set_max_decoding_threads(picture->context, 0);
  if (heif.read(picture->context, bytes, count, NULL).code != heif_error_Ok) return false;
  if (heif.primary(picture->context, &picture->handle).code != heif_error_Ok) return false;
  int64_t pixels =
      (int64_t)heif.handle_width(picture->handle) * heif.handle_height(picture->handle);
  return pixels > 0 && pixels <= maximumPixels;
}

struct HEIFPicture *heifOpen(const uint8_t *bytes, size_t count, int64_t maximumPixels) {
  if (heifLoad()) return NULL;
  struct HEIFPicture *picture = calloc(1, sizeof *picture);
  if (!picture) return NULL;
  if (readPrimary(picture, bytes, count, maximumPixels)) return picture;
  heifClose(picture);
  return NULL;
}

void heifClose(struct HEIFPicture *picture) {
  if (!picture) return;
  if (picture->image) heif.image_release(picture->image);
  if (picture->handle) heif.handle_release(picture->handle);
  if (picture->context) heif.context_free(picture->context);
  free(picture);
}

size_t heifProfileLength(const struct HEIFPicture *picture) {
  return heif.profile_size(picture->handle);
}

bool heifProfile(const struct HEIFPicture *picture, uint8_t *profile) {
  return heif.profile(picture->handle, profile).code == heif_error_Ok;
}

const uint8_t *heifDecode(struct HEIFPicture *picture, struct HEIFSize *size) {
  struct heif_decoding_options *options = heif.options_alloc();
  if (options && options->version >= 2) options->convert_hdr_to_8bit = 1;
  struct heif_error error = heif.decode(
      picture->handle, &picture->image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options);
  if (options) heif.options_free(options);
  if (error.code != heif_error_Ok || !picture->image) return NULL;
  size->width = heif.image_width(picture->image, heif_channel_interleaved);
  size->height = heif.image_height(picture->image, heif_channel_interleaved);
  const uint8_t *rows = heif.plane(picture->image, heif_channel_interleaved, &size->stride);
  bool isValid = size->width > 0 && size->height > 0 && size->stride / 3 >= size->width;
  return isValid ? rows : NULL;
}
