import CHEIF

/// The file formats that are searched for a position, identified by file name extension.
public enum PhotoFormats {
  /// The extensions of photo files.
  @usableFromInline
  static let extensions = pictures.union(raws).union(movies).union(companions)

  /// Pictures: JPEG and its variants (multi-picture, spherical); HEIF; JPEG XL and JPEG 2000; TIFF;
  /// other formats, including Photoshop's.
  private static let pictures = packed([
    "jpg", "jpeg", "jpe", "jfif", "jif", "insp", "mpo",
    "heic", "heif", "hif", "avif",
    "jxl", "jp2", "j2k", "jpx",
    "tif", "tiff",
    "png", "webp", "gif", "psd", "psb",
  ])
  /// RAW files, with TIFF structures or proprietary formats.
  private static let raws = packed([
    "dng", "nef", "nrw", "cr2", "cr3", "crw", "arw", "srf", "sr2", "srw", "pef", "gpr",
    "3fr", "fff", "iiq", "orf", "ori", "rw2", "rwl", "raf", "mrw", "x3f", "kdc", "dcr", "erf",
    "mef", "mos",
  ])
  /// Movies; Google Photos gives the extension `mp` to the movie of a motion photo.
  private static let movies = packed([
    "mov", "qt", "mp4", "m4v", "3gp", "3g2", "insv", "mp",
  ])
  /// Companion files: thumbnails and preview movies that cameras put beside a movie, and metadata
  /// that Exiv2 puts beside a photo.
  private static let companions = packed(["thm", "lrv", "exv"])

  /// Returns each extension as an integer: its bytes, at most eight, the last in the low bits.
  private static func packed(_ extensions: [String]) -> Set<UInt64> {
    Set(extensions.map { name in name.utf8.reduce(0) { $0 << 8 | UInt64($1) } })
  }

  /// The kind of photo file indicated by a name.
  public enum Kind: Sendable {
    /// A picture that many programs can show; also a name without an extension.
    case picture
    /// Raw sensor data, which must be developed into a picture.
    case raw
    /// A movie.
    case movie
    /// A file that only accompanies another one: a thumbnail, a preview of a movie, metadata.
    case companion
  }

  /// Returns the kind of photo file indicated by a name, given as bytes.
  public static func kind(ofName name: ArraySlice<UInt8>) -> Kind {
    var packed: UInt64 = 0
    var shift: UInt64 = 0
    var place = name.endIndex
    while place > name.startIndex, shift < 64 {
      place -= 1
      let byte = name[place]
      if byte == UInt8(ascii: ".") { return kinds[packed] ?? .picture }
      let lowercased = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      packed |= UInt64(lowercased) << shift
      shift += 8
    }
    return .picture
  }

  private static let kinds: [UInt64: Kind] = {
    var kinds: [UInt64: Kind] = [:]
    for name in raws { kinds[name] = .raw }
    for name in movies { kinds[name] = .movie }
    for name in companions { kinds[name] = .companion }
    return kinds
  }()

  /// Whether this machine can decode HEIC and AVIF pictures: whether libheif is installed.
  package static let decodesHEIF = heifIsInstalled()

  /// The extensions of files of which no picture for browsers can be made: other formats than those
  /// that browsers show, libjpeg and, where it is installed, libheif decode, and RAW files, which
  /// contain a JPEG file.
  private static let notShown: Set<UInt64> = {
    let names = packed(["jxl", "jp2", "j2k", "jpx", "tif", "tiff", "psd", "psb"])
      .union(movies).union(companions)
    return decodesHEIF ? names : names.union(packed(["heic", "heif", "hif"]))
  }()

  /// Returns whether browsers show files with a name, given as bytes, as they are, or a picture can
  /// be made of them; also for a name without an extension.
  public static func isShown(ofName name: ArraySlice<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.endIndex - dot <= 9 else {
      return true
    }
    let packed = name[(dot + 1)...].reduce(UInt64(0)) { packed, byte in
      packed << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    return !notShown.contains(packed)
  }

  /// The type of content that a file's name claims.
  public enum Claim: Sendable {
    /// A photo.
    case photo
    /// No claim, because there is no extension.
    case nothing
    /// Something else.
    case other
  }

  /// Returns the type of content that a file name, given as bytes, claims.
  ///
  /// Inlinable because it is called for every name in a folder tree; a call would cost an eighth of
  /// a rescan.
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
