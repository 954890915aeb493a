#include "CLibJPEGShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jerror.h>
#include <jpeglib.h>

// Limits above the files of any camera. Decoding a progressive file holds all coefficients in
// memory, processes all of them in each scan, and the number of scans is unlimited.
static const size_t maximum_file_size = (size_t)64 << 20;
static const uint64_t maximum_pixels = (uint64_t)200 << 20;
// In most processes a coded block takes at least a bit (T.81, annexes F and G), that is, 512 pixels
// per byte. For a small file that claims more, libjpeg would slowly invent the missing data.
static const uint64_t maximum_pixels_a_byte = 1024;
static const long maximum_memory = 64L << 20;
static const int maximum_scans = 100;
// The coefficients of a progressive photo of a current camera need more memory: six bytes a pixel
// without subsampling, up to 384 MiB. Such photos are decoded one at a time.
static const uint64_t maximum_large_pixels = (uint64_t)64 << 20;
static const uint64_t maximum_scanned_pixels = (uint64_t)1 << 30;
static pthread_mutex_t large_picture = PTHREAD_MUTEX_INITIALIZER;

static void lock_large_picture(void) {
  pthread_mutex_lock(&large_picture);
}

static void unlock_large_picture(void) {
  pthread_mutex_unlock(&large_picture);
}

static void (*begin_large_picture)(void) = lock_large_picture;
static void (*end_large_picture)(void) = unlock_large_picture;

void photospots_jpeg_take_turns(void (*begin)(void), void (*end)(void)) {
  begin_large_picture = begin;
  end_large_picture = end;
}

// The state of a decompression. It is a variable of the caller of the function that calls setjmp,
// so that all of it keeps its value after a longjmp (C11, 7.13.2.1).
struct decoder {
  struct jpeg_decompress_struct decompressor;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf on_error;
  char *message;
  int file;
  size_t rest;
  uint64_t most_pixels;
  // The number of pixels if the picture is a large one, for which the lock is held; otherwise 0.
  uint64_t large_pixels;
  // Whether the data of the picture ended before the picture.
  bool is_cut_off;
  uint8_t input[32 * 1024];
  uint8_t *profile;
  size_t profile_length;
  // The part of libjpeg's output that is used, and the size of the result.
  JDIMENSION left;
  JDIMENSION top;
  JDIMENSION taken_width;
  JDIMENSION taken_height;
  int width;
  int height;
  uint8_t *rgb;
  uint8_t *row;
  // For each pixel of a row, the column of the result that it begins in, and the share of it in
  // that column; the rest is in the next column. A pixel's width is measured as the number of
  // columns.
  uint32_t *columns;
  uint32_t *shares;
  // The sums of a row's samples by column of the result, and the sums of the rows by line.
  uint32_t *row_sums;
  uint64_t *line_sums;
};

static void leave(j_common_ptr common) {
  struct decoder *decoder = common->client_data;
  common->err->format_message(common, decoder->message);
  longjmp(decoder->on_error, 1);
}

static void keep_quiet(j_common_ptr common) {
  (void)common;
}

// Counts warnings (negative levels) as libjpeg's own handler does, and notes that data are missing.
static void note_message(j_common_ptr common, int level) {
  struct decoder *decoder = common->client_data;
  if (level >= 0) return;
  common->err->num_warnings++;
  if (common->err->msg_code == JWRN_HIT_MARKER) decoder->is_cut_off = true;
}

static void refuse(struct decoder *decoder, const char *reason) {
  snprintf(decoder->message, PHOTOSPOTS_JPEG_MESSAGE_SIZE, "%s", reason);
  longjmp(decoder->on_error, 1);
}

static void count_scans(j_common_ptr common) {
  struct decoder *decoder = common->client_data;
  const int scans = decoder->decompressor.input_scan_number;
  if (scans > maximum_scans || (uint64_t)scans * decoder->large_pixels > maximum_scanned_pixels) {
    refuse(decoder, "Too many scans");
  }
}

static void start_input(j_decompress_ptr decompressor) {
  (void)decompressor;
}

