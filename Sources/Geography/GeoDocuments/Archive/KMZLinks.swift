import Encodings

/// Resolves the relative links of a document in a KMZ archive to the files of the archive (OGC
/// 12-007r2, annex C).
struct KMZLinks {
  /// Whether the document is one of several lists, whose names are collections.
  let isList: Bool
  /// The components of the folder that holds the document.
  private let folder: [Substring]
  private let files: [String: ZipReader.Entry]

  /// Creates the links of a document.
  ///
  /// - Parameters:
  ///   - document: The name of the document in the archive.
  ///   - files: The files of the archive, by ``key(_:)``.
  ///   - isList: Whether the document is one of several lists.
  init(of document: ZipReader.Entry, among files: [String: ZipReader.Entry], isList: Bool) {
    folder = document.name.split(separator: "/").dropLast()
    (self.files, self.isList) = (files, isList)
  }

  /// Returns a name for comparison. Programs on systems without case write addresses in another
  /// case.
  static func key(_ name: String) -> String { name.lowercased() }

  /// Returns the file that an address in the document refers to, relative to it (RFC 3986, section
  /// 5.2); `nil` where it leads out of the archive, or to a file that is not in it.
  func entry(_ address: String) -> ZipReader.Entry? {
    let line = PlaceText.line(address, limit: 4096).replacing("\\", with: "/")
    let path = line.prefix { $0 != "#" && $0 != "?" }
    let scheme = path.prefix { $0 != ":" && $0 != "/" }
    guard !path.isEmpty, scheme.endIndex == path.endIndex || path[scheme.endIndex] != ":",
      !path.hasPrefix("//")
    else { return nil }
    var components = path.hasPrefix("/") ? [] : folder
    let written = String(decoding: PercentEncoding.plainBytes(path), as: UTF8.self)
    for component in written.split(separator: "/") where component != "." {
      if component != ".." {
        components.append(component)
      } else if components.popLast() == nil {
        return nil
      }
    }
    return files[Self.key(components.joined(separator: "/"))]
  }
}
