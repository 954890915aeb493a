/// Numbers of the zip format (PKWARE, ".ZIP File Format Specification", APPNOTE.TXT 6.3.10).
enum ZipFormat {
  /// Section 4.3.7.
  static let localHeader: UInt32 = 0x0403_4B50
  static let localHeaderSize = 30
  /// Section 4.3.12.
  static let centralHeader: UInt32 = 0x0201_4B50
  static let centralHeaderSize = 46
  /// Section 4.3.16.
  static let end: UInt32 = 0x0605_4B50
  static let endSize = 22
  /// Section 4.3.14.
  static let zip64End: UInt32 = 0x0606_4B50
  static let zip64EndSize = 56
  /// Section 4.3.15.
  static let zip64Locator: UInt32 = 0x0706_4B50
  static let zip64LocatorSize = 20
  /// Section 4.5.3.
  static let zip64Extra: UInt16 = 1

  /// Section 4.4.4.
  static let encryptionFlags: UInt16 = 1 | 1 << 6 | 1 << 13
  static let utf8Flag: UInt16 = 1 << 11
  /// Section 4.4.5.
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8

  /// The date 1980-01-01 (section 4.4.6), since the same content must give the same archive.
  static let firstDate: UInt16 = 1 << 5 | 1
}

/// A number in little-endian bytes.
func littleEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
  var value: UInt64 = 0
  for place in (0..<count).reversed() { value = value << 8 | UInt64(bytes[offset + place]) }
  return value
}

extension [UInt8] {
  /// Appends a number in little-endian bytes.
  mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// The reason for which a zip archive is refused.
package enum ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file has no directory of an archive at its end.
  case noDirectory
  /// The directory, or what it says of an entry, contradicts itself.
  case damaged(String)
  /// The archive is a part of several.
  case severalParts
  /// The archive has more entries than are read.
  case tooManyEntries
  /// An entry is protected by a password.
  case encrypted(String)
  /// An entry is packed by another method than deflate.
  case unknownMethod(String)
  /// An entry's name leads out of the folder that the archive would be unpacked to.
  case unsafeName(String)
  /// Two entries have one name.
  case repeatedName(String)
  /// An entry is a link or a device.
  case noRegularFile(String)
  /// An entry, or all together, would be larger than is allowed.
  case tooLarge(String)
  /// An entry is packed so well that it can only be made to fill a disk.
  case bomb(String)
  /// An entry is not what its checksum or its sizes say.
  case corrupt(String)

  /// What is wrong.
  package var description: String {
    switch self {
    case .noDirectory: "it is no zip archive, or its end is missing"
    case .damaged(let reason): "its directory is damaged: \(reason)"
    case .severalParts: "it is a part of several archives"
    case .tooManyEntries: "it has more than \(ZipReader.maximumEntryCount) entries"
    case .encrypted(let name): "'\(name)' is encrypted"
    case .unknownMethod(let name): "'\(name)' is packed by a method that is not read"
    case .unsafeName(let name): "the name '\(name)' leads out of the folder"
    case .repeatedName(let name): "'\(name)' is in it twice"
    case .noRegularFile(let name): "'\(name)' is a link or a device"
    case .tooLarge(let name): "'\(name)' is larger than is allowed"
    case .bomb(let name): "'\(name)' is packed more than \(ZipReader.maximumRatio) to 1"
    case .corrupt(let name): "'\(name)' is damaged: its size or checksum is wrong"
    }
  }
}
