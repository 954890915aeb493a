internal import CLibExif
internal import CLibExifShims
import Spatial

/// A decoder of EXIF entries based on libexif, for one block after another.
///
/// It decodes only the small structure produced by ``TIFF/extract(from:of:)``, never the original
/// block. libexif's options that repair and rewrite entries are off, so values are those of the
/// file. Memory is allocated from an arena, which takes a third less time than individual
/// allocations.
@safe struct ExifDecoder: ~Copyable {
  private let arena: OpaquePointer?
  /// The decoded block, which is stored in the arena.
  private var data: UnsafeMutablePointer<ExifData>?
  private var order = EXIF_BYTE_ORDER_INTEL

  /// Creates a decoder without a block.
  init() {
    unsafe arena = photospots_exif_arena_new()
  }

  deinit {
    unsafe photospots_exif_arena_free(arena)
  }

  /// Decodes a block, replacing the previous one.
  ///
  /// - Parameter block: The entries, less than 64 KiB.
  /// - Returns: Whether libexif could allocate memory; if not, there are no entries.
  mutating func decode(_ block: ExifBlock) -> Bool {
    guard let arena = unsafe arena,
      let data = unsafe photospots_exif_arena_decode(
        arena, block.bytes, UInt32(block.bytes.count))
    else {
      unsafe self.data = nil
      return false
    }
    unsafe self.data = unsafe data
    order = unsafe exif_data_get_byte_order(data)
    return true
  }

  /// Returns the text of an entry, without trailing NULs and surrounding white space; `nil` if the
  /// entry is missing or empty.
  ///
  /// EXIF text is ASCII, but UTF-8 is common; bytes that are neither become U+FFFD.
  func text(_ tag: ExifTag) -> String? {
    unsafe withBytes(of: tag) { _, bytes -> String? in
      let text = unsafe bytes.prefix { $0 != 0 }
      guard let first = unsafe text.firstIndex(where: { !Self.isSpace($0) }),
        let last = unsafe text.lastIndex(where: { !Self.isSpace($0) })
      else { return nil }
      return unsafe String(decoding: text[first...last], as: UTF8.self)
    } ?? nil
  }

  /// Returns the title or caption of an entry, as ``PhotoText/ofPerson(_:)`` does.
  func textOfPerson(_ tag: ExifTag) -> String? {
    let text = unsafe withBytes(of: tag) { _, bytes -> String in
      let text = unsafe bytes.prefix { $0 != 0 }
      return unsafe PhotoText.text(of: text, mayBeCut: text.count >= TIFF.maximumLength(of: tag))
    }
    return PhotoText.ofPerson(text)
  }

  /// Returns the title or caption of an entry of Microsoft's, which is in UTF-16 of little-endian
  /// byte order, as ``PhotoText/ofPerson(_:)`` does.
  func wideTextOfPerson(_ tag: ExifTag) -> String? {
    let text = unsafe withBytes(of: tag) { _, bytes -> String in
      let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy
        .map { unsafe UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
      let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
      // The last character may be cut.
      return text.last == "\u{FFFD}" ? String(text.dropLast()) : text
    }
    return PhotoText.ofPerson(text)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Returns one of the numbers of an entry with any numeric type; `nil` if the index is out of
  /// range. A denominator of zero gives NaN for 0/0, otherwise an infinity.
  func number(_ tag: ExifTag, at index: Int = 0) -> Double? {
    unsafe withBytes(of: tag) { format, bytes in
      let width = Int(exif_format_get_size(format))
      guard width > 0, index < bytes.count / width, let start = bytes.baseAddress else {
        return nil
      }
      return unsafe number(start + index * width, format)
    } ?? nil
  }

  private func number(_ bytes: UnsafePointer<UInt8>, _ format: ExifFormat) -> Double? {
    switch format {
    case EXIF_FORMAT_RATIONAL:
      let rational = unsafe exif_get_rational(bytes, order)
      return Double(rational.numerator) / Double(rational.denominator)
    case EXIF_FORMAT_SRATIONAL:
      let rational = unsafe exif_get_srational(bytes, order)
      return Double(rational.numerator) / Double(rational.denominator)
    case EXIF_FORMAT_BYTE, EXIF_FORMAT_UNDEFINED: return Double(unsafe bytes[0])
    case EXIF_FORMAT_SBYTE: return Double(Int8(bitPattern: unsafe bytes[0]))
    case EXIF_FORMAT_SHORT: return Double(unsafe exif_get_short(bytes, order))
    case EXIF_FORMAT_SSHORT: return Double(unsafe exif_get_sshort(bytes, order))
    case EXIF_FORMAT_LONG: return Double(unsafe exif_get_long(bytes, order))
    case EXIF_FORMAT_SLONG: return Double(unsafe exif_get_slong(bytes, order))
    case EXIF_FORMAT_FLOAT: return Double(Float(bitPattern: unsafe exif_get_long(bytes, order)))
    case EXIF_FORMAT_DOUBLE:
      let (first, second) = unsafe (exif_get_long(bytes, order), exif_get_long(bytes + 4, order))
      let (high, low) = order == EXIF_BYTE_ORDER_MOTOROLA ? (first, second) : (second, first)
      return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
    default: return nil
    }
  }

  private func withBytes<Result>(
    of tag: ExifTag,
    _ body: (ExifFormat, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    guard let content = unsafe content(of: tag.directory),
      let entry = unsafe exif_content_get_entry(content, CLibExif.ExifTag(UInt32(tag.rawValue))),
      let bytes = unsafe entry.pointee.data
    else { return nil }
    let buffer = unsafe UnsafeBufferPointer(
      start: UnsafePointer(bytes), count: Int(entry.pointee.size))
    return unsafe body(entry.pointee.format, buffer)
  }

  private func content(of directory: TIFF.Directory) -> UnsafeMutablePointer<ExifContent>? {
    guard let data = unsafe data else { return nil }
    return unsafe withUnsafeBytes(of: data.pointee.ifd) { contents in
      let index =
        switch directory {
        case .image: EXIF_IFD_0.rawValue
        case .exif: EXIF_IFD_EXIF.rawValue
        case .gps: EXIF_IFD_GPS.rawValue
        }
      return unsafe contents.bindMemory(to: UnsafeMutablePointer<ExifContent>?.self)[Int(index)]
    }
  }
}
