/// A builder of JPEG files, valid or malformed, without a real picture.
public struct JPEGFile: Sendable {
  /// A part of the file.
  public enum Part: Sendable {
    /// A marker and a segment with a correct length.
    case segment(marker: UInt8, [UInt8])
    /// Any bytes.
    case bytes([UInt8])
  }

  /// The parts between the start-of-image marker and the picture.
  public var parts: [Part]
  /// Whether the file has a picture.
  public var hasPicture = true

  /// Creates a file.
  public init(_ parts: [Part] = []) { self.parts = parts }

  /// Creates a file with an EXIF block.
  public init(_ block: ExifBlock) { self.init([.exif(block.tiff)]) }

  /// The content of the file.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    for part in parts {
      switch part {
      case .segment(let marker, let content):
        let length = content.count + 2
        precondition(length <= 0xFFFF)
        bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
      case .bytes(let junk): bytes += junk
      }
    }
    if hasPicture {
      // A scan header, a few bytes of a picture, and the end-of-image marker.
      bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xFF, 0xD9]
    }
    return bytes
  }
}

extension JPEGFile.Part {
  /// Returns a segment with an EXIF block.
  public static func exif(_ tiff: [UInt8]) -> Self {
    .segment(marker: 0xE1, Array("Exif\0\0".utf8) + tiff)
  }

  /// Returns a segment with an XMP packet.
  public static func xmp(_ packet: String) -> Self {
    .segment(marker: 0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
  }

  /// Returns a segment with an XMP packet that has properties as attributes and as elements of one
  /// description.
  public static func xmp(attributes: String = "", elements: String = "") -> Self {
    xmp(XMPText.packet(attributes: attributes, elements: elements))
  }

  /// Returns a segment with a part of an extended XMP packet.
  public static func extendedXMP(
    _ name: String, wholeLength: Int, offset: Int, _ piece: some Sequence<UInt8>
  ) -> Self {
    let numbers = [wholeLength, offset].flatMap { number in
      withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
    }
    let identifier = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    return .segment(marker: 0xE1, identifier + Array(name.utf8) + numbers + Array(piece))
  }

  /// The segment at the start of most JPEG files.
  public static let jfif = JPEGFile.Part.segment(
    marker: 0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])

  /// Returns an application segment of a given length.
  public static func application(_ number: UInt8, length: Int) -> Self {
    .segment(marker: 0xE0 + number, [UInt8](repeating: 0x20, count: length))
  }
}

/// A builder of XMP packets.
public enum XMPText {
  /// Returns an XMP packet that has properties as attributes and as elements of one description.
  public static func packet(attributes: String = "", elements: String = "") -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>
       \(elements)
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }
}
