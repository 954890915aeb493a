package import SystemPackage

/// The result of a look at a file: there is none, its state, or the reason why it cannot be looked
/// at.
package enum FileGeneration: Hashable, Sendable {
  /// There is no file.
  case absent
  /// A text that differs after a change of the file.
  case present(String)
  /// The file system cannot tell, as on a share that is stale or in a folder that may not be
  /// searched.
  case unknown(Errno)

  /// A text that differs between all results; empty only if there is no file.
  package var text: String {
    switch self {
    case .absent: ""
    case .present(let state): state
    case .unknown(let error): "unknown \(error.rawValue)"
    }
  }
}
