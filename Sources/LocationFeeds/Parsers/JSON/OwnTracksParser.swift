import Interchange

/// Reads the messages of the OwnTracks apps, a JSON object or an array of them a line, and the
/// lines of the OwnTracks Recorder's `.rec` files, which have a time and a mark before the JSON.
///
/// Messages whose `_type` is `location`, and those with `transition` of a live feed, are positions
/// of the device; waypoints have coordinates too. A transition is where the device was when it
/// entered or left a region, which is its `event` and `desc`; it may lack the position, and is none
/// then. `tst` is seconds since 1970, `vel` km/h, `acc` metres, `batt` percent; −1 stands for
/// unknown, and numbers may be written as strings (OwnTracks Booklet, "JSON"). The device is called
/// by the topic of the message, without `owntracks/`, where the message or what `mosquitto_sub -v`
/// writes before it tells that, else by its tracker id. Each message is a whole report; one that is
/// sent twice is given twice. An encrypted message is told as a fault, since a position is lost
/// with it.
struct OwnTracksParser: LineParser {
  private let namesByTrackerID: Bool
  private let takesTransitions: Bool

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - namesByTrackerID: Whether a device is called by its tracker id, two letters that need not
  ///     be unique, where its messages tell no topic.
  ///   - takesTransitions: Whether transitions are positions. In a recorded track they repeat what
  ///     its locations say, at the times at which a phone woke.
  init(namesByTrackerID: Bool = true, takesTransitions: Bool = true) {
    self.namesByTrackerID = namesByTrackerID
    self.takesTransitions = takesTransitions
  }

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    guard let (_, json) = JSONPayload.find(in: bytes, line: line) else { return false }
    var reader = JSONReader(bytes, range: json)
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
      // An empty message says that a friend was removed.
      return Self.topic(before: bytes[line].trimmed) != nil ? nil : .noReport
    }
    var reader = JSONReader(bytes, range: json)
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

  private func read(
    _ reader: inout JSONReader, _ topic: String?, into fixes: inout [LocationFix]
  ) throws(JSONError) -> LineFault? {
    var message = Message()
    try reader.members { reader, key throws(JSONError) in try message.read(key, from: &reader) }
    var topic = message.topic ?? topic
    switch message.type {
    case "location": break
    case "transition":
      guard takesTransitions, message.report.latitude != nil, message.report.longitude != nil else {
        return nil
      }
      // Its topic is that of the device and `/event` (Booklet, "JSON", "Topics").
      if let name = topic, name.hasSuffix("/event") { topic = String(name.dropLast(6)) }
      message.report.cause = message.event.flatMap(LocationFix.Cause.Event.init(rawValue:))
        .map { LocationFix.Cause($0, region: message.region) }
    case "encrypted": return .encrypted
    default: return nil
    }
    message.report.device = topic ?? (namesByTrackerID ? message.trackerID : nil)
    do throws(LineFault) {
      fixes.append(try message.report.fix())
      return nil
    } catch {
      return error
    }
  }

  /// The device in the text before a message: a topic has levels, and neither spaces nor a time.
  private static func topic(before prefix: ArraySlice<UInt8>) -> String? {
    guard prefix.contains(UInt8(ascii: "/")), !prefix.contains(where: \.isSpace) else { return nil }
    return device(ofTopic: String(decoding: prefix, as: UTF8.self))
  }

  /// The device in a topic `owntracks/user/device`: `user/device`.
  private static func device(ofTopic topic: String) -> String {
    topic.hasPrefix("owntracks/") ? String(topic.dropFirst("owntracks/".count)) : topic
  }

  private struct Message {
    var type = ""
    var topic: String?
    var trackerID: String?
    var event: String?
    var region: String?
    var report = PositionReport()

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "_type": type = try reader.looseText() ?? ""
      case "topic": topic = try reader.looseText().map(OwnTracksParser.device)
      case "event": event = try reader.looseText()
      case "desc": region = try reader.looseText()
      case "tid": trackerID = try reader.looseText()
      case "tst": report.time = try reader.reportedTime()
      case "lat": report.latitude = try reader.looseNumber()
      case "lon": report.longitude = try reader.looseNumber()
      case "alt": report.altitude = try reader.looseNumber()
      case "acc": report.accuracy = try reader.looseNumber()
      case "vel": report.setSpeed(kilometersPerHour: try reader.looseNumber())
      case "cog": report.course = try reader.looseNumber()
      case "batt": report.setBattery(percent: try reader.looseNumber())
      default: try reader.skipValue()
      }
    }
  }
}
