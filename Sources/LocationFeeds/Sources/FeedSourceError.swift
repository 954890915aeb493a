public import SystemPackage

/// Why a source of feed bytes cannot be opened or read.
public enum FeedSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file at the path.
  case missing(FilePath)
  /// The path is a folder.
  case isDirectory(FilePath)
  /// The file cannot be opened.
  case unreadable(FilePath, Errno)
  /// Reading an open source failed.
  case readFailed(Errno)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .missing(let path):
      "\(path): no such file; check the path, or follow it to wait until it is created"
    case .isDirectory(let path):
      "\(path) is a folder; name the feed's file in it"
    case .unreadable(let path, .permissionDenied):
      "\(path) must not be read by this user; change its permissions or run as its owner"
    case .unreadable(let path, let cause):
      "\(path) cannot be opened: \(cause)"
    case .readFailed(.isDirectory):
      "the input is a folder; redirect it from the feed's file"
    case .readFailed(let cause):
      "the feed cannot be read any further: \(cause); start again when that is mended"
    }
  }
}
