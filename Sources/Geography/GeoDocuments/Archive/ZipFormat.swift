/// Constants of the zip format (PKWARE, ".ZIP File Format Specification", APPNOTE.TXT 6.3.10).
enum ZipFormat {
  /// The signature of a local file header (section 4.3.7).
  static let localHeader: UInt32 = 0x0403_4B50
  static let localHeaderSize = 30
  /// The signature of an entry in the central directory (section 4.3.12).
  static let centralHeader: UInt32 = 0x0201_4B50
  static let centralHeaderSize = 46
  /// The signature of the end-of-directory record (section 4.3.16).
  static let end: UInt32 = 0x0605_4B50
  static let endSize = 22
  /// The signature of the Zip64 end-of-directory record (section 4.3.14).
  static let zip64End: UInt32 = 0x0606_4B50
  static let zip64EndSize = 56
  /// The signature of the Zip64 end-of-directory locator (section 4.3.15).
  static let zip64Locator: UInt32 = 0x0706_4B50
  static let zip64LocatorSize = 20
  /// The id of the Zip64 extra field (section 4.5.3).
  static let zip64Extra: UInt16 = 1

  /// The flags of encrypted entries (section 4.4.4).
  static let encryptionFlags: UInt16 = 1 | 1 << 6 | 1 << 13
  static let utf8Flag: UInt16 = 1 << 11
  /// The method of uncompressed entries (section 4.4.5).
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8

  /// 1980-01-01 (section 4.4.6), used for all files so that equal content gives equal archives.
  static let firstDate: UInt16 = 1 << 5 | 1
}

/// Reads a little-endian number of a number of bytes at an offset.
func littleEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
  var value: UInt64 = 0
  for place in (0..<count).reversed() { value = value << 8 | UInt64(bytes[offset + place]) }
  return value
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// The reason why a zip archive is rejected.
package enum ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no end-of-directory record.
  case noDirectory
  /// The directory or an entry in it is inconsistent.
  case damaged(String)
  /// The archive is split into several parts.
  case severalParts
  /// The archive has more entries than ``ZipReader/maximumEntryCount``.
  case tooManyEntries
  /// An entry is encrypted.
  case encrypted(String)
  /// An entry is compressed by a method other than deflate.
  case unknownMethod(String)
  /// An entry's name is not a relative path within the target folder.
  case unsafeName(String)
  /// Two entries have the same name.
  case repeatedName(String)
  /// An entry is a link or a device.
  case noRegularFile(String)
  /// An entry, or all entries together, exceed a size limit.
  case tooLarge(String)
  /// An entry's compression ratio exceeds ``ZipReader/maximumRatio``.
  case bomb(String)
  /// An entry's content does not match its checksum or size.
  case corrupt(String)

  /// The reason, worded to follow the name of the file.
  package var description: String {
    switch self {
    case .noDirectory: "it is not a ZIP archive, or its end is missing"
    case .damaged(let reason): "its directory is damaged: \(reason)"
    case .severalParts: "it is a part of several archives"
    case .tooManyEntries: "it has more than \(ZipReader.maximumEntryCount) entries"
    case .encrypted(let name): "'\(name)' is encrypted"
    case .unknownMethod(let name): "'\(name)' is compressed by a method that is not supported"
    case .unsafeName(let name): "the name '\(name)' leads out of the folder"
    case .repeatedName(let name): "'\(name)' is in the archive twice"
    case .noRegularFile(let name): "'\(name)' is a link or a device"
    case .tooLarge(let name): "'\(name)' is larger than allowed"
    case .bomb(let name): "'\(name)' is compressed more than \(ZipReader.maximumRatio) to 1"
    case .corrupt(let name): "'\(name)' is damaged: its size or checksum is wrong"
    }
  }
}
