#define _GNU_SOURCE
#include "COpening.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

// The number is the same on all architectures (linux/include/uapi/asm-generic/unistd.h), and older
// headers of the C library lack it.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

// struct open_how, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH of
// linux/openat2.h, which older systems lack.
struct how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
enum { noMagicLinks = 0x02, noSymlinks = 0x04, beneath = 0x08 };

int openingSearch(void) { return O_PATH; }

int openingBeneath(int folder, const char *path) {
  struct how how = {
      .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
      .resolve = noMagicLinks | noSymlinks | beneath,
  };
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
#else
int openingSearch(void) { return O_RDONLY; }

int openingBeneath(int folder, const char *path) {
  (void)folder;
  (void)path;
  errno = ENOSYS;
  return -1;
}
#endif
