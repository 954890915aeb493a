import SystemPackage
import TestSupport
import Testing

/// A range traps when its lower bound exceeds its upper one, so bounds that are computed must be in
/// order. Ranges of instants cannot fail (`Instant.through`), which the compiler enforces; this
/// finds the others.
@Suite struct RangeTests {
  /// The closed ranges with computed bounds in a file.
  private struct Known {
    let count: Int
    /// Why the bounds are in order.
    let reason: String

    init(_ count: Int, _ reason: String) { (self.count, self.reason) = (count, reason) }
  }

  private static let known: [String: Known] = [
    "Alignment/Border.swift": Known(2, "a pixel of the picture, and those beside it"),
    "Alignment/CommonShift.swift": Known(1, "a column of a matrix, and the one of the results"),
    "Alignment/ComparedPicture.swift": Known(1, "the last pixel is at least the first"),
    "CivilTime/CivilDateTime.swift": Known(1, "constants"),
    "CivilTime/Instant.swift": Known(1, "the operator that cannot fail"),
    "Pictures/Diptychs/Diptych.swift": Known(1, "constants"),
    "Pictures/Diptychs/Drawing/Coverage.swift": Known(2, "the last column is at least the first"),
    "Pictures/Diptychs/PairCrop.swift": Known(2, "sizes of pictures"),
    "Geotagging/ClockEstimate.swift": Known(1, "a positive number of steps in both directions"),
    "Geotagging/RecordedTrack.swift": Known(1, "the first and the last of sorted times"),
    "Encodings/XMLReader.swift": Known(1, "the end of a closing tag, whose length is known"),
    "KeptPlaces/Merging/Register.swift": Known(1, "constants"),
    "LocationFeeds/Parsers/NMEA/NMEACalendar.swift": Known(1, "constants"),
    "LocationFeeds/Parsers/NMEA/NMEASentence+Values.swift": Known(1, "twice the same"),
    "PhotoLibrary/SpotID.swift": Known(1, "bits, and the same with lower ones set"),
    "PhotoLibrary/Tables/ColumnValue.swift": Known(1, "the bounds of a range"),
    "PhotoMetadata/Sidecars/SidecarNames.swift": Known(1, "a constant that is not empty"),
    "Spatial/Written/PositionToken.swift": Known(1, "there is at least one letter"),
    "Spatial/Written/StandardNotation.swift": Known(1, "zero, and one of three constants"),
    "PhotoMetadata/ExifDecoder.swift": Known(1, "the first and the last visible character"),
    "Pictures/HEIFCodec.swift": Known(1, "the width of a picture that was made"),
    "PostgresStore/Photos/CellKey.swift": Known(2, "parts of a range of cells in each of its rows"),
    "PostgresStore/Spots/CellArea.swift": Known(2, "ranges of cells, and of rows, in order"),
    "PostgresStore/Alerts/WatchStore+Postgres.swift": Known(1, "at least one"),
    "SpotMap/PinGrid.swift": Known(2, "a number, and those beside it"),
    "SpotMap/SpotFilter.swift": Known(1, "a constant in both directions"),
    "SpotService/Routes/Service+GeoJSON.swift": Known(1, "constants"),
    "SpotService/Security/SessionKey.swift": Known(1, "constants"),
    "SpotService/Messages/EntityTags.swift": Known(1, "an end that was found after the start"),
    "SpotWatcher/Decisions/PresenceLog.swift": Known(
      2, "rows and columns of a position less and more a distance"),
    "SpotWatcher/SpotMemory.swift": Known(1, "a year, and those beside it"),
    "Spatial/BoundingBox.swift": Known(2, "checked when a box is made"),
    "Spatial/CurveDirectory.swift": Known(3, "nodes of a range of keys, in order"),
    "Spatial/CurveOrder.swift": Known(1, "a key, and the same with lower bits set"),
    "Spatial/EvenGrid.swift": Known(2, "rows and columns of a box, in order"),
    "Spatial/NeighborOrder.swift": Known(2, "patterns with one bound"),
    "Spatial/SpatialIndex+Blocks.swift": Known(1, "an index with positions"),
    "Spatial/SpatialIndex.swift": Known(1, "an index with positions"),
    "Towns/Gazetteer.swift": Known(3, "bands of latitudes in order"),
    "WatchService/Lanes/LaneQueue.swift": Known(1, "constants"),
    "Settings/CommandLineBytes.swift": Known(1, "constants"),
    "PlaceTransfer/ArchivedPhotos.swift": Known(1, "a count"),
    "Settings/Setting+Declarations.swift": Known(4, "a constant of a day"),
  ]

