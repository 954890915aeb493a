// Decompresses Brotli (RFC 7932). libbrotlidec is loaded at run time.
//
// The library is needed only for metadata in JPEG XL files. The functions and constants used here
// are declared in CBrotli.c; they have not changed since version 1.0 (brotli/decode.h).
#ifndef PHOTOSPOTS_CBROTLI_H
#define PHOTOSPOTS_CBROTLI_H

#include <stddef.h>
#include <stdint.h>

/// Loads libbrotlidec, once. Returns NULL on success, or else the reason of the failure.
/// Thread-safe.
const char *brotliLoad(void);

/// The state of a decompression, at most some 17 MB.
struct BrotliStream;

/// Begins a decompression; NULL without the library or without memory.
struct BrotliStream *brotliOpen(void);

/// Ends a decompression.
void brotliClose(struct BrotliStream *stream);

/// What a step of a decompression did.
enum BrotliStep {
  /// The stream is damaged.
  brotliDamaged = 0,
  /// The stream has ended.
  brotliEnded = 1,
  /// All input was used, and the stream has not ended.
  brotliNeedsInput = 2,
  /// The output is full.
  brotliNeedsOutput = 3,
};

/// Decompresses bytes. `used` and `produced` become the numbers of bytes of the input that were
/// used and of the output that were written.
enum BrotliStep brotliDecode(
    struct BrotliStream *stream, const uint8_t *input, size_t inputLength, size_t *used,
    uint8_t *output, size_t outputLength, size_t *produced);

#endif
