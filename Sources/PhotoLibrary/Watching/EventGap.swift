public import SystemPackage

/// Why the system's events do not tell of every change in a folder tree, so that it has to be
/// looked through from time to time.
public enum EventGap: Error, Hashable, CustomStringConvertible {
  /// The system gives this user no more watches.
  case watchesExhausted
  /// The system gives this user no more instances of its event queue.
  case instancesExhausted
  /// The tree, or a part of it, lies on a file system that others can write to elsewhere; its type.
  case shared(String)
  /// The system has no such events.
  case unsupported
  /// The system refuses its events.
  case failed(Errno)

  /// The reason, and what to do where something can be done.
  public var description: String {
    switch self {
    case .watchesExhausted:
      """
      there are no more watches for folders; give more with 'sysctl fs.inotify.max_user_watches=1048576' and \
      start again
      """
    case .instancesExhausted:
      """
      too many programs watch folders; allow more with 'sysctl fs.inotify.max_user_instances=1024' and start \
      again
      """
    case .shared(let type):
      "changes that others make on a file system of type \(type) are not told of"
    case .unsupported: "this system does not tell of changes in folders"
    case .failed(let error): "the system does not tell of changes in folders: \(error)"
    }
  }
}
