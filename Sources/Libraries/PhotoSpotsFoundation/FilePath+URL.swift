public import Foundation
public import SystemPackage

extension URL {
  /// Creates the file URL of a path; `nil` if the path is not UTF-8, which a URL cannot hold.
  ///
  /// A relative path is resolved against the current folder. The disk is not accessed, so the URL
  /// of a folder ends in no slash.
  public init?(_ path: FilePath) {
    guard let path = String(validating: path) else { return nil }
    self.init(filePath: path, directoryHint: .notDirectory)
  }
}

extension FilePath {
  /// Creates the path of a file URL; `nil` for a URL of another scheme.
  public init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    let path = url.withUnsafeFileSystemRepresentation { bytes in
      bytes.map { FilePath(platformString: $0) }
    }
    guard let path else { return nil }
    self = path
  }
}
