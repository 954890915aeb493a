#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page: a part of the program's read-only data, of which the system reads what is
/// looked at.
struct photospots_page_file {
  /// Its path below the folder of the page, with slashes.
  const char *path;
  /// Its content.
  const unsigned char *bytes;
  /// How long it is in bytes.
  size_t size;
};

/// The files of the page in the order of their paths.
const struct photospots_page_file *photospots_page_files(void);

/// How many files there are.
size_t photospots_page_file_count(void);

/// The description of the API: openapi.json.
const void *photospots_api_description(void);

/// How long it is in bytes.
size_t photospots_api_description_size(void);

#endif
