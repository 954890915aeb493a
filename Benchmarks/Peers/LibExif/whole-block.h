/* Reads a JPEG file as a program does that leaves EXIF to libexif: the block is handed over whole, maker note
   and thumbnail included. */
#ifndef WHOLE_BLOCK_H
#define WHOLE_BLOCK_H

#include <libexif/exif-data.h>
#include <string.h>
#include <unistd.h>

/* The entries that PhotoSpots uses of the image, Exif and GPS directories. */
static const ExifTag wanted_image[] = {0x10F, 0x110, 0x112, 0x4746};
static const ExifTag wanted_exif[] = {0x9003, 0x9004, 0x9011, 0x9012, 0x9291, 0x9292};
static const ExifTag wanted_gps[] = {1, 2, 3, 4, 5, 6, 7, 0x10, 0x11, 0x1D, 0x1F};

static inline int count_entries(ExifData *data, ExifIfd ifd, const ExifTag *tags, int count) {
  int found = 0;
  for (int i = 0; i < count; i++)
    if (exif_content_get_entry(data->ifd[ifd], tags[i])) found++;
  return found;
}

/* Reads the first 64 KiB of a file into `buffer`, finds the first EXIF segment and lets libexif decode it.
   Returns how many of the wanted entries there are; -1 where there is no EXIF. */
static inline int read_whole_block(int file, unsigned char *buffer, int follows_specification) {
  ssize_t length = pread(file, buffer, 65536, 0);
  if (length < 4 || buffer[0] != 0xFF || buffer[1] != 0xD8) return -1;
  for (ssize_t at = 2; at + 10 <= length && buffer[at] == 0xFF;) {
    ssize_t size = buffer[at + 2] << 8 | buffer[at + 3];
    if (buffer[at + 1] != 0xE1 || memcmp(buffer + at + 4, "Exif\0", 5)) {
      at += 2 + size;
      continue;
    }
    if (at + 2 + size > length) size = length - at - 2;
    ExifData *data = exif_data_new();
    if (!data) return -1;
    if (!follows_specification) {
      exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
      exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    }
    exif_data_load_data(data, buffer + at + 4, (unsigned)(size - 2));
    int found = count_entries(data, EXIF_IFD_0, wanted_image, 4) +
                count_entries(data, EXIF_IFD_EXIF, wanted_exif, 6) +
                count_entries(data, EXIF_IFD_GPS, wanted_gps, 11);
    exif_data_unref(data);
    return found;
  }
  return -1;
}

#endif