static boolean fill_input(j_decompress_ptr decompressor) {
  static const uint8_t end_of_image[2] = {0xFF, 0xD9};
  struct decoder *decoder = decompressor->client_data;
  size_t wanted = sizeof decoder->input < decoder->rest ? sizeof decoder->input : decoder->rest;
  ssize_t count;
  do {
    count = read(decoder->file, decoder->input, wanted);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    decoder->rest -= (size_t)count;
    decoder->source.next_input_byte = decoder->input;
    decoder->source.bytes_in_buffer = (size_t)count;
  } else {
    // A truncated file is decoded up to its end.
    decoder->rest = 0;
    decoder->source.next_input_byte = end_of_image;
    decoder->source.bytes_in_buffer = sizeof end_of_image;
  }
  return TRUE;
}

static void skip_input(j_decompress_ptr decompressor, long count) {
  struct decoder *decoder = decompressor->client_data;
  while (count > 0 && (size_t)count > decoder->source.bytes_in_buffer) {
    count -= (long)decoder->source.bytes_in_buffer;
    fill_input(decompressor);
    if (decoder->rest == 0 && decoder->source.next_input_byte != decoder->input) return;
  }
  if (count <= 0) return;
  decoder->source.next_input_byte += count;
  decoder->source.bytes_in_buffer -= (size_t)count;
}

static void end_input(j_decompress_ptr decompressor) {
  (void)decompressor;
}

static uint8_t next_byte(j_decompress_ptr decompressor) {
  struct jpeg_source_mgr *source = decompressor->src;
  if (source->bytes_in_buffer == 0) fill_input(decompressor);
  source->bytes_in_buffer--;
  return *source->next_input_byte++;
}

// Reads an APP2 segment. An ICC profile begins with its name, its segment number and the number of
// segments (ICC.1, annex B.4). Profiles of several segments are ignored.
static boolean keep_profile(j_decompress_ptr decompressor) {
  static const uint8_t only[14] = "ICC_PROFILE\0\1\1";
  struct decoder *decoder = decompressor->client_data;
  size_t length = (size_t)next_byte(decompressor) << 8;
  length |= next_byte(decompressor);
  if (length < 2) return TRUE;
  length -= 2;
  if (decoder->profile_length == 0 && length > sizeof only &&
      length <= sizeof only + PHOTOSPOTS_ICC_PROFILE_SIZE) {
    size_t count = 0;
    while (count < sizeof only) {
      length--;
      if (next_byte(decompressor) != only[count]) break;
      count++;
    }
    if (count == sizeof only) {
      for (count = 0; count < length; count++) {
        decoder->profile[count] = next_byte(decompressor);
      }
      decoder->profile_length = length;
      return TRUE;
    }
  }
  skip_input(decompressor, (long)length);
  return TRUE;
}

// Sets libjpeg's scaling to the smallest size with at least one and a half pixels for each pixel of
// the result in each direction. For a square the shorter side of the picture counts, else the
// longer one.
static void choose_size(struct decoder *decoder, int maximum_side, bool is_square) {
  struct jpeg_decompress_struct *decompressor = &decoder->decompressor;
  decompressor->scale_denom = 8;
  JDIMENSION side = 0;
  for (unsigned eighths = 1; eighths <= 8; eighths++) {
    decompressor->scale_num = eighths;
    jpeg_calc_output_dimensions(decompressor);
    JDIMENSION width = decompressor->output_width, height = decompressor->output_height;
    side = (width > height) != is_square ? width : height;
    if (2 * (uint64_t)side >= 3 * (uint64_t)maximum_side) break;
  }
  uint64_t limit = side < (JDIMENSION)maximum_side ? side : (JDIMENSION)maximum_side;
  decoder->taken_width = is_square ? side : decompressor->output_width;
  decoder->taken_height = is_square ? side : decompressor->output_height;
  decoder->left = (decompressor->output_width - decoder->taken_width) / 2;
  decoder->top = (decompressor->output_height - decoder->taken_height) / 2;
  decoder->width = (int)((decoder->taken_width * limit + side / 2) / side);
  decoder->height = (int)((decoder->taken_height * limit + side / 2) / side);
  if (decoder->width == 0) decoder->width = 1;
  if (decoder->height == 0) decoder->height = 1;
}

