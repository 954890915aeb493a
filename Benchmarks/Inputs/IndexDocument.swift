package import CivilTime
package import Encodings
package import Spatial

/// The index file of a library, as written by `photospots index`.
package enum IndexDocument {
  /// The capture time of the first photo.
  static let firstCapture = Instant(secondsSince1970: 1_104_537_600)
  private static let filesPerFolder = 400
  private static let cameras = ["Apple/iPhone 14 Pro", "Google/Pixel 8", "Canon/Canon EOS R6"]

  /// Returns the document (version 1) of photos at positions in order of capture, taken over twenty
  /// years, in folders of four hundred. Three in four are from phones, with altitude, accuracy and
  /// heading.
  package static func make(_ positions: [Coordinate]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", "photospots-index")
      writer.member("version", 1)
      writer.member("generator", "photospots benchmarks")
      writer.member("updated", "2025-01-01T00:00:00.000Z")
      writer.array("roots") { writer in
        writer.object { writer in
          writer.member("path", "/library")
          writer.member("stale", false)
          writer.member("fullyRead", "2025-01-01T00:00:00.000Z")
        }
      }
      writer.array("outcomes") { $0.string("located") }
      writer.array("cameras") { writer in
        for camera in cameras {
          writer.array { writer in
            for name in camera.split(separator: "/") { writer.string(String(name)) }
          }
        }
      }
      writer.array("folders") { writer in
        for folder in stride(from: 0, to: positions.count, by: filesPerFolder) {
          writer.string("/library/\(digits(folder / filesPerFolder, 5))")
        }
      }
      writeFiles(positions.count, to: &writer)
      writePhotos(positions, to: &writer)
      writer.array("shots") { _ in }
    }
    writer.newline()
    return writer.bytes
  }

  /// Returns the capture time of a photo, given the number of photos.
  package static func captured(_ photo: Int, of count: Int) -> Instant {
    let twentyYears = 20 * 365.25 * 86_400
    return firstCapture.advanced(
      bySeconds: (twentyYears * Double(photo) / Double(count)).rounded())
  }

  private static func writeFiles(_ count: Int, to writer: inout JSONWriter) {
    var random = SeededGenerator(seed: 4)
    writer.object("files") { writer in
      writer.array("folder") { writer in
        for file in 0..<count { writer.integer(file / filesPerFolder) }
      }
      writer.array("name") { writer in
        for file in 0..<count { writer.string("IMG_\(digits(file, 7)).JPG") }
      }
      writer.array("size") { writer in
        for _ in 0..<count { writer.integer(Int.random(in: 1_500_000...9_000_000, using: &random)) }
      }
      writer.array("modified") { writer in
        for file in 0..<count {
          let nanoseconds = captured(file, of: count).millisecondsSince1970 * 1_000_000
          writer.integer(nanoseconds + Int64.random(in: 0..<1_000_000_000, using: &random))
        }
      }
      writer.array("inode") { writer in
        for file in 0..<count { writer.integer(7_000_000 + file) }
      }
      writer.array("outcome") { writer in for _ in 0..<count { writer.integer(0) } }
    }
  }

  private static func writePhotos(_ positions: [Coordinate], to writer: inout JSONWriter) {
    let count = positions.count
    var random = SeededGenerator(seed: 5)
    func isPhone(_ photo: Int) -> Bool { photo % 4 != 3 }
    func writeOfPhones(
      _ key: String, _ range: ClosedRange<Int>, per unit: Double, to writer: inout JSONWriter
    ) {
      writer.array(key) { writer in
        for photo in 0..<count {
          let number = Double(Int.random(in: range, using: &random)) / unit
          if isPhone(photo) { writer.number(number) } else { writer.null() }
        }
      }
    }
    writer.object("photos") { writer in
      writer.array("file") { writer in for photo in 0..<count { writer.integer(photo) } }
      writer.array("latitude") { writer in positions.forEach { writer.number($0.latitude) } }
      writer.array("longitude") { writer in positions.forEach { writer.number($0.longitude) } }
      writeOfPhones("altitude", -300...300_000, per: 100, to: &writer)
      writeOfPhones("horizontalAccuracy", 300...6500, per: 100, to: &writer)
      writeOfPhones("heading", 0...35_999, per: 100, to: &writer)
      writer.array("magnetic") { writer in for _ in 0..<count { writer.boolean(false) } }
      writer.array("captured") { writer in
        for photo in 0..<count {
          writer.integer(captured(photo, of: count).millisecondsSince1970)
        }
      }
      writer.array("utcOffset") { writer in
        for photo in 0..<count { if isPhone(photo) { writer.integer(60) } else { writer.null() } }
      }
      writer.array("camera") { writer in
        for photo in 0..<count { writer.integer(isPhone(photo) ? photo % 2 : 2) }
      }
      writer.array("rating") { writer in
        for photo in 0..<count { if photo % 50 == 0 { writer.integer(5) } else { writer.null() } }
      }
      writer.array("favorite") { writer in
        for photo in 0..<count { writer.boolean(photo % 50 == 0) }
      }
      writer.array("source") { writer in for _ in 0..<count { writer.string("EXIF") } }
    }
  }
}

/// Returns a number with leading zeros.
func digits(_ number: Int, _ count: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
}
