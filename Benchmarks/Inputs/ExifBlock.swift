import CivilTime
import Encodings
import Spatial

/// A camera, with the metadata that it writes.
package struct Camera: Sendable {
  let make: String
  let model: String
  let isBigEndian: Bool
  let makerNoteLength: Int
  let thumbnailLength: Int
  /// The percentage of photos taken with it.
  let share: Int

  package static let all = [
    Camera(
      make: "Apple", model: "iPhone 14 Pro", isBigEndian: true, makerNoteLength: 1600,
      thumbnailLength: 0, share: 36),
    Camera(
      make: "samsung", model: "SM-S901B", isBigEndian: false, makerNoteLength: 100,
      thumbnailLength: 9000, share: 20),
    Camera(
      make: "Google", model: "Pixel 8", isBigEndian: false, makerNoteLength: 0,
      thumbnailLength: 11_000, share: 16),
    Camera(
      make: "Canon", model: "Canon EOS R6", isBigEndian: false, makerNoteLength: 9000,
      thumbnailLength: 8000, share: 14),
    Camera(
      make: "FUJIFILM", model: "X-T4", isBigEndian: false, makerNoteLength: 11_000,
      thumbnailLength: 9500, share: 8),
    Camera(
      make: "NIKON CORPORATION", model: "NIKON Z 6", isBigEndian: false, makerNoteLength: 28_000,
      thumbnailLength: 9000, share: 6),
  ]
}

/// An EXIF block as written by cameras: IFD0, Exif and GPS directories, a maker note, and IFD1 with
/// a thumbnail (CIPA DC-008, "Exchangeable image file format", section 4.6).
struct ExifBlock {
  private let camera: Camera
  private(set) var bytes: [UInt8] = []

  init(camera: Camera, captured: Instant, position: Coordinate?) {
    self.camera = camera
    var image = imageDirectory()
    var exif = exifDirectory(captured)
    let gps = position.map { gpsDirectory($0, captured) }

    // The lengths of directories do not depend on the values of pointers.
    let exifStart = 8 + image.byteCount + 12 + (gps == nil ? 0 : 12)
    let gpsStart = exifStart + exif.byteCount
    let thumbnailDirectoryStart = gpsStart + (gps?.byteCount ?? 0)
    image.add(long(0x8769, UInt32(exifStart)))
    if gps != nil { image.add(long(0x8825, UInt32(gpsStart))) }
    exif.sort()

    bytes += camera.isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    bytes += number(UInt32(8))
    let hasThumbnail = camera.thumbnailLength > 0
    append(image, next: hasThumbnail ? thumbnailDirectoryStart : 0)
    append(exif, next: 0)
    if let gps { append(gps, next: 0) }
    if hasThumbnail { appendThumbnail() }
  }

  // MARK: - Directories

  private func imageDirectory() -> Directory {
    Directory([
      ascii(0x010F, camera.make), ascii(0x0110, camera.model), short(0x0112, 1),
      rationals(0x011A, [(72, 1)]), rationals(0x011B, [(72, 1)]), short(0x0128, 2),
      ascii(0x0131, "1.0"), ascii(0x0132, "2020:01:01 00:00:00"), short(0x0213, 1),
    ])
  }

