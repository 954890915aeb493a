package import Encodings

/// Links to files (RFC 8089), such as those of photos.
package enum FileLink {
  private static let scheme = "file://"

  /// Returns the address of a file by its absolute path as bytes: `file:///home/me/a%20photo.jpg`.
  ///
  /// All bytes except unreserved characters (RFC 3986, section 2.3) and slashes are
  /// percent-encoded.
  package static func text(_ path: some Sequence<UInt8>) -> String {
    scheme + PercentEncoding.text(path, keeping: "-._~/")
  }

  /// Returns the path in the address of a file on this machine; `nil` for other addresses.
  static func path(_ address: String) -> [UInt8]? {
    address.hasPrefix(scheme + "/")
      ? PercentEncoding.plainBytes(address.dropFirst(scheme.utf8.count)) : nil
  }
}

extension NameText {
  /// Returns a path as one line. Control characters, most of which XML does not allow, are written
  /// as `NameText` too.
  package static func line(_ path: some Collection<UInt8>) -> String {
    text(of: path) { $0 < 0x20 || $0 == 0x7F }
  }
}
