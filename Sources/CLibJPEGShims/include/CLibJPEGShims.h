#ifndef PHOTOSPOTS_CLIBJPEG_SHIMS_H
#define PHOTOSPOTS_CLIBJPEG_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Room enough for any message of libjpeg (JMSG_LENGTH_MAX) with its final zero.
#define PHOTOSPOTS_JPEG_MESSAGE_SIZE 256

/// Room enough for an ICC profile that describes a colour space by three colours and three curves.
#define PHOTOSPOTS_ICC_PROFILE_SIZE 16384

/// Compresses rows of 8-bit R, G, B as a baseline JPEG without a JFIF header.
///
/// libjpeg reports errors through a handler that must not return; this function leaves it by
/// longjmp, which Swift cannot do, so that no error ends the process or writes to standard error.
///
/// Returns 0, `*jpeg` (the caller frees it with free()) and its `*length`; or -1 with a message
/// that ends in a zero, `*jpeg` NULL and `*length` 0. `rgb` holds `width * height * 3` bytes;
/// `quality` is 1 to 100. Same pixels and same version of libjpeg: same bytes.
int photospots_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality,
    uint8_t **jpeg, size_t *length, char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]);

/// Decodes a JPEG file into rows of 8-bit R, G, B, so small that no side is longer than
/// `maximum_side`; a smaller picture keeps its size. With `is_square` the square in the middle of
/// the picture is taken. The picture is not turned.
///
/// Errors are handled as above. Whatever the file holds, no more than `most_bytes` and 64 MiB of it
/// are read, by read() from where the descriptor stands; no more than about 64 MiB of memory are
/// taken, and those only by a progressive file; and pictures of more than 200 Mi pixels or 100
/// scans are refused, as are those of four colours.
///
/// Returns 0, `*rgb` (the caller frees it with free()) with its `*width` and `*height`; or -1 with
/// a message that ends in a zero and `*rgb` NULL. `maximum_side` is at least 1. `profile` receives
/// the ICC profile of the file where it lies in one segment of at most
/// PHOTOSPOTS_ICC_PROFILE_SIZE bytes, and `*profile_length` its length, else 0.
int photospots_jpeg_decode_small(
    int file, uint64_t most_bytes, int maximum_side, bool is_square,
    uint8_t **rgb, int *width, int *height,
    uint8_t profile[PHOTOSPOTS_ICC_PROFILE_SIZE], size_t *profile_length,
    char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]);

#endif
