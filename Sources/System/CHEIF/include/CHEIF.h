// Decodes HEIC and AVIF pictures. libheif is loaded at run time.
//
// The library is needed only for such pictures, and it loads codecs of video, which no other
// command should wait for. The functions and constants used here are declared in CHEIF.c; libheif
// keeps them within its major version.
#ifndef PHOTOSPOTS_CHEIF_H
#define PHOTOSPOTS_CHEIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns whether libheif is installed, without loading it. Thread-safe.
bool heifIsInstalled(void);

/// Loads libheif and its decoders, once.
///
/// Returns NULL on success, or else the reason of the failure. Thread-safe.
const char *heifLoad(void);

/// The primary image of a file, and its pixels once they are decoded.
struct HEIFPicture;

/// Opens the primary image of a file of `count` bytes, which must outlive it.
///
/// Returns NULL if libheif cannot be loaded or rejects the file, or if the image has more pixels
/// than a maximum.
struct HEIFPicture *heifOpen(const uint8_t *bytes, size_t count, int64_t maximumPixels);

/// Closes a picture; its pixels are no longer valid.
void heifClose(struct HEIFPicture *picture);

/// Returns the length of the picture's ICC profile in bytes; 0 if there is none.
size_t heifProfileLength(const struct HEIFPicture *picture);

/// Copies the ICC profile, which has the length above; returns whether that succeeded.
bool heifProfile(const struct HEIFPicture *picture, uint8_t *profile);

/// The size of decoded pixels, and the distance of two rows in bytes.
struct HEIFSize {
  int width;
  int height;
  int stride;
};

/// Decodes a picture, upright and with 8 bits for each of red, green and blue.
///
/// Returns the rows, which are valid until the picture is closed; NULL on failure.
const uint8_t *heifDecode(struct HEIFPicture *picture, struct HEIFSize *size);

#endif
