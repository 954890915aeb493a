import Encodings
import LocationFeeds

/// The requests to a gpsd and the interpretation of its answers (gpsd_json(5), "WATCH").
struct GPSDDialogue {
  /// The outcome of the request, and the presence of reports.
  struct Answer: Hashable {
    /// gpsd confirmed for the first time that it will report.
    var isAccepted = false
    /// The reason why gpsd will not report; `nil` where it may.
    var outage: FeedOutage?
    /// A report of a receiver has arrived.
    var hasReport = false
  }

  /// The request for the reports of all receivers, or of one.
  let request: [UInt8]

  private var splitter = LineSplitter()
  private var isAccepted = false

  /// Creates a dialogue, at the start of a connection.
  ///
  /// - Parameter device: The receiver whose reports are requested; `nil` requests all.
  init(device: String?) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("enable", true)
      writer.member("json", true)
      writer.member("device", device)
    }
    request = Array("?WATCH=".utf8) + writer.bytes + Array(";\n".utf8)
  }

  /// Interprets the next bytes from gpsd.
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

  /// The start of a report; gpsd always writes the class first.
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
    let kind: String
    let isEnabled: Bool
    let isJSON: Bool

    init(_ bytes: [UInt8], _ line: Range<Int>) throws(JSONError) {
      var reader = JSONReader(bytes, range: line)
      let message = try JSONObject(&reader)
      kind = try message.string("class") ?? ""
      isEnabled = try message.boolean("enable") ?? false
      isJSON = try message.boolean("json") ?? false
    }
  }
}
