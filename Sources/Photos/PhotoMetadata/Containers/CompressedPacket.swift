import Compression

/// An XMP packet in an item of a HEIF file that is compressed as HTTP content is: ISO/IEC
/// 14496-12, section 8.11.6.3, `content_encoding`; RFC 9110, section 8.4.1.
enum CompressedPacket {
  /// The maximum length of the compressed bytes, within the read budget of a file.
  private static let maximumLength = 2 << 20
  /// The maximum length of the decompressed bytes. A kilobyte may decompress to a gigabyte.
  private static let maximumPacketLength = 32 << 20

  /// Decompresses a packet.
  ///
  /// - Parameters:
  ///   - packet: The compressed bytes, in ranges of the file.
  ///   - encoding: The name of the compression: `deflate`, `compress_zlib` of libheif, `gzip` or
  ///     `br`.
  ///   - bytes: The file.
  ///   - blocks: Receives the reason if it cannot be read.
  /// - Returns: The packet; `nil` if it cannot be read.
  /// - Throws: An error if the bytes cannot be read.
  static func plain(
    _ packet: MetadataBlocks.Block, _ encoding: [UInt8], of bytes: inout PhotoBytes,
    _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) -> [UInt8]? {
    let name = "compressed XMP packet"
    var compressed: [UInt8] = []
    for range in packet.ranges {
      guard range.count <= maximumLength - compressed.count else {
        blocks.skip(name, "it is longer than 2 MiB")
        return nil
      }
      compressed += try bytes.bytes(at: range.lowerBound, count: range.count)
    }
    let plain: [UInt8]
    switch String(decoding: encoding, as: UTF8.self).lowercased() {
    case "identity": plain = compressed
    case "deflate", "compress_zlib":
      plain = Inflater.prefix(
        of: compressed[...], as: hasZlibHeader(compressed) ? .zlib : .raw,
        upTo: maximumPacketLength)
    case "gzip":
      plain = Inflater.prefix(of: compressed[...], as: .gzip, upTo: maximumPacketLength)
    case "br":
      do throws(Brotli.Failure) {
        plain = try Brotli.prefix(of: compressed[...], upTo: maximumPacketLength).bytes
      } catch {
        switch error {
        case .damaged: plain = []
        case .missing(let reason):
          blocks.skip(name, "Brotli cannot be used: \(reason)")
          return nil
        }
      }
    default:
      blocks.skip(name, "its compression is unknown")
      return nil
    }
    guard !plain.isEmpty else {
      blocks.skip(name, "it is damaged")
      return nil
    }
    return plain
  }

  /// Returns whether bytes begin with the header of a zlib stream: RFC 1950, section 2.2. Some
  /// programs omit it, although RFC 9110 wants it.
  private static func hasZlibHeader(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2, bytes[0] & 0x0F == 8 else { return false }
    return (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
  }
}
