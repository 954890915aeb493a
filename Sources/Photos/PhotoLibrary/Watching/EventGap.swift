public import SystemPackage

/// A reason why the system does not report all changes in a folder tree, so that the tree has to be
/// scanned periodically.
public enum EventGap: Error, Hashable, CustomStringConvertible {
  /// The user's limit of inotify watches is reached.
  case watchesExhausted
  /// The user's limit of inotify instances is reached.
  case instancesExhausted
  /// The tree, or a part of it, is on a file system that other machines can write to; the file
  /// system's type.
  case shared(String)
  /// The system does not support inotify.
  case unsupported
  /// The system reported another error.
  case failed(Errno)

  /// The reason, and what to do if anything can be done.
  public var description: String {
    switch self {
    case .watchesExhausted:
      """
      the system's limit of folder watches is reached; raise it with 'sysctl \
      fs.inotify.max_user_watches=1048576' and start again
      """
    case .instancesExhausted:
      """
      too many programs watch folders; raise the limit with 'sysctl \
      fs.inotify.max_user_instances=1024' and start again
      """
    case .shared(let type):
      "a file system of type \(type) does not report changes of other machines"
    case .unsupported: "this system does not report changes in folders"
    case .failed(let error): "the system cannot report changes in folders: \(error)"
    }
  }
}
