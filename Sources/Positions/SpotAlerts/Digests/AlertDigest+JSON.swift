import CivilTime
import Encodings
import SpotWatcher

extension AlertDigest {
  /// Writes the digest as a JSON object: `id`, `type` (`digest`), `time`, `from`, `until`, `title`,
  /// `text`, `fired` with `count` and `places`, `keptBack` with `decision` and `count`, and
  /// `passedBy` with `count` and `places`.
  func write(to writer: inout JSONWriter, title: String? = nil, text: String? = nil) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("type", "digest")
      writer.member("time", end.iso8601)
      writer.member("from", start.iso8601)
      writer.member("until", end.iso8601)
      writer.member("utcOffset", utcOffsetMinutes)
      writer.member("title", title)
      writer.member("text", text)
      writer.key("fired")
      writer.object { writer in
        writer.member("count", firedCount)
        writer.array("places") { writer in
          for place in fired {
            writer.object { writer in
              writer.member("place", place.name)
              writer.member("count", place.count)
            }
          }
        }
      }
      writer.array("keptBack") { writer in
        for kept in keptBack {
          writer.object { writer in
            writer.member("decision", kept.kind.rawValue)
            writer.member("count", kept.count)
          }
        }
      }
      writer.key("passedBy")
      writer.object { writer in
        writer.member("count", passedByCount)
        writer.array("places") { writer in
          for pass in passedBy {
            writer.object { writer in
              writer.member("place", pass.name)
              writer.member("decision", pass.kind.rawValue)
            }
          }
        }
      }
    }
  }

  /// Reads the format that ``write(to:title:text:)`` writes; unknown members are skipped.
  init(from reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    var (start, end): (Instant?, Instant?)
    var utcOffset = 0
    var fired = Sum()
    var passedBy = Sum()
    var keptBack: [HistoryDigest.KeptBack] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "from": start = try reader.instant()
      case "until": end = try reader.instant()
      case "utcOffset": utcOffset = Int(clamping: try reader.integer())
      case "fired": fired = try Sum(from: &reader)
      case "passedBy": passedBy = try Sum(from: &reader)
      case "keptBack":
        try reader.beginArray()
        while try reader.nextElement() {
          let element = try Element(from: &reader)
          if let kind = element.kind { keptBack.append(.init(kind: kind, count: element.count)) }
        }
      default: try reader.skipValue()
      }
    }
    guard let start, let end, start < end, (-1440...1440).contains(utcOffset) else {
      throw JSONError(offset: offset, reason: "a member of the digest is missing")
    }
    self.init(
      start: start, end: end, utcOffsetMinutes: utcOffset, firedCount: fired.count,
      fired: fired.places.map { Place(name: $0.place, count: $0.count) }, keptBack: keptBack,
      passedByCount: passedBy.count,
      passedBy: passedBy.places.compactMap { element in
        element.kind.map { Pass(name: element.place, kind: $0) }
      })
  }

  /// A number of places, with some of them.
  private struct Sum {
    var count = 0
    var places: [Element] = []

    init() {}

    init(from reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "count": count = try reader.count()
        case "places":
          try reader.beginArray()
          while try reader.nextElement() { places.append(try Element(from: &reader)) }
        default: try reader.skipValue()
        }
      }
    }
  }

  /// A place or a decision with a number.
  private struct Element {
    var place = ""
    var count = 0
    var kind: WatcherDecision.Kind?

    init(from reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "place": place = try reader.string()
        case "count": count = try reader.count()
        case "decision": kind = WatcherDecision.Kind(rawValue: try reader.string())
        default: try reader.skipValue()
        }
      }
    }
  }
}

extension JSONReader {
  /// Reads a count, clamped to the valid range.
  fileprivate mutating func count() throws(JSONError) -> Int {
    min(max(Int(clamping: try integer()), 0), 1_000_000_000)
  }
}
