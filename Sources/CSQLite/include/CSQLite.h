// Read-only access to databases of SQLite, whose library is opened at run time.
//
// Only users with such files need the library. The functions and numbers used here are declared in
// CSQLite.c; SQLite promises not to change them (sqlite.org/c3ref/intro.html).
#ifndef PHOTOSPOTS_CSQLITE_H
#define PHOTOSPOTS_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

/// The size of a buffer for a reason, with its final zero; a longer reason is cut off.
#define PHOTOSPOTS_SQLITE_MESSAGE_SIZE 256

/// Lets queries read views; without it the database has tables only.
#define PHOTOSPOTS_SQLITE_VIEWS 1

/// Reads a write-ahead log with an index of its own in memory, instead of the one that is shared
/// with other processes (sqlite.org/wal.html, section 6).
#define PHOTOSPOTS_SQLITE_PRIVATE_LOG 2

/// The type of a value (sqlite.org/c3ref/c_blob.html).
enum {
  PHOTOSPOTS_SQLITE_INTEGER = 1,
  PHOTOSPOTS_SQLITE_REAL = 2,
  PHOTOSPOTS_SQLITE_TEXT = 3,
  PHOTOSPOTS_SQLITE_BLOB = 4,
  PHOTOSPOTS_SQLITE_NULL = 5,
};

/// Opens SQLite's library, once.
///
/// Returns NULL on success, else the reason of the failure. Any thread may call it.
const char *sqliteLoad(void);

/// A database that is open for reading.
struct SQLiteDatabase;

/// A query that is prepared on a database.
struct SQLiteQuery;

/// Opens a database by its URI (sqlite.org/uri.html).
///
/// A value, or a row, longer than `maximumLength` bytes is an error, and so is a run of a query
/// that takes more than `maximumMegasteps` million steps of SQLite's virtual machine. Returns NULL,
/// with a reason, on failure. One thread at a time may use the database and its queries.
struct SQLiteDatabase *sqliteOpen(
    const char *uri, int flags, size_t maximumLength, int maximumMegasteps,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Closes a database, whose queries were freed.
void sqliteClose(struct SQLiteDatabase *database);

/// Prepares a query. Returns NULL, with a reason, on failure.
struct SQLiteQuery *sqlitePrepare(
    struct SQLiteDatabase *database, const char *text, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Frees a query.
void sqliteFree(struct SQLiteQuery *query);

/// Begins a run of a query, and ends the one before.
void sqliteRun(struct SQLiteQuery *query);

/// Gives a parameter, counted from 1, its value in runs to come.
void sqliteBind(struct SQLiteQuery *query, int parameter, int64_t value);

/// Goes to the next row. Returns 1 where there is one, 0 at the end, or -1, with a reason.
int sqliteNext(struct SQLiteQuery *query, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// The type of a value of the row; columns count from 0.
int sqliteType(struct SQLiteQuery *query, int column);

/// A value of the row as an integer, converted where it is another.
int64_t sqliteInteger(struct SQLiteQuery *query, int column);

/// A value of the row as a number, converted where it is another.
double sqliteReal(struct SQLiteQuery *query, int column);

/// The bytes of a text (UTF-8) or a blob of the row, which stay valid until the next row; NULL
/// where there are none.
const uint8_t *sqliteBytes(struct SQLiteQuery *query, int column, size_t *length);

#endif
