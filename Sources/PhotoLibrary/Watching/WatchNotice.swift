public import SystemPackage

/// What is worth a line while folders are watched; each is told once when it comes to be.
public enum WatchNotice: Hashable, Sendable, CustomStringConvertible {
  /// A tree is looked through from time to time, since the system's events do not tell everything.
  case sweeping(FilePath, every: Duration, because: EventGap)
  /// Events were lost, and everything was looked through instead.
  case eventsLost
  /// A tree is missing, empty or unreadable; its photos stay.
  case away(FilePath)
  /// A tree is there again.
  case back(FilePath)

  /// The notice as a line.
  public var description: String {
    switch self {
    case .sweeping(let folder, let interval, let reason):
      "\(folder) is looked through every \(Self.text(interval)), since \(reason)"
    case .eventsLost:
      "more happened at once than the system could tell; everything was looked through"
    case .away(let folder):
      """
      \(folder) is missing, empty or unreadable; its photos stay in the index, marked stale, until it is \
      there again
      """
    case .back(let folder): "\(folder) is there again"
    }
  }

  /// A span of time in the largest unit that divides it.
  private static func text(_ span: Duration) -> String {
    let seconds = span.components.seconds
    if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60) min" }
    return "\(seconds) s"
  }
}
