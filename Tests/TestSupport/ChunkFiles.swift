/// Builds PNG files, sound and broken ones, without a picture that could be shown.
public struct PNGFile: Sendable {
  /// The chunks between the header and the end.
  public var chunks: [(type: String, content: [UInt8])]

  /// Creates a file.
  public init(_ chunks: [(type: String, content: [UInt8])] = []) { self.chunks = chunks }

  /// The content of the file; checksums are zero.
  public var bytes: [UInt8] {
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header) + chunks.flatMap(Self.chunk) + Self.chunk("IEND", [])
  }

  /// A chunk, in bytes.
  public static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + type.utf8 + content
      + [0, 0, 0, 0]
  }

  /// A profile as ImageMagick writes it into text, behind its keyword.
  public static func profile(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("\n\(name)\n\(content.count)".utf8)
    for (index, byte) in content.enumerated() {
      if index % 36 == 0 { text.append(0x0A) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return text + [0x0A]
  }

  /// A zlib stream of bytes that are not compressed: RFC 1951, section 3.2.4.
  public static func stored(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = content[...]
    repeat {
      let part = rest.prefix(0xFFFF)
      rest = rest.dropFirst(0xFFFF)
      let length = UInt16(part.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += part
    } while !rest.isEmpty
    return stream + [0, 0, 0, 0]
  }
}

/// Builds WebP files without a picture.
public struct WebPFile: Sendable {
  /// The chunks of the file.
  public var chunks: [(type: String, content: [UInt8])]

  /// Creates a file.
  public init(_ chunks: [(type: String, content: [UInt8])]) { self.chunks = chunks }

  /// The content of the file.
  public var bytes: [UInt8] {
    let content =
      Array("WEBP".utf8)
      + chunks.flatMap { chunk in
        Array(chunk.type.utf8) + Self.length(chunk.content.count) + chunk.content
          + (chunk.content.count % 2 == 1 ? [0] : [])
      }
    return Array("RIFF".utf8) + Self.length(content.count) + content
  }

  private static func length(_ count: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
  }
}
