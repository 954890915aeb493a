package import PhotoLibrary

/// The reason why a remote library could not be read.
///
/// Descriptions contain no key, and of the server's data only the host of a redirect.
package enum RemoteError: Error, Hashable, CustomStringConvertible {
  /// There is no key for the library.
  case noKey(RemoteLibrary)
  /// The server cannot be reached; the value is the reason.
  case unreachable(RemoteLibrary, String)
  /// The server rejects the key.
  case refused(RemoteLibrary, status: Int)
  /// The key lacks a permission.
  case forbidden(RemoteLibrary, RemotePermission)
  /// The server answers with an error status.
  case failed(RemoteLibrary, status: Int)
  /// The server redirects requests; the value is the host that they are redirected to.
  case redirected(RemoteLibrary, host: String?)
  /// The answer is HTML.
  case webPage(RemoteLibrary)
  /// The answer is not in the form of the library's program; the value is the reason.
  case foreign(RemoteLibrary, String)
  /// The server sends pages endlessly.
  case endless(RemoteLibrary)
  /// The server has no such asset, or no picture of it.
  case missing(RemoteLibrary)
  /// The program was asked to stop.
  case interrupted

  /// The failure, with advice about it.
  package var description: String {
    switch self {
    case .noKey(let library):
      """
      there is no key for \(library). Make one in \(library.program.name) \
      \(Self.keyPlace(library)), and set it in the environment variable \(Self.variable(library)) \
      or in the settings file.
      """
    case .unreachable(let library, let reason):
      "\(library) cannot be reached: \(reason).\(Self.hint(library, reason))"
    case .refused(let library, let status):
      """
      \(library) refuses the key (status \(status)). Make a new one in \(library.program.name) \
      \(Self.keyPlace(library)), and set it in \(Self.variable(library)) or in the settings file.
      """
    case .forbidden(let library, let permission):
      """
      the key for \(library) lacks the permission \(permission.name(in: library.program)), \
      \(permission.use). Give it to the key in \(library.program.name) \(Self.keyPlace(library)).
      """
    case .failed(let library, let status):
      """
      \(library) answered with status \(status). Try again later, or check the log of \
      \(library.program.name).
      """
    case .redirected(let library, let host):
      """
      \(library) redirects\(host.map { ", to \($0)" } ?? ""); redirects are not followed, since \
      the key is for \(library.host) alone. Use the address of \(library.program.name) itself.
      """
    case .webPage(let library):
      """
      \(library) answered with a web page. Check that it is \(library.program.name), and that no \
      login page is in front of its API.
      """
    case .foreign(let library, let reason):
      "\(library) did not answer like \(library.program.name): \(reason)."
    case .endless(let library):
      "\(library) sends an endless list of pages; the index is unchanged."
    case .missing(let library): "\(library) has no picture of this photo."
    case .interrupted: "interrupted"
    }
  }

  /// Whether the error may be temporary.
  package var isPassing: Bool {
    switch self {
    case .unreachable, .failed: true
    default: false
    }
  }

  private static func keyPlace(_ library: RemoteLibrary) -> String {
    switch library.program {
    case .immich:
      "(Account Settings, API Keys; it needs asset.read, asset.view, asset.statistics, album.read)"
    case .photoprism: "(Settings, Account, Apps and Devices)"
    }
  }

  private static func variable(_ library: RemoteLibrary) -> String {
    switch library.program {
    case .immich: "PHOTOSPOTS_IMMICH_KEY"
    case .photoprism: "PHOTOSPOTS_PHOTOPRISM_KEY"
    }
  }

  private static func hint(_ library: RemoteLibrary, _ reason: String) -> String {
    if reason.contains("certificate") {
      return """
         If its certificate is from your own authority, add that authority to the system \
        (update-ca-certificates).
        """
    }
    guard reason.contains("secure connection"), !library.isPlain else { return "" }
    return """
       If \(library.program.name) has no TLS, write \(library.program.rawValue)+http://\(library.host).
      """
  }
}
