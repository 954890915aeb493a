/* The least that indexing a folder of photos can cost: the system calls, and nothing done with the bytes.
 *
 *   floor read THREADS FOLDER   list the folders; open, fstat, pread 16 KiB of, and close every file
 *   floor stat THREADS FOLDER   list the folders; fstatat every file, as a rescan must
 *
 * Prints the files, the seconds and the peak resident memory in KiB. The threads take folders one at a
 * time from a shared stack, and files some dozens at a time from a shared list, so that all are busy to
 * the end.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { head_bytes = 16 * 1024, batch = 64, most_threads = 256 };

struct strings {
  char **items;
  size_t count, room;
};

static struct strings folders, files;
static size_t waiting; /* threads that found no folder to list */
static int thread_count, only_stat;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_size_t next_file, done, bytes_read;

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void push(struct strings *list, char *item) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 256;
    list->items = realloc(list->items, list->room * sizeof *list->items);
    if (!list->items) fail("memory");
  }
  list->items[list->count++] = item;
}

static char *join(const char *folder, const char *name) {
  char *path;
  if (asprintf(&path, "%s/%s", folder, name) < 0) fail("memory");
  return path;
}

/* Lists one folder; in `stat` mode its files are looked at on the way, as they are needed. */
static void list(const char *path) {
  DIR *stream = opendir(path);
  if (!stream) fail(path);
  struct strings found_files = {0}, found_folders = {0};
  for (struct dirent *entry; (entry = readdir(stream));) {
    if (entry->d_name[0] == '.') continue;
    if (entry->d_type == DT_DIR) push(&found_folders, join(path, entry->d_name));
    if (entry->d_type != DT_REG) continue;
    if (only_stat) {
      struct stat status;
      if (fstatat(dirfd(stream), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
    } else {
      push(&found_files, join(path, entry->d_name));
    }
  }
  closedir(stream);
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < found_folders.count; i++) push(&folders, found_folders.items[i]);
  for (size_t i = 0; i < found_files.count; i++) push(&files, found_files.items[i]);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  free(found_files.items);
  free(found_folders.items);
}

static void *walk(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    if (folders.count > 0) {
      char *path = folders.items[--folders.count];
      pthread_mutex_unlock(&lock);
      list(path);
      free(path);
      pthread_mutex_lock(&lock);
    } else if (++waiting == (size_t)thread_count) {
      pthread_cond_broadcast(&changed);
      break;
    } else {
      pthread_cond_wait(&changed, &lock);
      if (waiting == (size_t)thread_count) break;
      waiting--;
    }
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *read_heads(void *unused) {
  (void)unused;
  char head[head_bytes];
  for (;;) {
    size_t first = atomic_fetch_add_explicit(&next_file, batch, memory_order_relaxed);
    if (first >= files.count) return NULL;
    size_t end = first + batch < files.count ? first + batch : files.count;
    for (size_t i = first; i < end; i++) {
      int file = open(files.items[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
      if (file < 0) continue;
      struct stat status;
      if (fstat(file, &status) == 0) {
        ssize_t got = pread(file, head, sizeof head, 0);
        if (got > 0) atomic_fetch_add_explicit(&bytes_read, (size_t)got, memory_order_relaxed);
        atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
      }
      close(file);
    }
  }
}

static void run(void *(*work)(void *)) {
  pthread_t threads[most_threads];
  for (int i = 1; i < thread_count; i++)
    if ((errno = pthread_create(&threads[i], NULL, work, NULL))) fail("thread");
  work(NULL);
  for (int i = 1; i < thread_count; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  thread_count = argc == 4 ? atoi(argv[2]) : 0;
  only_stat = argc == 4 && strcmp(argv[1], "stat") == 0;
  if (thread_count < 1 || thread_count > most_threads
      || (!only_stat && strcmp(argv[1], "read") != 0)) {
    fprintf(stderr, "usage: floor read|stat THREADS FOLDER\n");
    return 64;
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  push(&folders, strdup(argv[3]));
  run(walk);
  if (!only_stat) run(read_heads);
  clock_gettime(CLOCK_MONOTONIC, &end);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu %.4f %ld\n", (size_t)done,
      (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec),
      usage.ru_maxrss);
  return 0;
}
