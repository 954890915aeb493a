#ifndef PHOTOSPOTS_CLIBJPEG_SHIMS_H
#define PHOTOSPOTS_CLIBJPEG_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/// Room enough for any message of libjpeg (JMSG_LENGTH_MAX) with its final zero.
#define PHOTOSPOTS_JPEG_MESSAGE_SIZE 256

/// Compresses rows of 8-bit R, G, B as a baseline JPEG without a JFIF header.
///
/// libjpeg reports errors through a handler that must not return; this function leaves it by longjmp,
/// which Swift cannot do, so that no error ends the process or writes to standard error.
///
/// Returns 0, `*jpeg` (the caller frees it with free()) and its `*length`; or -1 with a message that
/// ends in a zero, `*jpeg` NULL and `*length` 0. `rgb` holds `width * height * 3` bytes; `quality` is
/// 1 to 100. Same pixels and same version of libjpeg: same bytes.
int photospots_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality,
    uint8_t **jpeg, size_t *length, char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]);

#endif