  private func exifDirectory(_ captured: Instant) -> Directory {
    let time = captured.exifText
    var entries = [
      rationals(0x829A, [(1, 250)]), rationals(0x829D, [(18, 10)]), short(0x8822, 2),
      short(0x8827, 100), undefined(0x9000, Array("0232".utf8)), ascii(0x9003, time),
      ascii(0x9004, time), ascii(0x9010, "+00:00"), ascii(0x9011, "+00:00"),
      undefined(0x9101, [1, 2, 3, 0]), rationals(0x9201, [(797, 100)]),
      rationals(0x9202, [(170, 100)]), short(0x9207, 5), short(0x9209, 16),
      rationals(0x920A, [(57, 10)]), ascii(0x9291, "417"), undefined(0xA000, Array("0100".utf8)),
      short(0xA001, 1), long(0xA002, 4032), long(0xA003, 3024), short(0xA402, 0),
      short(0xA403, 0), short(0xA405, 26), short(0xA406, 0), ascii(0xA434, "lens 5.7mm f/1.8"),
    ]
    if camera.makerNoteLength > 0 {
      entries.append(
        undefined(0x927C, (0..<camera.makerNoteLength).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    }
    return Directory(entries)
  }

  private func gpsDirectory(_ position: Coordinate, _ captured: Instant) -> Directory {
    let day = captured.exifText.prefix(10)
    return Directory([
      Entry(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]),
      ascii(1, position.latitude < 0 ? "S" : "N"),
      rationals(2, degrees(position.latitude)),
      ascii(3, position.longitude < 0 ? "W" : "E"),
      rationals(4, degrees(position.longitude)),
      Entry(tag: 5, type: 1, count: 1, value: [0]),
      rationals(6, [(4321, 100)]), rationals(7, [(12, 1), (34, 1), (56, 1)]),
      ascii(16, "T"), rationals(17, [(27_345, 100)]), ascii(29, String(day)),
      rationals(31, [(475, 100)]),
    ])
  }

  /// Returns degrees, minutes and hundredths of seconds.
  private func degrees(_ degrees: Double) -> [(UInt32, UInt32)] {
    let steps = UInt32((abs(degrees) * PhotoPositions.stepsPerDegree).rounded())
    return [(steps / 360_000, 1), (steps / 6000 % 60, 1), (steps % 6000, 100)]
  }

  private mutating func appendThumbnail() {
    var directory = Directory([
      short(0x0103, 6), rationals(0x011A, [(72, 1)]), rationals(0x011B, [(72, 1)]),
      short(0x0128, 2), long(0x0202, UInt32(camera.thumbnailLength)),
    ])
    let start = bytes.count + directory.byteCount + 12
    directory.add(long(0x0201, UInt32(start)))
    append(directory, next: 0)
    bytes += [0xFF, 0xD8, 0xFF, 0xDB]
    bytes += (4..<camera.thumbnailLength - 2).map { UInt8(truncatingIfNeeded: $0 &* 31) & 0x7F }
    bytes += [0xFF, 0xD9]
  }

  // MARK: - Entries

  private struct Entry {
    let tag: UInt16
    let type: UInt16
    let count: Int
    let value: [UInt8]

    /// The number of bytes of a value that does not fit into the entry, padded to an even length.
    var outsideCount: Int { value.count > 4 ? value.count + value.count % 2 : 0 }
  }

  private struct Directory {
    private(set) var entries: [Entry]

    init(_ entries: [Entry]) {
      self.entries = entries
      sort()
    }

    /// Sorts the entries by tag, as required.
    mutating func sort() { entries.sort { $0.tag < $1.tag } }

    mutating func add(_ entry: Entry) {
      entries.append(entry)
      sort()
    }

    var byteCount: Int { 6 + entries.reduce(0) { $0 + 12 + $1.outsideCount } }
  }

  private mutating func append(_ directory: Directory, next: Int) {
    var outside = bytes.count + 6 + 12 * directory.entries.count
    bytes += number(UInt16(directory.entries.count))
    for entry in directory.entries {
      bytes += number(entry.tag) + number(entry.type) + number(UInt32(entry.count))
      if entry.outsideCount > 0 {
        bytes += number(UInt32(outside))
        outside += entry.outsideCount
      } else {
        bytes += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
      }
    }
    bytes += number(UInt32(next))
    for entry in directory.entries where entry.outsideCount > 0 {
      bytes += entry.value + Array(repeating: 0, count: entry.outsideCount - entry.value.count)
    }
  }

  private func number(_ value: some FixedWidthInteger) -> [UInt8] {
    let ordered = camera.isBigEndian ? value.bigEndian : value.littleEndian
    return withUnsafeBytes(of: ordered) { Array($0) }
  }

  private func ascii(_ tag: UInt16, _ text: String) -> Entry {
    Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
  }

  private func short(_ tag: UInt16, _ value: UInt16) -> Entry {
    Entry(tag: tag, type: 3, count: 1, value: number(value))
  }

  private func long(_ tag: UInt16, _ value: UInt32) -> Entry {
    Entry(tag: tag, type: 4, count: 1, value: number(value))
  }

  private func rationals(_ tag: UInt16, _ values: [(UInt32, UInt32)]) -> Entry {
    Entry(
      tag: tag, type: 5, count: values.count,
      value: values.flatMap { number($0.0) + number($0.1) })
  }

  private func undefined(_ tag: UInt16, _ value: [UInt8]) -> Entry {
    Entry(tag: tag, type: 7, count: value.count, value: value)
  }
}

extension Instant {
  /// The time as EXIF text, for example `2020:12:31 23:59:59`.
  fileprivate var exifText: String {
    let text = iso8601.prefix(19).split(separator: "T")
    return text[0].split(separator: "-").joined(separator: ":") + " " + text[1]
  }
}
