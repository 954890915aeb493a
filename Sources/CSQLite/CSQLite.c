#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts of SQLite's interface used here (sqlite3.h).
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
  SQLITE_LIMIT_ATTACHED = 7,
  SQLITE_LIMIT_LIKE_PATTERN_LENGTH = 8,
  SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE = 1006,
  SQLITE_DBCONFIG_DEFENSIVE = 1010,
  SQLITE_DBCONFIG_ENABLE_VIEW = 1015,
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
  int (*bind_int64)(struct sqlite3_stmt *, int place, long long value);
  int (*step)(struct sqlite3_stmt *);
  int (*column_type)(struct sqlite3_stmt *, int column);
  long long (*column_int64)(struct sqlite3_stmt *, int column);
  double (*column_double)(struct sqlite3_stmt *, int column);
  const unsigned char *(*column_text)(struct sqlite3_stmt *, int column);
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
    // The reason for the first name, which is the usual one, is the most helpful.
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
      {"sqlite3_bind_int64", &sqlite.bind_int64},
      {"sqlite3_step", &sqlite.step},
      {"sqlite3_column_type", &sqlite.column_type},
      {"sqlite3_column_int64", &sqlite.column_int64},
      {"sqlite3_column_double", &sqlite.column_double},
      {"sqlite3_column_text", &sqlite.column_text},
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

struct SQLiteDatabase {
  struct sqlite3 *handle;
  int megasteps;
  int maximumMegasteps;
};

struct SQLiteQuery {
  struct SQLiteDatabase *database;
  struct sqlite3_stmt *statement;
};

static int count_steps(void *context) {
  struct SQLiteDatabase *database = context;
  database->megasteps += 1;
  return database->megasteps > database->maximumMegasteps;
}

static int run(struct SQLiteDatabase *database, const char *text) {
  struct sqlite3_stmt *statement = NULL;
  int code = sqlite.prepare_v2(database->handle, text, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  do code = sqlite.step(statement);
  while (code == SQLITE_ROW);
  sqlite.finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

// The file may be untrusted: these are the settings that SQLite recommends
// (sqlite.org/security.html, section 1.1).
static int protect(struct SQLiteDatabase *database, int flags, size_t maximumLength) {
  struct sqlite3 *handle = database->handle;
  sqlite.db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite.db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite.db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (!(flags & PHOTOSPOTS_SQLITE_VIEWS)) {
    sqlite.db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  }
  sqlite.limit(handle, SQLITE_LIMIT_LENGTH, (int)maximumLength);
  sqlite.limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite.limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50);
  sqlite.progress_handler(handle, 1000000, count_steps, database);
  int code = SQLITE_OK;
  // Set before the first access to the log, so that no shared memory is used.
  if (flags & PHOTOSPOTS_SQLITE_PRIVATE_LOG) code = run(database, "PRAGMA locking_mode=EXCLUSIVE");
  const char *const settings[] = {
      "PRAGMA mmap_size=0", "PRAGMA cell_size_check=ON", "PRAGMA temp_store=MEMORY"};
  for (size_t i = 0; code == SQLITE_OK && i < sizeof settings / sizeof *settings; i += 1) {
    code = run(database, settings[i]);
  }
  return code;
}

struct SQLiteDatabase *sqliteOpen(
    const char *uri, int flags, size_t maximumLength, int maximumMegasteps,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  const char *obstacle = sqliteLoad();
  struct SQLiteDatabase *database = obstacle ? NULL : calloc(1, sizeof *database);
  if (!database) {
    tell(message, obstacle ? obstacle : "memory is short");
    return NULL;
  }
  database->maximumMegasteps = maximumMegasteps;
  int code = sqlite.open_v2(
      uri, &database->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = protect(database, flags, maximumLength);
  if (code == SQLITE_OK) return database;
  tell(message, database->handle ? sqlite.errmsg(database->handle) : "memory is short");
  sqliteClose(database);
  return NULL;
}

void sqliteClose(struct SQLiteDatabase *database) {
  if (!database) return;
  if (database->handle) sqlite.close(database->handle);
  free(database);
}

struct SQLiteQuery *sqlitePrepare(
    struct SQLiteDatabase *database, const char *text,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  database->megasteps = 0;
  struct SQLiteQuery *query = calloc(1, sizeof *query);
  if (!query) {
    tell(message, "memory is short");
    return NULL;
  }
  query->database = database;
  if (sqlite.prepare_v2(database->handle, text, -1, &query->statement, NULL) == SQLITE_OK) {
    return query;
  }
  tell(message, sqlite.errmsg(database->handle));
  sqliteFree(query);
  return NULL;
}

void sqliteFree(struct SQLiteQuery *query) {
  if (!query) return;
  if (query->statement) sqlite.finalize(query->statement);
  free(query);
}

void sqliteRun(struct SQLiteQuery *query) {
  sqlite.reset(query->statement);
  query->database->megasteps = 0;
}

void sqliteBind(struct SQLiteQuery *query, int parameter, int64_t value) {
  sqlite.bind_int64(query->statement, parameter, value);
}

int sqliteNext(struct SQLiteQuery *query, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  switch (sqlite.step(query->statement)) {
    case SQLITE_ROW: return 1;
    case SQLITE_DONE: return 0;
    default: tell(message, sqlite.errmsg(query->database->handle)); return -1;
  }
}

int sqliteType(struct SQLiteQuery *query, int column) {
  return sqlite.column_type(query->statement, column);
}

int64_t sqliteInteger(struct SQLiteQuery *query, int column) {
  return sqlite.column_int64(query->statement, column);
}

double sqliteReal(struct SQLiteQuery *query, int column) {
  return sqlite.column_double(query->statement, column);
}

const uint8_t *sqliteBytes(struct SQLiteQuery *query, int column, size_t *length) {
  // Called in this order, the second gives the length of the bytes
  // (sqlite.org/c3ref/column_blob.html).
  int type = sqlite.column_type(query->statement, column);
  const uint8_t *bytes = NULL;
  if (type == PHOTOSPOTS_SQLITE_TEXT) bytes = sqlite.column_text(query->statement, column);
  if (type == PHOTOSPOTS_SQLITE_BLOB) bytes = sqlite.column_blob(query->statement, column);
  *length = bytes ? (size_t)sqlite.column_bytes(query->statement, column) : 0;
  return bytes;
}
