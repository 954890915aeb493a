import CZlib

/// The forms in which deflated bytes are stored.
package enum CompressedForm: Sendable {
  /// Without a header and a checksum (RFC 1951), as in zip archives.
  case raw
  /// With a header of two bytes (RFC 1950), as in PNG files.
  case zlib
  /// With the header of a file (RFC 1952), as in HTTP.
  case gzip

  /// The parameter `windowBits` of zlib, with its largest window (zlib.h, deflateInit2).
  var windowBits: Int32 {
    switch self {
    case .raw: -MAX_WBITS
    case .zlib: MAX_WBITS
    case .gzip: MAX_WBITS + 16
    }
  }
}
