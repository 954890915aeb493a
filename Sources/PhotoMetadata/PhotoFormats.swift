/// Which files are looked into for a position.
public enum PhotoFormats {
  /// The extensions of photo files, in lower case: JPEG and its variants (multi-picture, thumbnail).
  private static let extensions: Set<[UInt8]> = Set(
    ["jpg", "jpeg", "jpe", "jfif", "jif", "insp", "mpo", "thm"].map { Array($0.utf8) })

  /// What a file's name says of its content.
  public enum Claim: Sendable {
    /// It is a photo.
    case photo
    /// Nothing: there is no extension.
    case nothing
    /// It is something else.
    case other
  }

  /// Returns what a file name, as the system's bytes, says of the file's content.
  public static func claim(ofName name: some BidirectionalCollection<UInt8>) -> Claim {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return .nothing }
    let suffix = name[name.index(after: dot)...]
    guard suffix.count <= 8 else { return .other }
    let lowercased = suffix.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return extensions.contains(lowercased) ? .photo : .other
  }
}
