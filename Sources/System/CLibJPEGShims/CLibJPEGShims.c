#include "CLibJPEGShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

_Static_assert(
    PHOTOSPOTS_JPEG_MESSAGE_SIZE > JMSG_LENGTH_MAX, "a message of libjpeg does not fit");

// The state of a compression. It is a variable of the caller of the function that calls setjmp, so
// that all of it keeps its value after a longjmp (C11, 7.13.2.1).
struct encoder {
  struct jpeg_compress_struct compressor;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf on_error;
  char *message;
  uint8_t *output;
  size_t capacity;
  size_t length;
};

static void leave(j_common_ptr common) {
  struct encoder *encoder = common->client_data;
  common->err->format_message(common, encoder->message);
  longjmp(encoder->on_error, 1);
}

static void keep_quiet(j_common_ptr common) {
  (void)common;
}

static void start_output(j_compress_ptr compressor) {
  struct encoder *encoder = compressor->client_data;
  encoder->destination.next_output_byte = encoder->output;
  encoder->destination.free_in_buffer = encoder->capacity;
}

// libjpeg calls this when the whole buffer is full, whatever the value of free_in_buffer.
static boolean grow_output(j_compress_ptr compressor) {
  struct encoder *encoder = compressor->client_data;
  if (encoder->capacity > SIZE_MAX / 2) ERREXIT1(compressor, JERR_OUT_OF_MEMORY, 10);
  uint8_t *grown = realloc(encoder->output, encoder->capacity * 2);
  if (grown == NULL) ERREXIT1(compressor, JERR_OUT_OF_MEMORY, 10);
  encoder->output = grown;
  encoder->destination.next_output_byte = grown + encoder->capacity;
  encoder->destination.free_in_buffer = encoder->capacity;
  encoder->capacity *= 2;
  return TRUE;
}

static void end_output(j_compress_ptr compressor) {
  struct encoder *encoder = compressor->client_data;
  encoder->length = encoder->capacity - encoder->destination.free_in_buffer;
}

static int compress(
    struct encoder *encoder, const uint8_t *rgb, int width, int height, int quality) {
  struct jpeg_compress_struct *compressor = &encoder->compressor;
  if (setjmp(encoder->on_error)) return -1;
  jpeg_create_compress(compressor);
  compressor->dest = &encoder->destination;
  if (width <= 0 || height <= 0) ERREXIT(compressor, JERR_EMPTY_IMAGE);
  compressor->image_width = (JDIMENSION)width;
  compressor->image_height = (JDIMENSION)height;
  compressor->input_components = 3;
  compressor->in_color_space = JCS_RGB;
  jpeg_set_defaults(compressor);
  jpeg_set_quality(compressor, quality, TRUE);
  compressor->optimize_coding = TRUE;
  compressor->write_JFIF_header = FALSE;
  jpeg_start_compress(compressor, TRUE);
  while (compressor->next_scanline < compressor->image_height) {
    JSAMPROW row = (JSAMPROW)(rgb + (size_t)compressor->next_scanline * (size_t)width * 3);
    jpeg_write_scanlines(compressor, &row, 1);
  }
  jpeg_finish_compress(compressor);
  return 0;
}

int photospots_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality,
    uint8_t **jpeg, size_t *length, char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]) {
  *jpeg = NULL;
  *length = 0;
  memset(message, 0, PHOTOSPOTS_JPEG_MESSAGE_SIZE);

  struct encoder encoder;
  memset(&encoder, 0, sizeof encoder);
  encoder.message = message;
  encoder.capacity = 16 * 1024;
  encoder.output = malloc(encoder.capacity);
  if (encoder.output == NULL) {
    strcpy(message, "Out of memory");
    return -1;
  }
  encoder.compressor.err = jpeg_std_error(&encoder.errors);
  encoder.compressor.client_data = &encoder;
  encoder.errors.error_exit = leave;
  encoder.errors.output_message = keep_quiet;
  encoder.destination.init_destination = start_output;
  encoder.destination.empty_output_buffer = grow_output;
  encoder.destination.term_destination = end_output;

  int status = compress(&encoder, rgb, width, height, quality);
  jpeg_destroy_compress(&encoder.compressor);
  if (status != 0) {
    free(encoder.output);
    return -1;
  }
  *jpeg = encoder.output;
  *length = encoder.length;
  return 0;
}
