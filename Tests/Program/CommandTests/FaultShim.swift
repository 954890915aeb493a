import ProcessSupport
import SystemPackage
import TestSupport

/// A library that is loaded before the C library, and lets calls for chosen paths fail, as a disk
/// does that is damaged, full or read-only. It is the stand-in for a file system of the tests' own,
/// which only some machines allow.
///
/// The file in the environment variable `FAULTS` has a line for each fault: `look ERRNO PATH` for
/// every look at a file, `change ERRNO FOLDER/` for every change below a folder.
enum FaultShim {
  /// Compiles the library into a folder; returns `nil` where there is no compiler, or where the
  /// program is linked statically.
  static func library(in folder: TemporaryFolder) async throws -> FilePath? {
    try folder.write(source, to: "shim.c")
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      cc -shared -fPIC -O1 -w -o shim.so shim.c -ldl || exit 0
      LD_PRELOAD=$PWD/shim.so SHIM_MARK=$PWD/shim.mark \(PhotoSpotsProcess.program) --version
      """)
    let library = folder.path("shim.so")
    if !folder.exists(folder.path("shim.mark")) { print("no faults are injected: \(outcome)") }
    return folder.exists(folder.path("shim.mark")) ? library : nil
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>
    static __thread int inside;
    static void full_path(int dir, const char *name, char *full, size_t size) {
      char folder[4200] = "", link[64];
      if (name[0] == '/') { snprintf(full, size, "%s", name); return; }
      if (dir == AT_FDCWD) { if (!getcwd(folder, sizeof folder)) folder[0] = 0; }
      else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
        ssize_t n = readlink(link, folder, sizeof folder - 1);
        folder[n < 0 ? 0 : n] = 0;
      }
      snprintf(full, size, "%s/%s", folder, name);
    }
    /* Returns the error of a look at a path, or of a change of it. */
    static int fault(const char *full, int changes) {
      static FILE *(*real)(const char *, const char *);
      const char *list = getenv("FAULTS");
      if (!list) return 0;
      if (!real) real = dlsym(RTLD_NEXT, "fopen");
      FILE *file = real(list, "r");
      char line[8300];
      int found = 0;
      while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        int is_change = !strncmp(line, "change ", 7);
        if (!is_change && strncmp(line, "look ", 5)) continue;
        char *at = line + (is_change ? 7 : 5);
        int number = strtol(at, &at, 10);
        if (*at++ != ' ') continue;
        if (is_change ? changes && !strncmp(full, at, strlen(at)) : !strcmp(full, at)) found = number;
      }
      if (file) fclose(file);
      return found;
    }
    static int failing(int dir, const char *name, int changes) {
      if (inside || !name || !*name) return 0;
      inside = 1;
      char full[8300];
      int before = errno;
      full_path(dir, name, full, sizeof full);
      int found = fault(full, changes);
      errno = before;
      inside = 0;
      return found;
    }
    static int failing_open(int dir, const char *name, int flags) {
      int changes = flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
      int found = failing(dir, name, !!changes);
      /* A full disk has room for no new file, and existing ones can be opened. */
      if (found == ENOSPC && !(flags & O_CREAT && faccessat(dir, name, F_OK, 0))) return 0;
      return found;
    }
    static int failing_write(int file) {
      if (inside) return 0;
      inside = 1;
      int before = errno, found = 0;
      char link[64], full[4200];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t n = readlink(link, full, sizeof full - 1);
      if (n > 0) { full[n] = 0; found = full[0] == '/' ? fault(full, 1) : 0; }
      errno = before;
      inside = 0;
      return found;
    }
    #define REAL(name, type, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, #name)
    #define FAIL(found) do { int e = found; if (e) { errno = e; return -1; } } while (0)
    #define STAT(name, type) int name(const char *p, type *s) { REAL(name, int, const char *, type *); \
      FAIL(failing(AT_FDCWD, p, 0)); return real(p, s); }
    STAT(stat, struct stat) STAT(lstat, struct stat) STAT(stat64, struct stat64) STAT(lstat64, struct stat64)
    #define STATAT(name, type) int name(int d, const char *p, type *s, int f) { \
      REAL(name, int, int, const char *, type *, int); FAIL(failing(d, p, 0)); return real(d, p, s, f); }
    STATAT(fstatat, struct stat) STATAT(fstatat64, struct stat64)
    #define OPEN(name) int name(const char *p, int f, ...) { REAL(name, int, const char *, int, ...); \
      va_list a; va_start(a, f); int m = va_arg(a, int); va_end(a); \
      FAIL(failing_open(AT_FDCWD, p, f)); return real(p, f, m); }
    OPEN(open) OPEN(open64)
    #define OPENAT(name) int name(int d, const char *p, int f, ...) { REAL(name, int, int, const char *, int, ...); \
      va_list a; va_start(a, f); int m = va_arg(a, int); va_end(a); \
      FAIL(failing_open(d, p, f)); return real(d, p, f, m); }
    OPENAT(openat) OPENAT(openat64)
    int access(const char *p, int m) { REAL(access, int, const char *, int); FAIL(failing(AT_FDCWD, p, m & W_OK)); return real(p, m); }
    int rename(const char *a, const char *b) { REAL(rename, int, const char *, const char *); \
      int e = failing(AT_FDCWD, b, 1); if (e && e != ENOSPC) FAIL(e); return real(a, b); }
    int renameat(int x, const char *a, int y, const char *b) { REAL(renameat, int, int, const char *, int, const char *); \
      int e = failing(y, b, 1); if (e && e != ENOSPC) FAIL(e); return real(x, a, y, b); }
    int unlink(const char *p) { REAL(unlink, int, const char *); \
      int e = failing(AT_FDCWD, p, 1); if (e && e != ENOSPC) FAIL(e); return real(p); }
    int unlinkat(int d, const char *p, int f) { REAL(unlinkat, int, int, const char *, int); \
      int e = failing(d, p, 1); if (e && e != ENOSPC) FAIL(e); return real(d, p, f); }
    int mkdir(const char *p, mode_t m) { REAL(mkdir, int, const char *, mode_t); FAIL(failing(AT_FDCWD, p, 1)); return real(p, m); }
    ssize_t write(int d, const void *p, size_t n) { REAL(write, ssize_t, int, const void *, size_t); FAIL(failing_write(d)); return real(d, p, n); }
    ssize_t pwrite(int d, const void *p, size_t n, off_t o) { REAL(pwrite, ssize_t, int, const void *, size_t, off_t); FAIL(failing_write(d)); return real(d, p, n, o); }
    __attribute__((constructor)) static void mark(void) {
      const char *m = getenv("SHIM_MARK");
      if (m) { int f = creat(m, 0666); if (f >= 0) close(f); }
    }
    """#
}
