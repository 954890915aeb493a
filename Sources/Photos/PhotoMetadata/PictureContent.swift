package import SystemPackage

/// The pictures in a file, identified by its content.
package enum PictureContent: Hashable, Sendable {
  /// A JPEG file.
  case jpeg
  /// A RAW or TIFF file with embedded JPEG files, in descending order of their pixel counts.
  case embedded([EmbeddedJPEG])
  /// A picture format that all or some browsers can show.
  case png, gif, webP, avif, heic
  /// A movie in QuickTime or MPEG-4 format.
  case movie(isQuickTime: Bool)
  /// An unknown format.
  case other
}

/// A JPEG file embedded in another file.
package struct EmbeddedJPEG: Hashable, Sendable {
  /// The range of the JPEG file; may extend beyond the end of the picture.
  package let range: Range<Int>
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
}

/// A finder of displayable pictures in files, with a limited number of bytes read.
package struct PictureFinder: ~Copyable {
  private var bytes = PhotoBytes()
  private var found: [EmbeddedJPEG] = []

  /// The maximum number of visited directories; RAW files have up to ten.
  private static let maximumDirectories = 32
  /// The maximum number of returned JPEG files; RAW files have up to four.
  private static let maximumFound = 3
  /// The longest side in pixels below which the pictures found by structure are too small, so that
  /// the file is searched for more: makers also embed JPEG files in their maker notes.
  private static let satisfyingSide = 1000
  /// The maximum length of the searched part, in bytes.
  private static let searchedBytes = 64 << 20
  /// The maximum number of candidates for the start of a JPEG file.
  private static let maximumStarts = 256

  /// Creates a finder, for one file at a time.
  package init() {}

  /// Finds the displayable pictures in an open file.
  ///
  /// - Parameters:
  ///   - file: A regular file; its position is neither used nor changed.
  ///   - count: The size of the file in bytes.
  /// - Returns: The content.
  /// - Throws: The system's error if the file cannot be read.
  package mutating func content(
    of file: FileDescriptor, count: Int
  ) throws(Errno) -> PictureContent {
    found = []
    do throws(PhotoBytesError) {
      try bytes.open(file, count: count)
      if try JPEG.recognizes(&bytes) { return .jpeg }
      if try PNG.recognizes(&bytes) { return .png }
      if try WebP.recognizes(&bytes) { return .webP }
      if try GIF.recognizes(&bytes) { return .gif }
      if try ISOMedia.recognizes(&bytes) { return try contentOfBoxes() }
      guard try findByStructure() else { return .other }
      if found.allSatisfy({ max($0.width, $0.height) < Self.satisfyingSide }) {
        try search(file)
      }
      return .embedded(largestFirst())
    } catch {
      switch error {
      case .io(let errno): throw errno
      case .beyondEnd, .overBudget: return found.isEmpty ? .other : .embedded(largestFirst())
      }
    }
  }

  /// Returns the JPEG files with the most pixels, largest first.
  private func largestFirst() -> [EmbeddedJPEG] {
    let sorted = found.sorted { $0.width * $0.height > $1.width * $1.height }
    return Array(sorted.prefix(Self.maximumFound))
  }

  /// Finds the JPEG files that the file's structure refers to; returns `false` if the format cannot
  /// contain any.
  private mutating func findByStructure() throws(PhotoBytesError) -> Bool {
    if try RAF.recognizes(&bytes) {
      if bytes.count >= 92 {
        let start = Int(try bytes.uint32(at: 84, .big))
        try addJPEG(start, length: UInt64(try bytes.uint32(at: 88, .big)))
      }
      return true
    }
    if let layout = try TIFFLayout(0..<bytes.count, of: &bytes) {
      try attempt { finder throws(PhotoBytesError) in try finder.findByDirectories(layout) }
      return true
    }
    if try MRW.recognizes(&bytes) { return true }
    if try X3F.recognizes(&bytes) { return true }
    return try CRW.recognizes(&bytes)
  }

  /// Runs a search step, and ignores that a part of the file is missing or the read budget is
  /// exhausted.
  private mutating func attempt(
    _ body: (inout PictureFinder) throws(PhotoBytesError) -> Void
  ) throws(PhotoBytesError) {
    do throws(PhotoBytesError) {
      try body(&self)
    } catch {
      if case .io = error { throw error }
    }
  }

  // MARK: - JPEG

  /// Adds the JPEG file at an offset, if there is one.
  private mutating func addJPEG(_ start: Int, length: UInt64) throws(PhotoBytesError) {
    guard start > 0, start < bytes.count else { return }
    let length = min(length, UInt64(bytes.count - start))
    guard length >= 4, !found.contains(where: { $0.range.lowerBound == start }) else { return }
    let range = start..<start + Int(length)
    try attempt { finder throws(PhotoBytesError) in
      guard let (width, height) = try finder.frame(in: range) else { return }
      finder.found.append(EmbeddedJPEG(range: range, width: width, height: height))
    }
  }

  /// Returns the size in the frame header of a JPEG file (ITU-T T.81, B.2.2), in pixels.
  ///
  /// Returns `nil` if there is no JPEG file, or if it is lossless and so contains sensor data.
  private mutating func frame(
    in range: Range<Int>
  ) throws(PhotoBytesError) -> (width: Int, height: Int)? {
    guard try bytes.uint16(at: range.lowerBound, .big) == 0xFFD8 else { return nil }
    var offset = range.lowerBound + 2
    for _ in 0..<256 where offset + 4 <= range.upperBound {
      guard try bytes.byte(at: offset) == 0xFF else { return nil }
      let marker = try bytes.byte(at: offset + 1)
      switch marker {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
        let header = try bytes.bytes(at: offset + 4, count: 6)
        let field = { (place: Int) in Int(header[header.startIndex + place]) }
        let (height, width) = (field(1) << 8 | field(2), field(3) << 8 | field(4))
        guard field(0) == 8, [1, 3].contains(field(5)), height > 0, width > 0 else { return nil }
        return (width, height)
      // Other kinds of frames, including lossless ones; the start or end of the picture.
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF, 0xD8...0xDA: return nil
      default: offset += 2 + max(2, Int(try bytes.uint16(at: offset + 2, .big)))
      }
    }
    return nil
  }

  // MARK: - TIFF

  /// Visits the chain of directories in a TIFF structure, and the subdirectories of each.
  private mutating func findByDirectories(_ layout: TIFFLayout) throws(PhotoBytesError) {
    var next = [layout.firstDirectory]
    var seen: Set<UInt64> = []
    while let offset = next.popLast(), seen.count < Self.maximumDirectories {
      guard offset != 0, seen.insert(offset).inserted else { continue }
      try attempt { finder throws(PhotoBytesError) in
        next += try finder.inspectDirectory(at: offset, layout)
      }
    }
  }

  /// Adds the JPEG files that a directory's entries refer to; returns the offsets of its
  /// subdirectories and of the next directory.
  private mutating func inspectDirectory(
    at offset: UInt64, _ layout: TIFFLayout
  ) throws(PhotoBytesError) -> [UInt64] {
    guard let table = try layout.directory(at: offset, of: &bytes) else { return [] }
    var (strip, stripLength): (UInt64?, UInt64?)
    var (preview, previewLength): (UInt64?, UInt64?)
    var directories: [UInt64] = []
    for index in 0..<table.count {
      guard let entry = layout.entry(index, of: table) else { return directories }
      switch try bytes.uint16(at: entry, layout.order) {
      case 0x0111: strip = try numbers(at: entry, layout, upTo: 2).only
      case 0x0117: stripLength = try numbers(at: entry, layout, upTo: 2).only
      case 0x0201: preview = try numbers(at: entry, layout, upTo: 2).only
      case 0x0202: previewLength = try numbers(at: entry, layout, upTo: 2).only
      case 0x014A: directories += try numbers(at: entry, layout, upTo: 16)
      case 0x002E where layout.kind == .panasonic:
        if let value = try layout.value(at: entry, upTo: bytes.count, of: &bytes)?.range {
          try addJPEG(value.lowerBound, length: UInt64(value.count))
        }
      default: break
      }
    }
    for case (let start?, let length?) in [(preview, previewLength), (strip, stripLength)] {
      try addJPEG(Int(clamping: start), length: length)
    }
    let width = layout.kind == .big ? 20 : 12
    let end = table.start + table.count * width
    directories.append(
      layout.kind == .big
        ? try bytes.uint64(at: end, layout.order) : UInt64(try bytes.uint32(at: end, layout.order)))
    return directories
  }

  /// Reads the integers of an entry.
  private mutating func numbers(
    at entry: Int, _ layout: TIFFLayout, upTo maximum: Int
  ) throws(PhotoBytesError) -> [UInt64] {
    guard let value = try layout.value(at: entry, upTo: maximum * 4, of: &bytes), value.isWhole
    else { return [] }
    var numbers: [UInt64] = []
    for index in 0..<min(value.count, maximum) {
      switch value.type {
      case 3:
        numbers.append(
          UInt64(try bytes.uint16(at: value.range.lowerBound + index * 2, layout.order)))
      case 4, 13:
        numbers.append(
          UInt64(try bytes.uint32(at: value.range.lowerBound + index * 4, layout.order)))
      default: return []
      }
    }
    return numbers
  }

  // MARK: - ISO base media

  private static let heicBrands: Set<FourCharacterCode> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
  ]

  /// Identifies an ISO base media file by its brands (ISO/IEC 14496-12, section 4.3).
  private mutating func contentOfBoxes() throws(PhotoBytesError) -> PictureContent {
    var boxes = ISOBoxes(in: 0..<bytes.count)
    guard let type = try boxes.next(in: &bytes) else { return .other }
    switch type.type {
    case "ftyp": break
    case "JXL ", "jP  ": return .other
    default: return .movie(isQuickTime: true)
    }
    var fields = ISOFields(in: type.content.prefix(256))
    var brands: [FourCharacterCode] = []
    while let brand = try fields.number(4, of: &bytes) {
      brands.append(FourCharacterCode(UInt32(brand)))
    }
    if brands.contains("avif") || brands.contains("avis") { return .avif }
    if brands.first == "crx " {
      try attempt { finder throws(PhotoBytesError) in try finder.findInCR3(&boxes) }
      return .embedded(largestFirst())
    }
    if brands.contains(where: Self.heicBrands.contains) { return .heic }
    return .movie(isQuickTime: brands.first == "qt  ")
  }

  /// Finds the pictures in Canon's CR3 files, according to the description by L. Czarnecki
  /// (github.com/lclevy/canon_cr3): a small preview in the movie box, a preview in its own box, and
  /// the largest as a track with one sample.
  private mutating func findInCR3(_ boxes: inout ISOBoxes) throws(PhotoBytesError) {
    while let box = try boxes.next(in: &bytes) {
      switch (box.type, box.userType) {
      case ("moov", _):
        var inner = ISOBoxes(in: box.content)
        while let box = try inner.next(in: &bytes) {
          if box.type == "trak" { try addSample(of: box) }
          if box.userType == .canon { try addPreview(named: "THMB", in: box.content) }
        }
      case (_, .canonPreview?): try addPreview(named: "PRVW", in: box.content.dropFirst(8))
      default: break
      }
    }
  }

  /// Adds the JPEG file in a preview box, after its short header.
  private mutating func addPreview(
    named type: FourCharacterCode, in range: Range<Int>
  ) throws(PhotoBytesError) {
    guard let box = try child(type, of: range) else { return }
    for place in box.content.prefix(32) where place + 2 <= box.content.upperBound {
      guard try bytes.uint16(at: place, .big) == 0xFFD8 else { continue }
      return try addJPEG(place, length: UInt64(box.content.upperBound - place))
    }
  }

  /// Adds the first sample of a track, if it is a JPEG file (ISO/IEC 14496-12, 8.7.3, 8.7.5).
  private mutating func addSample(of track: ISOBox) throws(PhotoBytesError) {
    guard let media = try child("mdia", of: track.content),
      let information = try child("minf", of: media.content),
      let table = try child("stbl", of: information.content),
      let sizes = try child("stsz", of: table.content)
    else { return }
    var size = ISOFields(in: sizes.content)
    guard size.skip(4), var length = try size.number(4, of: &bytes), size.skip(4) else { return }
    if length == 0 { length = try size.number(4, of: &bytes) ?? 0 }
    let long = try child("co64", of: table.content)
    let short = try child("stco", of: table.content)
    guard let places = long ?? short else { return }
    var place = ISOFields(in: places.content)
    guard place.skip(8), let start = try place.number(long == nil ? 4 : 8, of: &bytes) else {
      return
    }
    try addJPEG(Int(clamping: start), length: length)
  }

  /// Returns the first box of a type in a range.
  private mutating func child(
    _ type: FourCharacterCode, of range: Range<Int>
  ) throws(PhotoBytesError) -> ISOBox? {
    var boxes = ISOBoxes(in: range)
    while let box = try boxes.next(in: &bytes) {
      if box.type == type { return box }
    }
    return nil
  }

  // MARK: - Search

  /// Searches the file for bytes that look like the start of a JPEG file.
  private mutating func search(_ file: FileDescriptor) throws(PhotoBytesError) {
    let end = min(bytes.count, Self.searchedBytes)
    var starts: [Int] = []
    var place = 0
    while place < end, starts.count < Self.maximumStarts {
      let block: [UInt8]
      do {
        block = try unsafe [UInt8](unsafeUninitializedCapacity: min(256 << 10, end - place)) {
          buffer, count in
          count = try unsafe file.read(
            fromAbsoluteOffset: Int64(place), into: UnsafeMutableRawBufferPointer(buffer))
        }
      } catch { throw .io(error as? Errno ?? .ioError) }
      guard block.count > 2 else { break }
      Self.appendStarts(in: block, at: place, to: &starts)
      // A start may span two blocks.
      place += block.count - 2
    }
    for start in starts.prefix(Self.maximumStarts) {
      try addJPEG(start, length: UInt64(bytes.count - start))
    }
  }

  /// Appends the offsets of SOI markers followed by the first byte of another marker.
  private static func appendStarts(in block: [UInt8], at place: Int, to starts: inout [Int]) {
    var index = 0
    let last = block.count - 3
    while index <= last {
      // The third byte determines the minimum distance of the next start.
      if block[index + 2] != 0xFF {
        index += block[index + 2] == 0xD8 ? 1 : 3
      } else if block[index] == 0xFF, block[index + 1] == 0xD8 {
        starts.append(place + index)
        index += 2
      } else {
        index += 1
      }
    }
  }
}

extension UserType {
  /// The box with a preview in Canon's CR3 files.
  fileprivate static let canonPreview = UserType(
    high: 0xEAF4_2B5E_1C98_4B88, low: 0xB9FB_B7DC_406E_4D16)
}

extension [UInt64] {
  /// The element of an array with exactly one element, otherwise `nil`.
  fileprivate var only: UInt64? { count == 1 ? self[0] : nil }
}
