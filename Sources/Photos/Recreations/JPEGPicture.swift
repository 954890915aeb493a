/// The parts of a JPEG file that are needed to show its picture: ITU-T T.81, annex B.
///
/// Other data from cameras and programs are removed: EXIF, XMP, IPTC, comments, and further
/// pictures after the end. The colour profile and the description of the colour encoding are kept.
struct JPEGPicture {
  /// The width in pixels, before rotation.
  let width: Int
  /// The height in pixels, before rotation.
  let height: Int
  /// Whether the file contains a colour profile.
  let hasProfile: Bool

  private let file: [UInt8]
  /// The ranges of the segments and scans that are kept, in order.
  private let parts: [Range<Int>]
  /// The JFIF header without its thumbnail.
  private let jfif: [UInt8]?

  /// The maximum number of pixels, as in the decoder of thumbnails.
  private static let maximumPixelCount = 200 << 20
  /// The maximum number of pixels per byte, not reached even by a picture of a single colour.
  private static let maximumPixelsPerByte = 1024
  /// The maximum width and height that libjpeg supports.
  private static let maximumSide = 65_500

  /// Parses a file.
  ///
  /// - Parameter file: A whole JPEG file, untrusted.
  /// - Throws: ``RecreationError/noPicture(_:)`` if it is not a JPEG file, is incomplete, or is of
  ///   a kind that viewers do not support.
  init(_ file: [UInt8]) throws(RecreationError) {
    var walk = Walk(file)
    try walk.toEnd()
    guard let size = walk.size else { throw .noPicture("it has no frame") }
    (width, height) = size
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else {
      throw .noPicture("it is \(width) × \(height) pixels")
    }
    guard width * height <= Self.maximumPixelCount,
      width * height / Self.maximumPixelsPerByte <= file.count
    else { throw .noPicture("it has too many pixels for its size: \(width) × \(height) pixels") }
    self.file = file
    parts = walk.parts
    jfif = walk.jfif
    hasProfile = walk.hasProfile
  }

  /// Returns a file with the same picture and new metadata.
  ///
  /// - Parameters:
  ///   - exif: An EXIF block with its identifier, less than 64 KiB.
  ///   - xmp: An XMP packet, less than 64 KiB including the identifier that precedes it.
  /// - Returns: The content of the file.
  func file(exif: [UInt8], xmp: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    result.reserveCapacity(file.count + exif.count + xmp.count + 64)
    if let jfif { Self.append(0xE0, jfif, to: &result) }
    // EXIF 2.32, section 4.5.4; XMP specification part 3, section 1.1.3.
    Self.append(0xE1, exif, to: &result)
    Self.append(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp, to: &result)
    for part in parts { result += file[part] }
    return result + [0xFF, 0xD9]
  }

  private static func append(_ marker: UInt8, _ content: [UInt8], to file: inout [UInt8]) {
    let length = content.count + 2
    precondition(length <= 0xFFFF, "a segment is longer than its length field can tell")
    file += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }
}

/// A walk through the markers of a file.
private struct Walk {
  private let file: [UInt8]
  private var place = 2
  private var segmentCount = 0
  private var scanCount = 0
  private(set) var size: (width: Int, height: Int)?
  private(set) var parts: [Range<Int>] = []
  private(set) var jfif: [UInt8]?
  private(set) var hasProfile = false

  private static let maximumSegmentCount = 4096
  /// The maximum number of scans; progressive files of cameras have about ten.
  private static let maximumScanCount = 100

  init(_ file: [UInt8]) {
    self.file = file
  }

  /// Walks to the end of the picture.
  mutating func toEnd() throws(RecreationError) {
    guard file.starts(with: [0xFF, 0xD8]) else { throw .noPicture("it is not a JPEG file") }
    while true {
      let marker = try nextMarker()
      if marker == 0xD9 {
        guard scanCount > 0 else { throw .noPicture("it ends before its picture") }
        return
      }
      try processSegment(marker)
    }
  }

  /// Reads the marker at the current position, which may follow any number of fill bytes (B.1.1.2).
  private mutating func nextMarker() throws(RecreationError) -> UInt8 {
    guard place < file.count else { throw Self.cutOff }
    guard file[place] == 0xFF else { throw .noPicture("there is no marker at byte \(place)") }
    while place < file.count, file[place] == 0xFF { place += 1 }
    guard place < file.count else { throw Self.cutOff }
    place += 1
    return file[place - 1]
  }