static void allocate(struct decoder *decoder) {
  size_t width = (size_t)decoder->width, taken = decoder->taken_width;
  decoder->rgb = malloc(width * (size_t)decoder->height * 3);
  decoder->row = malloc((size_t)decoder->decompressor.output_width * 3);
  decoder->columns = malloc(taken * sizeof *decoder->columns);
  decoder->shares = malloc(taken * sizeof *decoder->shares);
  // One additional column, to which the last pixel adds nothing.
  decoder->row_sums = malloc((width + 1) * 3 * sizeof *decoder->row_sums);
  decoder->line_sums = calloc(width * 3, sizeof *decoder->line_sums);
  if (!decoder->rgb || !decoder->row || !decoder->columns || !decoder->shares ||
      !decoder->row_sums || !decoder->line_sums) {
    refuse(decoder, "Out of memory");
  }
  for (uint64_t x = 0; x < taken; x++) {
    uint64_t column = x * width / taken, border = (column + 1) * taken;
    decoder->columns[x] = (uint32_t)column;
    decoder->shares[x] = (uint32_t)((x + 1) * width <= border ? width : border - x * width);
  }
}

static void sum_row(struct decoder *decoder) {
  const uint32_t width = (uint32_t)decoder->width;
  const uint8_t *pixel = decoder->row + (size_t)decoder->left * 3;
  memset(decoder->row_sums, 0, ((size_t)width + 1) * 3 * sizeof *decoder->row_sums);
  for (size_t x = 0; x < decoder->taken_width; x++, pixel += 3) {
    uint32_t *sum = decoder->row_sums + (size_t)decoder->columns[x] * 3;
    const uint32_t share = decoder->shares[x], rest = width - share;
    sum[0] += share * pixel[0];
    sum[1] += share * pixel[1];
    sum[2] += share * pixel[2];
    if (rest == 0) continue;
    sum[3] += rest * pixel[0];
    sum[4] += rest * pixel[1];
    sum[5] += rest * pixel[2];
  }
}

static void add_row(struct decoder *decoder, uint64_t share) {
  for (size_t sample = 0; sample < (size_t)decoder->width * 3; sample++) {
    decoder->line_sums[sample] += share * decoder->row_sums[sample];
  }
}

static void write_line(struct decoder *decoder, size_t line) {
  uint8_t *pixels = decoder->rgb + line * (size_t)decoder->width * 3;
  const double part = 1.0 / ((double)decoder->taken_width * (double)decoder->taken_height);
  for (size_t sample = 0; sample < (size_t)decoder->width * 3; sample++) {
    // At most 255, since it is a mean of bytes.
    pixels[sample] = (uint8_t)((double)decoder->line_sums[sample] * part + 0.5);
    decoder->line_sums[sample] = 0;
  }
}

// Shrinks the picture: each pixel of the result is the mean of the pixels in its area, weighted by
// their shares in it.
static void shrink(struct decoder *decoder) {
  struct jpeg_decompress_struct *decompressor = &decoder->decompressor;
  const uint64_t height = (uint64_t)decoder->height, taken = decoder->taken_height;
  uint64_t line = 0;
  while (decompressor->output_scanline < decoder->top + decoder->taken_height) {
    JDIMENSION scanline = decompressor->output_scanline;
    jpeg_read_scanlines(decompressor, &decoder->row, 1);
    if (scanline < decoder->top) continue;
    sum_row(decoder);
    // As for columns.
    uint64_t start = (scanline - decoder->top) * height, border = (line + 1) * taken;
    if (start + height < border) {
      add_row(decoder, height);
      continue;
    }
    add_row(decoder, border - start);
    write_line(decoder, line++);
    if (start + height > border) add_row(decoder, start + height - border);
  }
}

// Returns the maximum plausible number of pixels of a file. The size of a special file is unknown.
static uint64_t most_pixels(int file, uint64_t most_bytes) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return maximum_pixels;
  uint64_t size = (uint64_t)status.st_size < most_bytes ? (uint64_t)status.st_size : most_bytes;
  if (size > maximum_pixels / maximum_pixels_a_byte) return maximum_pixels;
  return size * maximum_pixels_a_byte;
}

// Returns the size of all coefficients, two bytes each, which a file of several scans needs.
static uint64_t coefficient_bytes(const struct jpeg_decompress_struct *decompressor) {
  uint64_t blocks = 0;
  for (int at = 0; at < decompressor->num_components; at++) {
    const jpeg_component_info *component = &decompressor->comp_info[at];
    blocks += (uint64_t)component->width_in_blocks * component->height_in_blocks;
  }
  return blocks * DCTSIZE2 * sizeof(JCOEF);
}

