import CivilTime
import PhotoMetadata
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct CanonicalOrderTests {
  @Test(arguments: [91, 92, 93] as [UInt64])
  func `photos are ordered by instant, undated last, then by the bytes of their paths`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    // Some folders lie in others, and some names sort before the slash of a folder.
    let folders = ["a", "a-b", "a/b", "a/-", "a.", "z"]
    let instants = [.min, .min + 1, -1, 0, 1_700_000_000_000, 1_700_000_000_001, Int64.max]
    let rows = (0..<300).map { number in
      let folder = folders.randomElement(using: &generator) ?? "a"
      let name = "\(["-", "b", "z"].randomElement(using: &generator) ?? "")\(number).JPG"
      var row = ShotRow("\(folder)/\(name)", size: Int64(number))
      row.captured = instants.randomElement(using: &generator)
        .flatMap { $0 == .min ? nil : CaptureTime(instant: Instant(millisecondsSince1970: $0)) }
      return row
    }
    let index = PhotoIndex(rows)
    let photos = index.canonicalOrder().map { index.photo(at: $0.row) }
    #expect(photos.count == rows.count)
    let sorted = photos.sorted { left, right in
      switch (left.captured?.instant, right.captured?.instant) {
      case (let one?, let other?) where one != other: one < other
      case (_?, nil): true
      case (nil, _?): false
      default: left.path.string.utf8.lexicographicallyPrecedes(right.path.string.utf8)
      }
    }
    #expect(photos.map(\.path) == sorted.map(\.path), "seed \(seed)")
  }

  @Test func `a photo's row keeps all of its values`() throws {
    let heading = try #require(Heading(degrees: 0, isMagnetic: true))
    let time = CaptureTime(instant: Instant(millisecondsSince1970: -1), utcOffsetMinutes: -210)
    let full = PhotoTable.Photo(
      facts: PhotoFacts(
        file: FileID(1), captured: time, camera: CameraID(2), rating: -1, isFavorite: true,
        focalLength: FocalLengthID(3)),
      coordinate: ShotRow.place, altitudeMeters: 0, horizontalAccuracyMeters: 0.5,
      heading: heading, source: .takeout)
    let bare = PhotoTable.Photo(
      facts: PhotoFacts(file: FileID(1)), coordinate: ShotRow.place, source: .exif)
    var table = PhotoTable()
    table.append(full)
    table.append(bare)
    #expect(table[PhotoID(0)] == full && table[PhotoID(1)] == bare)
  }
}
