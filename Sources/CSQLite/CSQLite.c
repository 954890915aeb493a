#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of SQLite's interface (sqlite3.h).
struct sqlite3;
struct sqlite3_stmt;

enum {
  SQLITE_OK = 0,
  SQLITE_ROW = 100,
  SQLITE_DONE = 101,
  SQLITE_OPEN_READONLY = 0x1,
  SQLITE_OPEN_URI = 0x40,
  SQLITE_OPEN_NOMUTEX = 0x8000,
  SQLITE_LIMIT_LENGTH = 0,
  SQLITE_DBCONFIG_DEFENSIVE = 1010,
  SQLITE_DBCONFIG_TRUSTED_SCHEMA = 1017,
};

static struct {
  int (*open_v2)(const char *name, struct sqlite3 **, int flags, const char *vfs);
  int (*close)(struct sqlite3 *);
  const char *(*errmsg)(struct sqlite3 *);
  int (*limit)(struct sqlite3 *, int id, int value);
  int (*db_config)(struct sqlite3 *, int operation, ...);
  void (*progress_handler)(struct sqlite3 *, int steps, int (*stop)(void *), void *context);
  int (*prepare_v2)(
      struct sqlite3 *, const char *text, int length, struct sqlite3_stmt **, const char **rest);
  int (*bind_int)(struct sqlite3_stmt *, int place, int value);
  int (*step)(struct sqlite3_stmt *);
  const void *(*column_blob)(struct sqlite3_stmt *, int column);
  int (*column_bytes)(struct sqlite3_stmt *, int column);
  int (*reset)(struct sqlite3_stmt *);
  int (*finalize)(struct sqlite3_stmt *);
} sqlite;

// The names of the library on Linux and on macOS.
static const char *const library_names[] = {"libsqlite3.so.0", "libsqlite3.dylib"};

static char load_failure[PHOTOSPOTS_SQLITE_MESSAGE_SIZE];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void tell(char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE], const char *reason) {
  snprintf(message, PHOTOSPOTS_SQLITE_MESSAGE_SIZE, "%s", reason ? reason : "it is unknown why");
}

static void load(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof library_names / sizeof *library_names; i += 1) {
    library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
    // The reason for the usual name is the one that helps.
    if (!library && i == 0) tell(load_failure, dlerror());
  }
  if (!library) return;
  load_failure[0] = 0;
  const struct {
    const char *name;
    void *function;
  } functions[] = {
      {"sqlite3_open_v2", &sqlite.open_v2},
      {"sqlite3_close", &sqlite.close},
      {"sqlite3_errmsg", &sqlite.errmsg},
      {"sqlite3_limit", &sqlite.limit},
      {"sqlite3_db_config", &sqlite.db_config},
      {"sqlite3_progress_handler", &sqlite.progress_handler},
      {"sqlite3_prepare_v2", &sqlite.prepare_v2},
      {"sqlite3_bind_int", &sqlite.bind_int},
      {"sqlite3_step", &sqlite.step},
      {"sqlite3_column_blob", &sqlite.column_blob},
      {"sqlite3_column_bytes", &sqlite.column_bytes},
      {"sqlite3_reset", &sqlite.reset},
      {"sqlite3_finalize", &sqlite.finalize},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i += 1) {
    void *function = dlsym(library, functions[i].name);
    if (!function) return tell(load_failure, dlerror());
    memcpy(functions[i].function, &function, sizeof function);
  }
}

const char *sqliteLoad(void) {
  pthread_once(&load_once, load);
  return load_failure[0] ? load_failure : NULL;
}

struct SQLiteTiles {
  struct sqlite3 *database;
  struct sqlite3_stmt *statement;
  int steps;
};

// A look-up takes a few dozen steps of SQLite's machine, and ten for each tile of a million where
// nothing is sorted; a view that is made to go on forever is ended.
enum { steps_at_once = 1000000, maximum_times = 20 };

static int count_steps(void *context) {
  struct SQLiteTiles *tiles = context;
  tiles->steps += 1;
  return tiles->steps > maximum_times;
}

struct SQLiteTiles *sqliteTilesOpen(
    const char *uri, size_t maximumLength, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  const char *obstacle = sqliteLoad();
  struct SQLiteTiles *tiles = obstacle ? NULL : calloc(1, sizeof *tiles);
  if (!tiles) {
    tell(message, obstacle ? obstacle : "memory is short");
    return NULL;
  }
  int code = sqlite.open_v2(
      uri, &tiles->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) {
    // The file may be anybody's.
    sqlite.db_config(tiles->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite.db_config(tiles->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite.limit(tiles->database, SQLITE_LIMIT_LENGTH, (int)maximumLength);
    sqlite.progress_handler(tiles->database, steps_at_once, count_steps, tiles);
    code = sqlite.prepare_v2(
        tiles->database,
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3",
        -1, &tiles->statement, NULL);
  }
  if (code == SQLITE_OK) return tiles;
  tell(message, tiles->database ? sqlite.errmsg(tiles->database) : "memory is short");
  sqliteTilesFree(tiles);
  return NULL;
}

int sqliteTilesRead(
    struct SQLiteTiles *tiles, int zoom, int column, int row, const uint8_t **bytes, size_t *length,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  *bytes = NULL;
  *length = 0;
  tiles->steps = 0;
  sqlite.reset(tiles->statement);
  sqlite.bind_int(tiles->statement, 1, zoom);
  sqlite.bind_int(tiles->statement, 2, column);
  sqlite.bind_int(tiles->statement, 3, row);
  switch (sqlite.step(tiles->statement)) {
    case SQLITE_ROW:
      *bytes = sqlite.column_blob(tiles->statement, 0);
      *length = *bytes ? (size_t)sqlite.column_bytes(tiles->statement, 0) : 0;
      return 1;
    case SQLITE_DONE: return 0;
    default: tell(message, sqlite.errmsg(tiles->database)); return -1;
  }
}

void sqliteTilesFree(struct SQLiteTiles *tiles) {
  if (!tiles) return;
  if (tiles->statement) sqlite.finalize(tiles->statement);
  if (tiles->database) sqlite.close(tiles->database);
  free(tiles);
}