  /// Processes a segment and, if it is a scan header, the scan after it.
  private mutating func processSegment(_ marker: UInt8) throws(RecreationError) {
    segmentCount += 1
    guard segmentCount <= Self.maximumSegmentCount else {
      throw .noPicture("it has more than \(Self.maximumSegmentCount) segments")
    }
    guard place + 2 <= file.count else { throw Self.cutOff }
    let length = Int(file[place]) << 8 | Int(file[place + 1])
    guard length >= 2 else { throw .noPicture("a segment is shorter than its length field") }
    guard place + length <= file.count else { throw Self.cutOff }
    let start = place - 2
    let content = file[place + 2..<place + length]
    place += length
    if marker == 0xDA { try skipScan() }
    if try isKept(marker, content) { keep(start..<place) }
  }

  private mutating func keep(_ part: Range<Int>) {
    // Adjacent ranges are merged, so most of a file is one range.
    if let last = parts.last, last.upperBound == part.lowerBound {
      parts[parts.count - 1] = last.lowerBound..<part.upperBound
    } else {
      parts.append(part)
    }
  }

  /// Skips the coded data of a scan, up to a byte 0xFF that is followed neither by zero (B.1.1.5)
  /// nor by the code of a restart marker.
  private mutating func skipScan() throws(RecreationError) {
    guard size != nil else { throw .noPicture("a scan comes before the frame") }
    scanCount += 1
    guard scanCount <= Self.maximumScanCount else {
      throw .noPicture("it has more than \(Self.maximumScanCount) scans")
    }
    while place + 1 < file.count {
      if file[place] == 0xFF, file[place + 1] != 0, !(0xD0...0xD7).contains(file[place + 1]) {
        return
      }
      place += 1
    }
    throw Self.cutOff
  }

  /// Returns whether a segment is part of the picture.
  private mutating func isKept(
    _ marker: UInt8, _ content: ArraySlice<UInt8>
  ) throws(RecreationError) -> Bool {
    switch marker {
    // Huffman tables, arithmetic conditioning, scan headers, quantisation tables, number of lines,
    // restart intervals.
    case 0xC4, 0xCC, 0xDA...0xDD: return true
    // Baseline, extended and progressive frames; the latter two also with arithmetic coding.
    case 0xC0...0xC2, 0xC9, 0xCA:
      try readFrame(content)
      return true
    case 0xE0:
      keepJFIF(content)
      return false
    case 0xE2:
      let isProfile = content.starts(with: Array("ICC_PROFILE\0".utf8))
      hasProfile = hasProfile || isProfile
      return isProfile
    case 0xEE: return content.starts(with: Array("Adobe".utf8))
    // Segments of other applications, extensions, comments.
    case 0xE1...0xEF, 0xF0...0xFE: return false
    case 0xC3...0xCF, 0xDE, 0xDF:
      throw .noPicture("it is a lossless or hierarchical JPEG file, which is not supported")
    default: throw .noPicture("it has a marker in a wrong place")
    }
  }

  /// Parses a frame header: precision, height, width, components (B.2.2).
  private mutating func readFrame(_ content: ArraySlice<UInt8>) throws(RecreationError) {
    guard size == nil else { throw .noPicture("it has two frames") }
    let header = Array(content)
    guard header.count >= 6, header.count == 6 + 3 * Int(header[5]) else {
      throw .noPicture("its frame has no header")
    }
    guard header[0] == 8 else { throw .noPicture("it has \(header[0]) bits per sample, not 8") }
    guard [1, 3, 4].contains(header[5]) else {
      throw .noPicture("it has \(header[5]) colour components")
    }
    size = (
      width: Int(header[3]) << 8 | Int(header[4]), height: Int(header[1]) << 8 | Int(header[2])
    )
  }

  /// Stores the JFIF header without its thumbnail.
  private mutating func keepJFIF(_ content: ArraySlice<UInt8>) {
    guard jfif == nil, content.count >= 14, content.starts(with: Array("JFIF\0".utf8)) else {
      return
    }
    jfif = Array(content.prefix(12)) + [0, 0]
  }

  private static var cutOff: RecreationError { .noPicture("it is cut off") }
}
