/// A builder of PNG files, valid or malformed, without a displayable picture.
public struct PNGFile: Sendable {
  /// The chunks between the header and the end.
  public var chunks: [(type: String, content: [UInt8])]

  /// Creates a file.
  public init(_ chunks: [(type: String, content: [UInt8])] = []) { self.chunks = chunks }

  /// The content of the file. Checksums are zero.
  public var bytes: [UInt8] {
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header) + chunks.flatMap(Self.chunk) + Self.chunk("IEND", [])
  }

  /// Returns the bytes of a chunk.
  public static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + type.utf8 + content
      + [0, 0, 0, 0]
  }

  /// Returns a profile in the text form that ImageMagick writes, after its keyword.
  public static func profile(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("\n\(name)\n\(content.count)".utf8)
    for (index, byte) in content.enumerated() {
      if index % 36 == 0 { text.append(0x0A) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return text + [0x0A]
  }

  /// Returns a zlib stream with uncompressed blocks: RFC 1951, section 3.2.4.
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

/// A builder of Photoshop files without a picture.
public struct PSDFile: Sendable {
  /// An image resource.
  public struct Resource: Sendable {
    /// The resource's signature.
    public var signature = "8BIM"
    /// The resource's id.
    public var number: UInt16
    /// The name, in ASCII characters.
    public var name = ""
    /// The content.
    public var content: [UInt8]

    /// Creates a resource.
    public init(
      _ number: UInt16, _ content: [UInt8], name: String = "", signature: String = "8BIM"
    ) {
      (self.number, self.content) = (number, content)
      (self.name, self.signature) = (name, signature)
    }
  }

  /// The resources of the file.
  public var resources: [Resource]
  /// 1, or 2 for a large document.
  public var version: UInt16 = 1
  /// The length of the color table.
  public var colorTableLength = 0

  /// Creates a file.
  public init(_ resources: [Resource]) { self.resources = resources }

  /// The content of the file: its header, color table and resources, and a few bytes.
  public var bytes: [UInt8] {
    let resources = resources.flatMap { resource in
      let name = [UInt8(resource.name.utf8.count)] + Array(resource.name.utf8)
      return Array(resource.signature.utf8) + Self.number(resource.number) + Self.even(name)
        + Self.number(UInt32(resource.content.count)) + Self.even(resource.content)
    }
    let header =
      Array("8BPS".utf8) + Self.number(version) + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 1, 0, 0, 0]
      + [1, 0, 8, 0, 3]
    return header + Self.number(UInt32(colorTableLength))
      + [UInt8](repeating: 0xFE, count: colorTableLength) + Self.number(UInt32(resources.count))
      + resources + [0, 0, 0, 0, 0, 0]
  }

  private static func even(_ bytes: [UInt8]) -> [UInt8] {
    bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// A builder of WebP files without a picture.
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
