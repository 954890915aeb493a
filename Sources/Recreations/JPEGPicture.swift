/// The parts of a JPEG file that its picture is made of: ITU-T T.81, annex B.
///
/// What a camera or a program wrote beside the picture is no part of it: EXIF, XMP, IPTC, comments,
/// further pictures behind the end. What a viewer needs to show it as it was taken is: the colour
/// profile, and how the colours are stored.
struct JPEGPicture {
  /// Columns of pixels, as they are stored.
  let width: Int
  /// Rows of pixels, as they are stored.
  let height: Int
  /// Whether a colour profile says what the colours are.
  let hasProfile: Bool

  private let file: [UInt8]
  /// The segments and scans that are kept, in their order.
  private let parts: [Range<Int>]
  /// The JFIF header without its thumbnail.
  private let jfif: [UInt8]?

  /// As many pixels are decoded by those who make small pictures.
  private static let maximumPixelCount = 200 << 20
  /// A picture of one colour has fewer bytes a pixel than any other, and still more than this.
  private static let maximumPixelsPerByte = 1024
  /// The markers that libjpeg reads.
  private static let maximumSide = 65_500

  /// Takes a file apart.
  ///
  /// - Parameter file: A whole JPEG file, from anybody.
  /// - Throws: ``RecreationError/noPicture(_:)`` where it is none, or not whole, or of a kind that
  ///   viewers do not show.
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
    else { throw .noPicture("it has more pixels than bytes can tell: \(width) × \(height)") }
    self.file = file
    parts = walk.parts
    jfif = walk.jfif
    hasProfile = walk.hasProfile
  }

  /// A file with the picture and other metadata.
  ///
  /// - Parameters:
  ///   - exif: An EXIF block with its identifier, of less than 64 KiB.
  ///   - xmp: An XMP packet of less than 64 KiB with the identifier.
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

/// A walk from marker to marker.
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
  /// Progressive files of cameras have some ten.
  private static let maximumScanCount = 100

  init(_ file: [UInt8]) {
    self.file = file
  }

  /// Goes to the end of the picture.
  mutating func toEnd() throws(RecreationError) {
    guard file.starts(with: [0xFF, 0xD8]) else { throw .noPicture("it is no JPEG file") }
    while true {
      let marker = try nextMarker()
      if marker == 0xD9 {
        guard scanCount > 0 else { throw .noPicture("it ends before its picture") }
        return
      }
      try pass(marker)
    }
  }

  /// Goes behind the next marker, which is here (B.1.1.2: any number of fill bytes before it).
  private mutating func nextMarker() throws(RecreationError) -> UInt8 {
    guard place < file.count else { throw Self.cutOff }
    guard file[place] == 0xFF else { throw .noPicture("there is no marker at byte \(place)") }
    while place < file.count, file[place] == 0xFF { place += 1 }
    guard place < file.count else { throw Self.cutOff }
    place += 1
    return file[place - 1]
  }

  /// Goes behind a segment, and the scan that belongs to it.
  private mutating func pass(_ marker: UInt8) throws(RecreationError) {
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
    if marker == 0xDA { try passScan() }
    if try isKept(marker, content) { keep(start..<place) }
  }

  private mutating func keep(_ part: Range<Int>) {
    // Most of a file is one part.
    if let last = parts.last, last.upperBound == part.lowerBound {
      parts[parts.count - 1] = last.lowerBound..<part.upperBound
    } else {
      parts.append(part)
    }
  }

  /// Goes to the marker behind the coded data of a scan, in which a byte of ones is followed by
  /// zero (B.1.1.5), or the number of an interval.
  private mutating func passScan() throws(RecreationError) {
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

  /// Whether a segment is a part of the picture.
  private mutating func isKept(
    _ marker: UInt8, _ content: ArraySlice<UInt8>
  ) throws(RecreationError) -> Bool {
    switch marker {
    // Huffman tables, arithmetic conditioning, scans, quantisation tables, lines, intervals.
    case 0xC4, 0xCC, 0xDA...0xDD: return true
    // Baseline, extended, progressive; the latter two with arithmetic coding too.
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
    // Other applications, extensions, comments.
    case 0xE1...0xEF, 0xF0...0xFE: return false
    case 0xC3...0xCF, 0xDE, 0xDF:
      throw .noPicture("it is of a kind that few programs show: lossless or hierarchical")
    default: throw .noPicture("it has a marker where none belongs")
    }
  }

  /// Reads a frame header: precision, height, width, components (B.2.2).
  private mutating func readFrame(_ content: ArraySlice<UInt8>) throws(RecreationError) {
    guard size == nil else { throw .noPicture("it has two frames") }
    let header = Array(content)
    guard header.count >= 6, header.count == 6 + 3 * Int(header[5]) else {
      throw .noPicture("its frame has no header")
    }
    guard header[0] == 8 else { throw .noPicture("it has \(header[0]) bits a sample, not 8") }
    guard [1, 3, 4].contains(header[5]) else {
      throw .noPicture("it has \(header[5]) colour components")
    }
    size = (
      width: Int(header[3]) << 8 | Int(header[4]), height: Int(header[1]) << 8 | Int(header[2])
    )
  }

  /// Keeps the header of JFIF 1.02 without the thumbnail in it.
  private mutating func keepJFIF(_ content: ArraySlice<UInt8>) {
    guard jfif == nil, content.count >= 14, content.starts(with: Array("JFIF\0".utf8)) else {
      return
    }
    jfif = Array(content.prefix(12)) + [0, 0]
  }

  private static var cutOff: RecreationError { .noPicture("it is cut off") }
}