// Raises the limit of memory for a large picture, and waits until no other is being decoded.
static void allow_large(struct decoder *decoder, uint64_t pixels) {
  struct jpeg_decompress_struct *decompressor = &decoder->decompressor;
  const uint64_t needed = coefficient_bytes(decompressor);
  if (!jpeg_has_multiple_scans(decompressor) || needed <= (uint64_t)maximum_memory / 4 * 3) return;
  if (pixels > maximum_large_pixels) refuse(decoder, "Too many pixels in several scans");
  begin_large_picture();
  decoder->large_pixels = pixels;
  decompressor->mem->max_memory_to_use = (long)needed + maximum_memory;
}

static int decode(struct decoder *decoder, int maximum_side, bool is_square) {
  struct jpeg_decompress_struct *decompressor = &decoder->decompressor;
  if (setjmp(decoder->on_error)) return -1;
  jpeg_create_decompress(decompressor);
  decompressor->src = &decoder->source;
  decompressor->progress = &decoder->progress;
  jpeg_set_marker_processor(decompressor, JPEG_APP0 + 2, keep_profile);
  decompressor->mem->max_memory_to_use = maximum_memory;
  jpeg_read_header(decompressor, TRUE);
  const uint64_t pixels = (uint64_t)decompressor->image_width * decompressor->image_height;
  if (pixels > decoder->most_pixels) refuse(decoder, "Too many pixels");
  allow_large(decoder, pixels);
  decompressor->out_color_space = JCS_RGB;
  decompressor->do_fancy_upsampling = FALSE;
  decompressor->do_block_smoothing = FALSE;
  choose_size(decoder, maximum_side, is_square);
  jpeg_start_decompress(decompressor);
  allocate(decoder);
  shrink(decoder);
  return 0;
}

int photospots_jpeg_decode_small(
    int file, uint64_t most_bytes, int maximum_side, bool is_square,
    uint8_t **rgb, int *width, int *height, bool *is_cut_off,
    uint8_t profile[PHOTOSPOTS_ICC_PROFILE_SIZE], size_t *profile_length,
    char message[PHOTOSPOTS_JPEG_MESSAGE_SIZE]) {
  *rgb = NULL;
  *width = 0;
  *height = 0;
  *is_cut_off = false;
  *profile_length = 0;
  memset(message, 0, PHOTOSPOTS_JPEG_MESSAGE_SIZE);

  struct decoder decoder;
  memset(&decoder, 0, sizeof decoder);
  decoder.message = message;
  decoder.file = file;
  decoder.profile = profile;
  decoder.rest = most_bytes < maximum_file_size ? (size_t)most_bytes : maximum_file_size;
  decoder.most_pixels = most_pixels(file, most_bytes);
  decoder.decompressor.err = jpeg_std_error(&decoder.errors);
  decoder.decompressor.client_data = &decoder;
  decoder.errors.error_exit = leave;
  decoder.errors.output_message = keep_quiet;
  decoder.errors.emit_message = note_message;
  decoder.progress.progress_monitor = count_scans;
  decoder.source.init_source = start_input;
  decoder.source.fill_input_buffer = fill_input;
  decoder.source.skip_input_data = skip_input;
  decoder.source.resync_to_restart = jpeg_resync_to_restart;
  decoder.source.term_source = end_input;

#ifdef POSIX_FADV_SEQUENTIAL
  // The file may have been opened for random access.
  (void)posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
  int status = decode(&decoder, maximum_side, is_square);
  jpeg_destroy_decompress(&decoder.decompressor);
  if (decoder.large_pixels > 0) end_large_picture();
  free(decoder.row);
  free(decoder.columns);
  free(decoder.shares);
  free(decoder.row_sums);
  free(decoder.line_sums);
  if (status != 0) {
    free(decoder.rgb);
    return -1;
  }
  *rgb = decoder.rgb;
  *width = decoder.width;
  *height = decoder.height;
  *is_cut_off = decoder.is_cut_off;
  *profile_length = decoder.profile_length;
  return 0;
}
