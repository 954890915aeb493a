#include "CBrotli.h"

#include "CLoading.h"

#include <pthread.h>
#include <string.h>

static struct {
  struct BrotliStream *(*create)(void *allocate, void *release, void *context);
  void (*destroy)(struct BrotliStream *);
  int (*decode)(
      struct BrotliStream *, size_t *inputLength, const uint8_t **input, size_t *outputLength,
      uint8_t **output, size_t *total);
} brotli;

// The names of the library on Linux and on macOS.
static const char *const library_names[] = {"libbrotlidec.so.1", "libbrotlidec.1.dylib"};
enum { names = sizeof library_names / sizeof *library_names };

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  const struct LibraryFunction functions[] = {
      {"BrotliDecoderCreateInstance", &brotli.create},
      {"BrotliDecoderDestroyInstance", &brotli.destroy},
      {"BrotliDecoderDecompressStream", &brotli.decode},
  };
  loadSystemFunctions(
      library_names, names, functions, sizeof functions / sizeof *functions, load_failure,
      sizeof load_failure);
}

const char *brotliLoad(void) {
  pthread_once(&load_once, load);
  if (brotli.create && brotli.destroy && brotli.decode) return NULL;
  return load_failure;
}

struct BrotliStream *brotliOpen(void) {
  return brotliLoad() ? NULL : brotli.create(NULL, NULL, NULL);
}

void brotliClose(struct BrotliStream *stream) { brotli.destroy(stream); }

enum BrotliStep brotliDecode(
    struct BrotliStream *stream, const uint8_t *input, size_t inputLength, size_t *used,
    uint8_t *output, size_t outputLength, size_t *produced) {
  size_t inputLeft = inputLength;
  size_t outputLeft = outputLength;
  int result = brotli.decode(stream, &inputLeft, &input, &outputLeft, &output, NULL);
  *used = inputLength - inputLeft;
  *produced = outputLength - outputLeft;
  return result < brotliDamaged || result > brotliNeedsOutput ? brotliDamaged : result;
}
