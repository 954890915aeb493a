package import SystemPackage

/// A failure to read a database.
package enum SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(Errno)
  /// SQLite rejected the file or a query; the text is SQLite's error message.
  case refused(String)
  /// Another process is writing to the file.
  case isBeingWritten

  /// The reason.
  package var description: String {
    switch self {
    case .refused(let reason): reason
    case .unreadable(let error): error.description
    case .isBeingWritten:
      "another program is writing to it; close that program, or run the command again"
    }
  }
}
