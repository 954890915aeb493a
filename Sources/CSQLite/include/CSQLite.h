// Tiles from a database of SQLite, which is opened when the first one is asked for.
//
// Only who has such a map needs the library. The functions and numbers used here are declared in
// CSQLite.c; SQLite promises not to change them (sqlite.org/c3ref/intro.html).
#ifndef PHOTOSPOTS_CSQLITE_H
#define PHOTOSPOTS_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

/// Room enough for any reason that is given, with its final zero; a longer one is cut off.
#define PHOTOSPOTS_SQLITE_MESSAGE_SIZE 256

/// Opens SQLite's library, once.
///
/// Returns NULL when it is open, else why it cannot be. Any thread may call it.
const char *sqliteLoad(void);

/// A database with tiles that is open for reading.
struct SQLiteTiles;

/// Opens a database that nobody writes to, by its URI (sqlite.org/uri.html).
///
/// Returns NULL, with a reason, where it has no tiles. One thread at a time may use it.
struct SQLiteTiles *sqliteTilesOpen(
    const char *uri, size_t maximumLength, char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Looks a tile up by its zoom, column and row (MBTiles 1.3, section "Tiles").
///
/// Returns 1 and the tile's bytes, which belong to the database and are there until the next call;
/// 0 where there is no such tile; or -1, with a reason.
int sqliteTilesRead(
    struct SQLiteTiles *tiles, int zoom, int column, int row, const uint8_t **bytes, size_t *length,
    char message[PHOTOSPOTS_SQLITE_MESSAGE_SIZE]);

/// Closes a database.
void sqliteTilesFree(struct SQLiteTiles *tiles);

#endif
