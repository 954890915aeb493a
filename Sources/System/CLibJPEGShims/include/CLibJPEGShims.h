#ifndef PHOTOSPOTS_CLIBJPEG_SHIMS_H
#define PHOTOSPOTS_CLIBJPEG_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of a buffer for any message of libjpeg (JMSG_LENGTH_MAX), including the terminating
/// zero.
#define PHOTOSPOTS_JPEG_MESSAGE_SIZE 256

/// The size of a buffer for an ICC profile that describes a color space by three colors and three
/// curves.
#define PHOTOSPOTS_ICC_PROFILE_SIZE 16384

/// Compresses rows of 8-bit R, G, B as a baseline JPEG without a JFIF header.
///
/// libjpeg reports errors through a handler that must not return. This function leaves the handler
/// by longjmp, which Swift cannot do, so that no error ends the process or writes to standard
/// error.
///
/// Returns 0, `*jpeg` (which the caller frees with free()) and its `*length`; or -1 with a
/// zero-terminated message, `*jpeg` NULL and `*length` 0. `rgb` has `width * height * 3` bytes;
/// `quality` is 1 to 100. The result is deterministic for a version of libjpeg.
int photospots_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality,
    uint8_t **jpeg, size_t *length, char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]);

/// Decodes a JPEG file into rows of 8-bit R, G, B, scaled down so that no side is longer than
/// `maximum_side`. A smaller picture keeps its size. With `is_square` the picture is cropped to the
/// square in its center. The orientation is not applied.
///
/// Errors are handled as above. For any file, at most `most_bytes` and 64 MiB of it are read, by
/// read() from the descriptor's current offset. At most about 64 MiB of memory are allocated, and
/// only for progressive files. Pictures with more than 200 Mi pixels, more than 100 scans or four
/// color components are rejected.
///
/// Returns 0, `*rgb` (which the caller frees with free()) with its `*width` and `*height`; or -1
/// with a zero-terminated message and `*rgb` NULL. `*is_cut_off` is whether data of the picture are
/// missing; its rest is then filled with one color. `maximum_side` is at least 1. If the file has
/// an ICC profile in one segment of at most PHOTOSPOTS_ICC_PROFILE_SIZE bytes, `profile` receives
/// it and `*profile_length` its length, else 0.
int photospots_jpeg_decode_small(
    int file, uint64_t most_bytes, int maximum_side, bool is_square,
    uint8_t **rgb, int *width, int *height, bool *is_cut_off,
    uint8_t profile[PHOTOSPOTS_ICC_PROFILE_SIZE], size_t *profile_length,
    char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]);

/// Replaces the lock that makes threads decode large pictures, which take several hundred MiB, one
/// at a time: `begin` is called before one is decoded, and `end` after. Call this before the first
/// picture is decoded.
void photospots_jpeg_take_turns(void (*begin)(void), void (*end)(void));

#endif
