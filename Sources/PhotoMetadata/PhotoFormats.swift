/// Which files are looked into for a position.
public enum PhotoFormats {
  /// The extensions of photo files: JPEG and its variants (multi-picture, thumbnail); ISO base media (HEIF,
  /// Canon's newer RAW, movies), JPEG XL and JPEG 2000; TIFF and RAW files; other pictures.
  @usableFromInline
  static let extensions: Set<UInt64> = Set(
    ([
      "jpg", "jpeg", "jpe", "jfif", "jif", "insp", "mpo", "thm",
      "heic", "heif", "hif", "avif", "cr3",
      "mov", "qt", "mp4", "m4v", "3gp", "3g2", "insv", "lrv",
      "jxl", "jp2", "j2k", "jpx",
      "tif", "tiff", "dng", "nef", "nrw", "cr2", "crw", "arw", "srf", "sr2", "srw", "pef", "gpr",
      "3fr", "fff", "iiq", "orf", "ori", "rw2", "rwl", "raf", "mrw", "x3f", "kdc", "dcr", "erf",
      "mef", "mos",
      "png", "webp", "gif", "psd", "psb", "exv",
    ] as [String]).map { name in
      name.utf8.reduce(0) { $0 << 8 | UInt64($1) }
    })

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
  ///
  /// Inlined, since it is asked of every name in a folder tree: an eighth of a rescan otherwise.
  @inlinable
  public static func claim(ofName name: some BidirectionalCollection<UInt8>) -> Claim {
    var packed: UInt64 = 0
    var shift: UInt64 = 0
    for byte in name.reversed() {
      if byte == UInt8(ascii: ".") { return extensions.contains(packed) ? .photo : .other }
      guard shift < 64 else { break }
      let lowercased = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      packed |= UInt64(lowercased) << shift
      shift += 8
    }
    return name.contains(UInt8(ascii: ".")) ? .other : .nothing
  }
}
