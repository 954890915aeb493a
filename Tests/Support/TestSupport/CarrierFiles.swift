/// Builders of files whose formats are containers of a JPEG file, a TIFF structure or an XMP
/// packet.
public enum CarrierFile {
  /// Returns a Fujifilm RAF file: a header with the position of a JPEG file, which is correct
  /// unless other numbers are given.
  public static func raf(_ photo: [UInt8], start: Int = 148, length: Int? = nil) -> [UInt8] {
    let header = Array("FUJIFILMCCD-RAW 0201FF392201".utf8)
    return header + [UInt8](repeating: 0, count: 84 - header.count) + big(start)
      + big(length ?? photo.count) + [UInt8](repeating: 0, count: 56) + photo
      + [UInt8](repeating: 0xAB, count: 500)
  }

  /// Returns a Minolta MRW file: a sequence of blocks, the second of which is a TIFF structure.
  public static func mrw(_ tiff: [UInt8]) -> [UInt8] {
    Array("\0MRM".utf8) + big(1000) + Array("\0PRD".utf8) + big(24)
      + [UInt8](repeating: 1, count: 24) + Array("\0TTW".utf8) + big(tiff.count) + tiff
  }

  /// Returns a Sigma X3F file: a picture, a JPEG file, and a directory that claims the given number
  /// of sections.
  public static func x3f(_ photo: [UInt8], count: Int = 2) -> [UInt8] {
    let section = { (format: Int, content: [UInt8]) in
      Array("SECi".utf8) + little(0) + little(2) + little(format)
        + [UInt8](repeating: 0, count: 12) + content
    }
    let raw = section(3, [9, 9, 9])
    let preview = section(18, photo)
    var file = Array("FOVb".utf8) + [UInt8](repeating: 0, count: 36) + raw + preview
    let directory = file.count
    file += Array("SECd".utf8) + little(0x20000) + little(count)
    file += little(40) + little(raw.count) + Array("IMA2".utf8)
    file += little(40 + raw.count) + little(preview.count) + Array("IMA2".utf8)
    return file + little(directory)
  }

  /// The header of a Canon CRW file.
  public static let crw =
    [0x49, 0x49, 0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8) + [UInt8](repeating: 0, count: 40)

  /// Returns a GIF file with a comment and an XMP packet before its picture.
  public static func gif(_ packet: [UInt8]) -> [UInt8] {
    // The packet is followed by a trailer that leads a reader of sub-blocks to the end: 1, then 255
    // down to 0, and 0.
    let trailer = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
      + [0x21, 0xFE, 2, 0x41, 0x42, 0] + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet
      + trailer + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  }

  /// Returns an Exiv2 EXV file with the segments of a JPEG file.
  public static func exv(_ photo: JPEGFile) -> [UInt8] {
    [0xFF, 0x01] + Array("Exiv2".utf8) + photo.bytes.dropFirst(2)
  }

  private static func big(_ number: Int) -> [UInt8] { Box.number(UInt32(number)) }
  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }
}
