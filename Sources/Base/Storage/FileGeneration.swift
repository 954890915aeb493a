package import SystemPackage

/// The result of a look at a file: that it does not exist, its state, or the error that prevented
/// the look.
package enum FileGeneration: Hashable, Sendable {
  /// The file does not exist.
  case absent
  /// A text that differs after a change of the file.
  case present(String)
  /// The file system cannot tell, as on a share that is stale or in a folder that may not be
  /// searched.
  case unknown(Errno)

  /// A text that differs between all results; empty only if the file does not
  /// exist.
  package var text: String {
    switch self {
    case .absent: ""
    case .present(let state): state
    case .unknown(let error): "unknown \(error.rawValue)"
    }
  }
}