  /// Returns the number of closed ranges in a line of source whose bounds are not both literals or
  /// named limits.
  private static func computedRanges(in line: Substring) -> Int {
    // A regular expression is parsed for each line, which takes half a minute for all.
    guard line.utf8.count(where: { $0 == UInt8(ascii: ".") }) >= 3 else { return 0 }
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    // One-sided ranges have no order, and variadic parameters are no ranges.
    return code.matches(of: /[\w\])"] ?\.\.\. ?[-\w("\[]/).count { match in
      let text = code[match.range]
      guard let dots = text.firstRange(of: "...") else { return false }
      let lower = String(code[..<dots.lowerBound]).replacing(#/ +$/#, with: "")
      let upper = code[dots.upperBound...].drop { $0 == " " }
      return !isFixed(lowerOf: lower) || !isFixed(upperOf: upper)
    }
  }

  private static func isFixed(lowerOf text: String) -> Bool {
    text.contains(/(^|[^\w.)\]])-?[0-9][\w.]*$/) || text.hasSuffix("\"")
      || text.contains(/UInt8\(ascii: "."\)$/)
  }

  /// Named limits: constants such as `maximumCount`, and the bounds of integers.
  private static func isFixed(upperOf text: Substring) -> Bool {
    text.contains(/^-?[0-9.]/) || text.hasPrefix("\"") || text.hasPrefix("UInt8(ascii:")
      || text.contains(/^(\w+\.)?(maximum|longest|latest|lifetime|rereadLifetime)\w*/)
      || text.contains(/^(Int64\()?(\w|\()+\.max\b/) || text.contains(/^[\w.]+\.count[)\]]/)
  }

  @Test(arguments: [
    ("let x = 0...9", 0), ("case UInt8(ascii: \"a\")...UInt8(ascii: \"z\"):", 0),
    ("if (0x80...0xBF).contains(x) {", 0), ("for i in 1...Self.maximumCount {", 0),
    ("let days = start...end", 1), ("(today.start)...now.advanced(bySeconds: 1)", 1),
    ("(0...a - 1).contains(x), (b...c).contains(y)", 2), ("// a...b", 0), ("bytes[start...]", 0),
    ("case ...limit:", 1), ("func run(_ values: Int64...) {", 0), ("a[first] ... b", 1),
    ("-steps...steps", 1), ("0.5...1.5", 0),
  ])
  func `computed ranges are found`(line: String, count: Int) {
    #expect(Self.computedRanges(in: line[...]) == count, "\(line)")
  }

  @Test func `closed ranges with computed bounds occur only where their order is known`() throws {
    let sources = Repository.sources
    var found: [String: Int] = [:]
    for path in Corpus.paths(under: sources) where path.extension == "swift" {
      let file = Repository.name(ofSource: path)
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let count = Self.computedRanges(in: line)
        if count > 0 { found[file, default: 0] += count }
      }
    }
    for (file, count) in found.sorted(by: { $0.key < $1.key })
    where count != Self.known[file]?.count {
      Issue.record(
        """
        \(file): \(count) computed ranges, which trap if the bounds are not in order; use \
        Instant.through, or compare the bounds, and say in this test why they are in order
        """)
    }
    #expect(Set(Self.known.keys).subtracting(found.keys).isEmpty)
  }
}
