#define _GNU_SOURCE
#include "CMapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A mapping as the signal handler sees it. A free slot has the start 0; the start is written last
// and cleared first.
struct mapping {
  _Atomic uintptr_t start;
  _Atomic size_t length;
  _Atomic int isCut;
};

// The number of slots: for an index in use, its replacement, and the indexes that tests open.
static struct mapping mappings[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;
static uintptr_t pageSize;
static int isInstalled;

// Replaces a page that the file has lost with a page of zeros. Here mmap is only a system call, and
// therefore allowed in a signal handler.
static void handle(int signal, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  uintptr_t address = (uintptr_t)info->si_addr;
  for (size_t place = 0; place < sizeof mappings / sizeof *mappings; place++) {
    uintptr_t start = atomic_load(&mappings[place].start);
    if (start == 0 || address < start || address - start >= atomic_load(&mappings[place].length)) {
      continue;
    }
    void *page = (void *)(address / pageSize * pageSize);
    if (mmap(page, pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page) {
      atomic_store(&mappings[place].isCut, 1);
      errno = error;
      return;
    }
  }
  // Not one of the mappings: retrying the instruction has the default effect of the signal.
  sigaction(signal, &before, NULL);
  errno = error;
}

static int install(void) {
  if (isInstalled) { return 0; }
  pageSize = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  int result = sigaction(SIGBUS, &action, &before);
  isInstalled = result == 0;
  return result;
}

const void *mappingCreate(int file, size_t length) {
  if (length == 0) {
    errno = EINVAL;
    return NULL;
  }
  pthread_mutex_lock(&lock);
  struct mapping *free = NULL;
  for (size_t place = 0; place < sizeof mappings / sizeof *mappings && !free; place++) {
    if (atomic_load(&mappings[place].start) == 0) { free = &mappings[place]; }
  }
  void *start = MAP_FAILED;
  if (!free) {
    errno = ENOMEM;
  } else if (install() == 0) {
    start = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
  }
  if (start != MAP_FAILED) {
    atomic_store(&free->isCut, 0);
    atomic_store(&free->length, length);
    atomic_store(&free->start, (uintptr_t)start);
  }
  pthread_mutex_unlock(&lock);
  return start == MAP_FAILED ? NULL : start;
}

static struct mapping *mappingOf(const void *start) {
  for (size_t place = 0; place < sizeof mappings / sizeof *mappings; place++) {
    if (atomic_load(&mappings[place].start) == (uintptr_t)start) { return &mappings[place]; }
  }
  return NULL;
}

void mappingRemove(const void *start, size_t length) {
  pthread_mutex_lock(&lock);
  struct mapping *mapping = mappingOf(start);
  if (mapping) { atomic_store(&mapping->start, 0); }
  munmap((void *)start, length);
  pthread_mutex_unlock(&lock);
}

int mappingIsCut(const void *start) {
  struct mapping *mapping = mappingOf(start);
  return mapping && atomic_load(&mapping->isCut);
}
