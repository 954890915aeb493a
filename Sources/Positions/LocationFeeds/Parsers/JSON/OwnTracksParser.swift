import CivilTime
import Encodings

/// Reads the messages of the OwnTracks apps, one JSON object or array of objects per line, and the
/// lines of the OwnTracks Recorder's `.rec` files, which hold a time and a mark before the JSON.
///
/// Messages of `_type` `location` are positions of the device, and in a live feed so are those of
/// type `transition`. Other types, such as waypoints, are skipped even if they have coordinates. A
/// transition is the position at which the device entered or left a region (`event` and `desc`); it
/// is skipped if it has no position. `tst` is in seconds since 1970, `vel` in km/h, `acc` in
/// metres, `batt` in percent; `created_at` is the time at which the message was made. −1 means
/// unknown, and numbers may be written as strings (OwnTracks Booklet, "JSON").
///
/// The device is named after the topic, without `owntracks/`. The topic is in the message or, as
/// `mosquitto_sub -v` writes it, before it; without a topic, the name is the tracker id. Each
/// message is a complete report, and repeated messages are returned again. An encrypted message is
/// a fault, since its position is lost.
struct OwnTracksParser: LineParser {
  private var skipped = ReportOutcomes()
  private let namesByTrackerID: Bool
  private let takesTransitions: Bool

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - namesByTrackerID: Whether a device without a topic is named after its tracker id: two
  ///     letters that need not be unique.
  ///   - takesTransitions: Whether transitions are positions. In a recorded track they only repeat
  ///     its locations, with the times at which the phone woke.
  init(namesByTrackerID: Bool = true, takesTransitions: Bool = true) {
    self.namesByTrackerID = namesByTrackerID
    self.takesTransitions = takesTransitions
  }

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    guard let (_, json) = JSONPayload.find(in: bytes, line: line) else { return false }
    var reader = JSONReader(report: bytes, range: json)
    var isMessage = false
    do throws(JSONError) {
      if try reader.peek() == .array {
        try reader.elements { reader throws(JSONError) in
          if try isTyped(&reader) { isMessage = true }
        }
      } else {
        isMessage = try isTyped(&reader)
      }
      try reader.end()
    } catch {
      return false
    }
    return isMessage
  }

  private static func isTyped(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    var isTyped = false
    try reader.members { reader, key throws(JSONError) in
      if key == "_type" { isTyped = true }
      try reader.skipValue()
    }
    return isTyped
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    guard let (prefix, json) = JSONPayload.find(in: bytes, line: line) else {
      // An empty message on a topic announces that a friend was removed.
      let text = bytes[line].trimmed
      guard !text.contains(where: \.isSpace), let device = Self.topic(before: text) else {
        return .noReport
      }
      skipped.add(.withoutPosition, of: device)
      return nil
    }
    var reader = JSONReader(report: bytes, range: json)
    let topic = Self.topic(before: prefix)
    var fault: LineFault?
    do throws(JSONError) {
      if try reader.peek() == .array {
        try reader.elements { reader throws(JSONError) in
          let found = try read(&reader, topic, into: &fixes)
          fault = fault ?? found
        }
      } else {
        fault = try read(&reader, topic, into: &fixes)
      }
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    return fault
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  /// Reads a message and appends its fix, if it is a position; returns its fault.
  private mutating func read(
    _ reader: inout JSONReader, _ topic: String?, into fixes: inout [LocationFix]
  ) throws(JSONError) -> LineFault? {
    var message = Message()
    try reader.members { reader, key throws(JSONError) in try message.read(key, from: &reader) }
    var topic = message.topic ?? topic
    // The topics of other messages are that of the device with a word added (Booklet, "JSON",
    // "Topics").
    if message.type != "location" { topic = topic.map(Self.deviceTopic) }
    let device = topic ?? (namesByTrackerID ? message.trackerID : nil)
    let hasPosition = message.report.latitude != nil && message.report.longitude != nil
    switch message.type {
    case "location": break
    case "transition" where takesTransitions && hasPosition:
      message.report.cause = message.event.flatMap(LocationFix.Cause.Event.init(rawValue:))
        .map { LocationFix.Cause($0, region: message.region) }
    case "encrypted": return .encrypted
    default:
      skipped.add(.withoutPosition, of: device)
      return nil
    }
    message.report.device = device
    if message.report.isWithoutPosition {
      skipped.add(.withoutPosition, of: device)
      return nil
    }
    // A message without the time of its position was made when it was taken.
    if message.report.time == .missing, let sent = message.sent { message.report.time = .at(sent) }
    do throws(LineFault) {
      var fix = try message.report.fix()
      fix.sent = message.sent
      fixes.append(fix)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the device named by a topic before a message; `nil` where no word of the text is a
  /// topic.
  ///
  /// A logger may have written a time before or behind it (`mosquitto_sub -F '%I %t %p'`). Unlike a
  /// date, a topic has letters.
  private static func topic(before prefix: ArraySlice<UInt8>) -> String? {
    let words = prefix.split(whereSeparator: \.isSpace)
    let topics = words.filter { word in
      word.contains(UInt8(ascii: "/")) && (words.count == 1 || word.contains { $0 > 0x40 })
    }
    guard topics.count == 1, let topic = topics.first else { return nil }
    return device(ofTopic: String(decoding: topic, as: UTF8.self))
  }

  /// Returns the device named by a topic: `user/device` for `owntracks/user/device`.
  private static func device(ofTopic topic: String) -> String {
    topic.hasPrefix("owntracks/") ? String(topic.dropFirst("owntracks/".count)) : topic
  }

  /// Returns the topic of the device that sent a message of another kind.
  private static func deviceTopic(of topic: String) -> String {
    let words = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count > 2, let last = words.last, subtopics.contains(String(last)) else {
      return topic
    }
    return words.dropLast().joined(separator: "/")
  }

  private static let subtopics: Set = [
    "event", "waypoint", "waypoints", "step", "status", "info", "dump", "beacon", "cmd", "request",
  ]

  private struct Message {
    var type = ""
    var topic: String?
    var trackerID: String?
    var event: String?
    var region: String?
    var sent: Instant?
    var report = PositionReport()

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "_type": type = try reader.looseText() ?? ""
      case "topic": topic = try reader.looseText().map(OwnTracksParser.device)
      case "event": event = try reader.looseText()
      case "desc": region = try reader.looseText()
      case "created_at": sent = try reader.reportedTime().instant
      case "tid": trackerID = try reader.looseText()
      default: try report.readMember(key, in: .ownTracks, from: &reader)
      }
    }
  }
}
