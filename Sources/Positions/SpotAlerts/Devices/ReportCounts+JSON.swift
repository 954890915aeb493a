package import Encodings
package import LocationFeeds

extension ReportCounts {
  /// Writes the numbers as a JSON object: `received` (the sum), `accepted`, `withoutPosition`,
  /// `refused` by reason, `refusedInARow`, `lastRefusal`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("received", received)
      writer.member("accepted", accepted)
      writer.member("withoutPosition", withoutPosition)
      writer.key("refused")
      writer.object { writer in
        for reason in ReportRefusal.allCases { writer.member(reason.rawValue, refused[reason]) }
      }
      writer.member("refusedInARow", refusedInARow)
      writer.member("lastRefusal", lastRefusal?.rawValue)
    }
  }

  /// Reads the format that ``write(to:)`` writes. Reasons of later versions are skipped.
  ///
  /// - Throws: `JSONError` if a number is out of its range.
  init(from reader: inout JSONReader) throws(JSONError) {
    var (accepted, without, inARow) = (0, 0, 0)
    var refused: [ReportRefusal: Int] = [:]
    var last: ReportRefusal?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "accepted": accepted = try Self.number(&reader)
      case "withoutPosition": without = try Self.number(&reader)
      case "refusedInARow": inARow = try Self.number(&reader)
      case "lastRefusal": last = ReportRefusal(rawValue: try reader.string())
      case "refused":
        try reader.beginObject()
        while let name = try reader.nextKey() {
          let count = try Self.number(&reader)
          if let reason = ReportRefusal(rawValue: name) { refused[reason] = count }
        }
      default: try reader.skipValue()
      }
    }
    self.init(
      accepted: accepted, withoutPosition: without, refused: refused, refusedInARow: inARow,
      lastRefusal: last)
  }

  private static func number(_ reader: inout JSONReader) throws(JSONError) -> Int {
    let start = reader.offset
    let number = try reader.integer()
    guard number >= 0, number <= limit else {
      throw JSONError(offset: start, reason: "a number of reports is out of range")
    }
    return Int(number)
  }
}
