#define _GNU_SOURCE
#include "CLoading.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(char *reason, size_t size, const char *text) {
  snprintf(reason, size, "%s", text ? text : "it cannot be opened");
}

#if defined(__linux__) && defined(__GLIBC__)
#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

// Finds the folder of this program; false if it is not known.
static bool findOwnFolder(struct stat *folder) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
  } else {
    // Without /proc: the path that was executed (getauxval(3)).
    const char *executed = (const char *)getauxval(AT_EXECFN);
    if (!executed || !realpath(executed, path)) return false;
  }
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  slash[slash == path ? 1 : 0] = 0;
  return stat(path, folder) == 0;
}

static bool isSame(const struct stat *left, const struct stat *right) {
  return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

// Uses the file of a library; NULL if it cannot be used, with the reason.
typedef void *(*Use)(const char *path, char *reason, size_t size);

static void *openFile(const char *path, char *reason, size_t size) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) tell(reason, size, dlerror());
  return library;
}

static void *noteFile(const char *path, char *reason, size_t size) {
  // Any value but NULL.
  return (void *)path;
}

// Uses the file of a library in a folder; NULL if there is none, or it cannot be used.
static void *useIn(
    const char *folder, const char *name, const struct stat *own, Use use, char *reason,
    size_t size) {
  struct stat status;
  // A relative folder depends on where the program was started.
  if (folder[0] != '/' || stat(folder, &status) != 0) return NULL;
  if (own && isSame(&status, own)) return NULL;
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) return NULL;
  return use(path, reason, size);
}

// Uses the file of a library in the first folder where that succeeds.
static void *useSystemLibrary(const char *name, Use use, char *reason, size_t reasonSize) {
  struct stat folder;
  const struct stat *own = findOwnFolder(&folder) ? &folder : NULL;
  void *library = NULL;
  // The folders that the dynamic linker searches for this program (dlinfo(3)).
  void *program = dlopen(NULL, RTLD_LAZY);
  Dl_serinfo size;
  if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
    Dl_serinfo *folders = malloc(size.dls_size);
    if (folders && dlinfo(program, RTLD_DI_SERINFOSIZE, folders) == 0 &&
        dlinfo(program, RTLD_DI_SERINFO, folders) == 0) {
      for (unsigned i = 0; !library && i < folders->dls_cnt; i += 1) {
        library =
            useIn(folders->dls_serpath[i].dls_name, name, own, use, reason, reasonSize);
      }
    }
    free(folders);
  }
  if (program) dlclose(program);
  // Folders that only the linker's cache lists, on most systems.
  static const char *const others[] = {"/usr/local/lib", "/usr/local/lib64"};
  for (size_t i = 0; !library && i < sizeof others / sizeof *others; i += 1) {
    library = useIn(others[i], name, own, use, reason, reasonSize);
  }
  return library;
}

void *loadSystemLibrary(const char *name, char *reason, size_t reasonSize) {
  char missing[256];
  snprintf(missing, sizeof missing, "%s is in no folder of the system's libraries", name);
  tell(reason, reasonSize, missing);
  return useSystemLibrary(name, openFile, reason, reasonSize);
}

bool findSystemLibrary(const char *name) {
  char reason[256];
  return useSystemLibrary(name, noteFile, reason, sizeof reason) != NULL;
}
#else
void *loadSystemLibrary(const char *name, char *reason, size_t reasonSize) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) tell(reason, reasonSize, dlerror());
  return library;
}

bool findSystemLibrary(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != NULL;
}
#endif

bool loadSystemFunctions(
    const char *const *names, size_t nameCount, const struct LibraryFunction *functions,
    size_t functionCount, char *reason, size_t reasonSize) {
  void *library = NULL;
  for (size_t i = 0; !library && i < nameCount; i += 1) {
    char other[256];
    bool isFirst = i == 0;
    library = loadSystemLibrary(
        names[i], isFirst ? reason : other, isFirst ? reasonSize : sizeof other);
  }
  if (!library) return false;
  for (size_t i = 0; i < functionCount; i += 1) {
    void *function = dlsym(library, functions[i].name);
    if (!function) {
      tell(reason, reasonSize, dlerror());
      return false;
    }
    memcpy(functions[i].pointer, &function, sizeof function);
  }
  return true;
}
