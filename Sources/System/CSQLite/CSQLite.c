#include "CSQLite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE], const char *reason) {
  snprintf(message, PHOTOSPOTS_SQLITE_MESSAGE_SIZE, "%s", reason ? reason : "it is unknown why");
}

struct SQLiteDatabase {
  sqlite3 *handle;
  int megasteps;
  int maximumMegasteps;
};

struct SQLiteQuery {
  struct SQLiteDatabase *database;
  sqlite3_stmt *statement;
};

static int count_steps(void *context) {
  struct SQLiteDatabase *database = context;
  database->megasteps += 1;
  return database->megasteps > database->maximumMegasteps;
}

static int run(struct SQLiteDatabase *database, const char *text) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(database->handle, text, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  do code = sqlite3_step(statement);
  while (code == SQLITE_ROW);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

// The file may be untrusted: these are the settings that SQLite recommends
// (sqlite.org/security.html, section 1.1).
static int protect(struct SQLiteDatabase *database, int flags, size_t maximumLength) {
  sqlite3 *handle = database->handle;
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (!(flags & PHOTOSPOTS_SQLITE_VIEWS)) {
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, (int)maximumLength);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50);
  sqlite3_progress_handler(handle, 1000000, count_steps, database);
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
  struct SQLiteDatabase *database = calloc(1, sizeof *database);
  if (!database) {
    tell(message, "memory is short");
    return NULL;
  }
  database->maximumMegasteps = maximumMegasteps;
  int code = sqlite3_open_v2(
      uri, &database->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = protect(database, flags, maximumLength);
  if (code == SQLITE_OK) return database;
  tell(message, database->handle ? sqlite3_errmsg(database->handle) : "memory is short");
  sqliteClose(database);
  return NULL;
}

void sqliteClose(struct SQLiteDatabase *database) {
  if (!database) return;
  if (database->handle) sqlite3_close(database->handle);
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
  if (sqlite3_prepare_v2(database->handle, text, -1, &query->statement, NULL) == SQLITE_OK) {
    return query;
  }
  tell(message, sqlite3_errmsg(database->handle));
  sqliteFree(query);
  return NULL;
}

void sqliteFree(struct SQLiteQuery *query) {
  if (!query) return;
  if (query->statement) sqlite3_finalize(query->statement);
  free(query);
}

void sqliteRun(struct SQLiteQuery *query) {
  sqlite3_reset(query->statement);
  query->database->megasteps = 0;
}

void sqliteBind(struct SQLiteQuery *query, int parameter, int64_t value) {
  sqlite3_bind_int64(query->statement, parameter, value);
}

int sqliteNext(struct SQLiteQuery *query, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]) {
  switch (sqlite3_step(query->statement)) {
    case SQLITE_ROW: return 1;
    case SQLITE_DONE: return 0;
    default: tell(message, sqlite3_errmsg(query->database->handle)); return -1;
  }
}

int sqliteType(struct SQLiteQuery *query, int column) {
  return sqlite3_column_type(query->statement, column);
}

int64_t sqliteInteger(struct SQLiteQuery *query, int column) {
  return sqlite3_column_int64(query->statement, column);
}

double sqliteReal(struct SQLiteQuery *query, int column) {
  return sqlite3_column_double(query->statement, column);
}

const uint8_t *sqliteBytes(struct SQLiteQuery *query, int column, size_t *length) {
  // Called in this order, the second gives the length of the bytes
  // (sqlite.org/c3ref/column_blob.html).
  int type = sqlite3_column_type(query->statement, column);
  const uint8_t *bytes = NULL;
  if (type == PHOTOSPOTS_SQLITE_TEXT) bytes = sqlite3_column_text(query->statement, column);
  if (type == PHOTOSPOTS_SQLITE_BLOB) bytes = sqlite3_column_blob(query->statement, column);
  *length = bytes ? (size_t)sqlite3_column_bytes(query->statement, column) : 0;
  return bytes;
}
