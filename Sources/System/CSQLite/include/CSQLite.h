// Read-only access to SQLite databases.
//
// SQLite is configured here by functions with variable arguments, which Swift does not import.
#ifndef PHOTOSPOTS_CSQLITE_H
#define PHOTOSPOTS_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

/// The size of a buffer for an error message, including the terminating zero. A longer message is
/// truncated.
#define PHOTOSPOTS_SQLITE_MESSAGE_SIZE 256

/// Allows queries to read views. Otherwise only tables can be read.
#define PHOTOSPOTS_SQLITE_VIEWS 1

/// Reads a write-ahead log with a private index in memory instead of the index shared with other
/// processes (sqlite.org/wal.html, section 6).
#define PHOTOSPOTS_SQLITE_PRIVATE_LOG 2

/// The type of a value (sqlite.org/c3ref/c_blob.html).
enum {
  PHOTOSPOTS_SQLITE_INTEGER = 1,
  PHOTOSPOTS_SQLITE_REAL = 2,
  PHOTOSPOTS_SQLITE_TEXT = 3,
  PHOTOSPOTS_SQLITE_BLOB = 4,
  PHOTOSPOTS_SQLITE_NULL = 5,
};

/// A database opened for reading.
struct SQLiteDatabase;

/// A prepared query.
struct SQLiteQuery;

/// Opens a database by its URI (sqlite.org/uri.html).
///
/// A value or row of more than `maximumLength` bytes is an error, and so is a run of a query that
/// takes more than `maximumMegasteps` million steps of SQLite's virtual machine. Returns NULL with
/// an error message on failure. The database and its queries are not thread-safe.
struct SQLiteDatabase *sqliteOpen(
    const char *uri, int flags, size_t maximumLength, int maximumMegasteps,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Closes a database. Its queries must have been freed.
void sqliteClose(struct SQLiteDatabase *database);

/// Prepares a query. Returns NULL with an error message on failure.
struct SQLiteQuery *sqlitePrepare(
    struct SQLiteDatabase *database, const char *text, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Frees a query.
void sqliteFree(struct SQLiteQuery *query);

/// Ends the previous run of a query and begins a new one.
void sqliteRun(struct SQLiteQuery *query);

/// Sets the value of a parameter for the following runs. Parameters are counted from 1.
void sqliteBind(struct SQLiteQuery *query, int parameter, int64_t value);

/// Advances to the next row. Returns 1 if there is one, 0 at the end, or -1 with an error message.
int sqliteNext(struct SQLiteQuery *query, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Returns the type of a value of the row. Columns are counted from 0.
int sqliteType(struct SQLiteQuery *query, int column);

/// Returns a value of the row as an integer, converted if necessary.
int64_t sqliteInteger(struct SQLiteQuery *query, int column);

/// Returns a value of the row as a floating-point number, converted if necessary.
double sqliteReal(struct SQLiteQuery *query, int column);

/// Returns the bytes of a text (UTF-8) or blob of the row, which are valid until the next row; NULL
/// if there are none.
const uint8_t *sqliteBytes(struct SQLiteQuery *query, int column, size_t *length);

#endif
