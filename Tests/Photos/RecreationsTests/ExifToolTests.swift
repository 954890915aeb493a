import CivilTime
import Encodings
import SystemPackage
import TestSupport
import Testing

@testable import Recreations

private let exiftool = ChildProcess.path(of: "exiftool")

/// The metadata that ExifTool reads from the files.
@Suite(
  .enabled(if: exiftool != nil, "skipped: exiftool is not installed"), .timeLimit(.minutes(30)))
struct ExifToolTests {
  private let temporary = TemporaryFolder()

  /// Returns ExifTool's JSON output, by tag.
  private func tags(of path: FilePath) throws -> [String: String] {
    let process = try ChildProcess(
      try #require(exiftool),
      ["-json", "-n", "-a", "-validate", "-warning", "-all", "-w!", "json", path.string])
    process.waitUntilExit()
    var answer = path
    answer.extension = "json"
    var reader = JSONReader(try temporary.contents(of: answer))
    var tags: [String: String] = [:]
    try reader.beginArray()
    guard try reader.nextElement() else { return [:] }
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch try reader.peek() {
      case .string: tags[key] = try reader.string()
      case .number: tags[key] = "\(try reader.double())"
      default: try reader.skipValue()
      }
    }
    return tags
  }

  @Test func `exiftool reads time, position, direction and the original photo, without warnings`()
    throws
  {
    let store = RecreationStore(stateFolder: temporary.path("state"))
    let file = try store.keep(
      try samplePhoto("Scans/house.jpg"), of: .arezzo, score: 0.93,
      in: temporary.path("new"), now: now, localClock: clock
    ).path
    let tags = try tags(of: file)
    #expect(tags["DateTimeOriginal"] == "2026:11:22 10:15:03")
    #expect(tags["OffsetTimeOriginal"] == "+01:00")
    #expect(tags["GPSLatitude"].flatMap(Double.init).map { abs($0 - 43.466448) < 1e-8 } == true)
    #expect(tags["GPSLongitude"].flatMap(Double.init).map { abs($0 - 11.885126) < 1e-8 } == true)
    #expect(tags["GPSAltitude"] == "296.0" && tags["GPSImgDirection"] == "123.5")
    #expect(tags["GPSImgDirectionRef"] == "T" && tags["Orientation"] == "1.0")
    #expect(tags["Source"] == "DSCN0010.jpg" && tags["RecreationOf"] == "DSCN0010.jpg")
    #expect(tags["RecreationOfID"] == "k7mabcdefghijklm" && tags["Score"] == "0.93")
    #expect(tags["Warning"] == nil && tags["Error"] == nil, "\(tags)")
    #expect(tags["Validate"] == "0 0 0", "\(tags)")
  }
}
