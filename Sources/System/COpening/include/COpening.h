// Opens files below a folder without following symbolic links.
#ifndef COPENING_H
#define COPENING_H

/// Opens a file for reading, by a path relative to an open folder: openat2(2) with RESOLVE_BENEATH
/// and RESOLVE_NO_SYMLINKS. Returns the descriptor, or -1 with the reason in errno, which is ENOSYS
/// if the system does not have this call.
int openingBeneath(int folder, const char *path);

/// The access mode for a folder that is only searched, which needs no permission to list it: O_PATH
/// where there is one.
int openingSearch(void);

#endif
