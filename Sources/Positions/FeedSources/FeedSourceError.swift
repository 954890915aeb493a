public import LocationFeeds
public import SystemPackage

/// The reason why a source of feed bytes cannot be opened or read.
public enum FeedSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file at the path.
  case missing(FilePath)
  /// The path is a folder.
  case isDirectory(FilePath)
  /// The file cannot be opened.
  case unreadable(FilePath, Errno)
  /// A baud rate was given for a file that is not a serial device.
  case notSerial(FilePath)
  /// The baud rate is not one of ``FeedSource/baudRates``.
  case unknownBaudRate(Int)
  /// Datagrams cannot be received at an address.
  case cannotListen(HostAndPort, FeedOutage)
  /// A compressed file is damaged or cut off.
  case damagedCompression
  /// A compressed file is longer than 1 GiB when unpacked.
  case tooLongUnpacked
  /// Reading an open source failed.
  case readFailed(Errno)

  /// The failure, with a hint about what to do next.
  public var description: String {
    switch self {
    case .missing(let path):
      "\(path): no such file; check the path, or follow it to wait until it is created"
    case .isDirectory(let path):
      "\(path) is a folder; name a file in it"
    case .unreadable(let path, .permissionDenied):
      "\(path) cannot be read: permission denied; change its permissions or run as its owner"
    case .unreadable(let path, let cause):
      "\(path) cannot be opened: \(cause)"
    case .notSerial(let path):
      "\(path) is not a serial device; remove ?baud="
    case .unknownBaudRate(let rate):
      "\(rate) is not a baud rate of receivers; choose one of "
        + FeedSource.baudRates.map(String.init).joined(separator: ", ")
    case .cannotListen(let place, .unreachable(let cause)):
      "cannot listen at \(place) (\(cause)); choose an address of this machine and a free port"
    case .cannotListen(let place, let outage):
      "cannot listen at \(place): \(outage)"
    case .damagedCompression:
      "the compressed file is damaged or cut off; only what comes before is read"
    case .tooLongUnpacked:
      "the compressed file is longer than 1 GiB when unpacked; only what comes before is read"
    case .readFailed(.isDirectory):
      "the input is a folder; redirect it from the feed's file"
    case .readFailed(let cause):
      "the feed cannot be read further: \(cause); repair it, then start again"
    }
  }
}
