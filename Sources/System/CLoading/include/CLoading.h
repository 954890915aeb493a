// Opens libraries of the system at run time.
#ifndef CLOADING_H
#define CLOADING_H

#include <stdbool.h>
#include <stddef.h>

/// Opens a library by its file name, such as "libcurl.so.4", from the folders that the dynamic
/// linker searches, but never from the folder of this program: who can write there, as to a folder
/// of downloads, must not get code into it. A program of `swift build` has that folder in its run
/// path. Returns the library, or NULL with the reason.
void *loadSystemLibrary(const char *name, char *reason, size_t reasonSize);

/// Returns whether such a library is in these folders, without opening it.
bool findSystemLibrary(const char *name);

/// A function of a library, and the address of the pointer to it.
struct LibraryFunction {
  const char *name;
  void *pointer;
};

/// Opens the first of a library's file names that can be opened, and sets the pointers to its
/// functions.
///
/// Returns whether that succeeded; otherwise with the reason, of the first name if none can be
/// opened, since that is the usual one.
bool loadSystemFunctions(
    const char *const *names, size_t nameCount, const struct LibraryFunction *functions,
    size_t functionCount, char *reason, size_t reasonSize);

#endif
