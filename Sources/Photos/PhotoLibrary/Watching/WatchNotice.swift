public import SystemPackage

/// A message for users about watched folders, given once when the condition arises.
public enum WatchNotice: Hashable, Sendable, CustomStringConvertible {
  /// A tree is scanned periodically, since the system does not report all changes.
  case sweeping(FilePath, every: Duration, because: EventGap)
  /// Events were lost, and everything was scanned instead.
  case eventsLost
  /// A tree is missing, empty or unreadable; its photos are kept.
  case away(FilePath)
  /// A tree is available again.
  case back(FilePath)

  /// The notice as a line of text.
  public var description: String {
    switch self {
    case .sweeping(let folder, let interval, let reason):
      "\(folder) is scanned every \(Self.text(interval)), since \(reason)"
    case .eventsLost:
      "the system lost some change events, so everything was scanned"
    case .away(let folder):
      """
      \(folder) is missing, empty or unreadable; its photos stay in the index, marked stale, until \
      it is back
      """
    case .back(let folder): "\(folder) is back"
    }
  }

  /// Returns a duration in the largest unit that divides it.
  private static func text(_ span: Duration) -> String {
    let seconds = span.components.seconds
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60) min" }
    return "\(seconds) s"
  }
}
