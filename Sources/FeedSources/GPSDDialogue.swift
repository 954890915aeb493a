import Interchange
import LocationFeeds

/// What is said to a gpsd, and what its answers mean (gpsd_json(5), "WATCH").
struct GPSDDialogue {
  /// What came of the request, and whether there are reports.
  struct Answer: Hashable {
    /// gpsd says that it will report, for the first time.
    var isAccepted = false
    /// Why nothing will come of it.
    var outage: FeedOutage?
    /// A report of a receiver has come.
    var hasReport = false
  }

  /// Asks for the reports of all receivers, or of one.
  let request: [UInt8]

  private var splitter = LineSplitter()
  private var isAccepted = false

  /// Begins a dialogue, as at the start of each connection.
  init(device: String?) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("enable", true)
      writer.member("json", true)
      writer.member("device", device)
    }
    request = Array("?WATCH=".utf8) + writer.bytes + Array(";\n".utf8)
  }

  /// Looks at what gpsd sent.
  mutating func hear(_ bytes: [UInt8]) -> Answer {
    var answer = Answer()
    splitter.append(bytes)
    while let line = splitter.nextLine() {
      guard case .text(let bytes, let range) = line else { continue }
      if isAccepted {
        if bytes[range].starts(with: Self.reportStart) { answer.hasReport = true }
      } else {
        check(bytes, range, &answer)
      }
    }
    return answer
  }

  /// gpsd always writes the class first.
  private static let reportStart = Array(#"{"class":"TPV""#.utf8)

  private mutating func check(_ bytes: [UInt8], _ line: Range<Int>, _ answer: inout Answer) {
    guard answer.outage == nil, !line.isEmpty else { return }
    guard let message = try? Message(bytes, line) else {
      answer.outage = .notGPSD
      return
    }
    switch message.kind {
    case "WATCH" where message.isEnabled && message.isJSON:
      isAccepted = true
      answer.isAccepted = true
    case "WATCH", "ERROR": answer.outage = .refusedByGPSD
    default: break
    }
  }

  private struct Message {
    var kind = ""
    var isEnabled = false
    var isJSON = false

    init(_ bytes: [UInt8], _ line: Range<Int>) throws(JSONError) {
      var reader = JSONReader(bytes, range: line)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "class": kind = try reader.string()
        case "enable": isEnabled = try reader.boolean()
        case "json": isJSON = try reader.boolean()
        default: try reader.skipValue()
        }
      }
    }
  }
}
