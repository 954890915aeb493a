import PhotoMetadata
import Spatial
import Synchronization
import TestSupport

extension FuzzTarget {
  /// A target for each format of photos and movies.
  static let photos: [FuzzTarget] = {
    let boxes = Magic(
      at: 4, Array("ftyp".utf8), Array("moov".utf8), Array("mdat".utf8), Array("wide".utf8))
    return [
      photo("jpeg", Magic([0xFF, 0xD8]), Seeds.jpeg),
      photo(
        "tiff",
        Magic(
          [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0],
          [0x4D, 0x4D, 0, 0x2B], Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8),
          [0x49, 0x49, 0x55, 0]),
        Seeds.tiff),
      photo("heif", boxes, Seeds.heif),
      photo("cr3", boxes, Seeds.cr3),
      photo("quicktime", boxes, Seeds.quickTime),
      photo("jxl", Magic(at: 4, Array("JXL ".utf8), Array("jP  ".utf8)), Seeds.jpegXL),
      photo("png", Magic([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), Seeds.png),
      photo("webp", Magic(at: 8, Array("WEBP".utf8)), Seeds.webP),
      photo("raf", Magic(Array("FUJIFILMCCD-RAW ".utf8)), Seeds.raf),
      photo("gif", Magic(Array("GIF8".utf8)), Seeds.gif),
      photo("psd", Magic(Array("8BPS".utf8)), Seeds.psd),
      photo("mrw", Magic(Array("\0MRM".utf8)), Seeds.mrw),
      photo("x3f", Magic(Array("FOVb".utf8)), Seeds.x3f),
      photo("exv", Magic(at: 1, Array("\u{1}Exiv2".utf8)), Seeds.exv),
      // Formats without metadata: a codestream of JPEG XL or JPEG 2000, and CRW.
      photo(
        "bare", Magic([0xFF, 0x0A], [0xFF, 0x4F, 0xFF, 0x51], [0x49, 0x49, 0x1A, 0]), Seeds.bare),
    ]
  }()

  /// A TIFF structure in which cameras store EXIF data in JPEG files; it ends with its segment.
  static let exifBlock = FuzzTarget("exif", seeds: Seeds.exif) { block in
    guard block.count < 65_000 else { return nil }
    return try faultOfPhoto(JPEGFile([.exif(block)]).bytes)
  }

  private static func photo(_ name: String, _ magic: Magic, _ seeds: [[UInt8]]) -> FuzzTarget {
    FuzzTarget(name, magic: magic, seeds: seeds, findFault: faultOfPhoto)
  }

  /// The maximum number of bytes read from a file.
  private static let budget = 4 << 20
  /// The number of bytes read at the start of a file.
  private static let headLength = 16 << 10

  private static func faultOfPhoto(_ content: [UInt8]) throws -> String? {
    var reader = MetadataReader()
    let inMemory = reader.read(content)
    if let fault = inMemory.fault { return fault }
    // A file that fits in the head is read like one in memory, so only some of these are tested.
    guard content.count > headLength || content.count % 8 == 0 else { return nil }
    return try ScratchFile.shared.withLock { file in
      try file.write(content)
      let onDisk = try reader.read(file.descriptor, count: content.count)
      guard reader.bytesRead <= budget else { return "\(reader.bytesRead) bytes were read" }
      // In memory there are no reads, so the budget cannot be exceeded.
      if reader.bytesRead < budget / 2, onDisk != inMemory {
        return "another answer the second time, from a file"
      }
      // Simulates a file that was truncated after its size was determined.
      return try reader.read(file.descriptor, count: content.count + 5000).fault
    }
  }
}

extension MetadataReader.Reading {
  fileprivate var fault: String? {
    switch self {
    case .photo(let properties): properties.fault
    case .malformed(let reason): reason.isEmpty ? "no reason is given" : nil
    case .notAPhoto: "a photo's name was passed over"
    }
  }
}

extension PhotoProperties {
  /// The value that violates its type's invariants; `nil` if there is none.
  var fault: String? {
    if let coordinate {
      let isOnGlobe =
        (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
      guard isOnGlobe, !coordinate.isNullIsland else { return "position \(coordinate)" }
    }
    guard (coordinate == nil) == (positionSource == nil) else {
      return "a source without a position"
    }
    guard altitudeMeters?.isFinite ?? true else { return "altitude" }
    let accuracy = horizontalAccuracyMeters ?? 1
    guard accuracy.isFinite, accuracy > 0 else { return "accuracy" }
    guard (0...360).contains(heading?.degrees ?? 0) else { return "heading" }
    guard (captured == nil) == (captureTimeSource == nil) else { return "time's source" }
    guard captured?.instant.isWritable ?? true else { return "time" }
    guard (-1440...1440).contains(captured?.utcOffsetMinutes ?? 0) else { return "offset from UTC" }
    guard (-1...5).contains(rating ?? 0), (1...8).contains(orientation ?? 1) else {
      return "rating or orientation"
    }
    let (own, equivalent) = (focalLength?.millimeters ?? 1, focalLength?.millimetersOn35mmFilm ?? 1)
    guard own > 0, own <= 100_000, (1...65_535).contains(equivalent) else { return "focal length" }
    // A value has at most 1 KiB, and each byte may become a character of three bytes.
    guard [make, model].allSatisfy({ (1...3072).contains($0?.utf8.count ?? 1) }) else {
      return "camera"
    }
    guard
      [title, caption].allSatisfy({ text in
        text.map { (1...1000).contains($0.unicodeScalars.count) && !$0.contains("\n") } ?? true
      })
    else { return "title or caption" }
    return nil
  }
}
