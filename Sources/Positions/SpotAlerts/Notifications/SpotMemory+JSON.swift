import Encodings
import PhotoMetadata
import SpotWatcher

extension SpotMemory {
  /// Writes the memory as a JSON object: `years` and `days` since the latest photo,
  /// `anniversaryYears` and `anniversaryDaysAway`, `yearCount`, `heading`, `focalLength`,
  /// `focalLength35mm`, `place`; unknown values are omitted.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("years", sinceLatest?.years)
      writer.member("days", sinceLatest?.days)
      writer.member("anniversaryYears", anniversary?.years)
      writer.member("anniversaryDaysAway", anniversary?.daysAway)
      writer.member("yearCount", yearCount)
      writer.member("heading", headingDegrees)
      writer.member("focalLength", focalLength?.millimeters)
      writer.member("focalLength35mm", focalLength?.millimetersOn35mmFilm)
      writer.member("place", place)
    }
  }

  /// Reads the format that ``write(to:)`` writes; unknown members are skipped.
  init(from reader: inout JSONReader) throws(JSONError) {
    var numbers: [String: Int] = [:]
    var heading: Double?
    var millimeters: Double?
    var place: String?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "years", "days", "anniversaryYears", "anniversaryDaysAway", "yearCount",
        "focalLength35mm":
        numbers[key] = Int(clamping: try reader.integer())
      case "heading": heading = try reader.double()
      case "place": place = try reader.string()
      case "focalLength": millimeters = try reader.double()
      default: try reader.skipValue()
      }
    }
    func pair(_ first: String, _ second: String) -> (Int, Int)? {
      guard let first = numbers[first], let second = numbers[second] else { return nil }
      return (first, second)
    }
    self.init(
      sinceLatest: pair("years", "days").map { Elapsed(years: $0, days: $1) },
      anniversary: pair("anniversaryYears", "anniversaryDaysAway")
        .map { Anniversary(years: $0, daysAway: $1) },
      yearCount: numbers["yearCount"] ?? 0, headingDegrees: heading,
      focalLength: FocalLength(
        millimeters: millimeters, millimetersOn35mmFilm: numbers["focalLength35mm"]), place: place)
  }
}
