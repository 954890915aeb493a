#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page. It is in the program's read-only data, of which the system loads only the
/// pages that are accessed.
struct photospots_page_file {
  /// The path relative to the folder of the page, with slashes.
  const char *path;
  /// The content.
  const unsigned char *bytes;
  /// The size in bytes.
  size_t size;
};

/// The files of the page, ordered by path.
const struct photospots_page_file *photospots_page_files(void);

/// The number of files.
size_t photospots_page_file_count(void);

/// The description of the API: openapi.json.
const void *photospots_api_description(void);

/// The size of the description in bytes.
size_t photospots_api_description_size(void);

#endif
