import Encodings

/// Messages that are well-formed but hold no position: heartbeats, events, waypoints, statuses.
extension FeedReader {
  /// Reads a message of an app, which may consist of several parts: the body and the query of a
  /// request.
  ///
  /// An app keeps a message that is refused at the front of its queue and sends nothing else. So a
  /// heartbeat, an event or a status must be told from other text.
  ///
  /// - Parameters:
  ///   - parts: The parts, of which the first with a known format is read. If none has one, the
  ///     first that is a message without a position counts as one.
  ///   - device: The device's name if the transport knows it.
  /// - Returns: The fixes, the format, and statistics. The format is `nil` for text in no known
  ///   form, which the statistics count as unreadable.
  /// - Complexity: O(*n*) for *n* bytes.
  package static func message(
    in parts: [[UInt8]], device: String? = nil
  ) -> (fixes: [LocationFix], format: FeedFormat?, statistics: FeedStatistics) {
    var unread: FeedStatistics?
    for part in parts where !part.isEmpty {
      let read = fixes(in: part, device: device)
      if read.format != nil { return read }
      unread = unread ?? read.statistics
    }
    for part in parts where !part.isEmpty {
      guard let (format, sender) = messageWithoutPosition(part) else { continue }
      // A tracker id need not be unique.
      let name = format == .owntracks ? device ?? sender : sender ?? device
      return ([], format, FeedStatistics(.withoutPosition, of: name))
    }
    return ([], nil, unread ?? FeedStatistics())
  }

  /// Returns the format and the sender of a complete message without a position; `nil` for other
  /// text.
  ///
  /// A message is a query in which a member has a name in ``ReportMember``, or a JSON object, or an
  /// array of objects. One of OwnTracks has a `_type`.
  private static func messageWithoutPosition(
    _ message: [UInt8]
  ) -> (format: FeedFormat, device: String?)? {
    DocumentSniffer.isStart(message[...].trimmed.first)
      ? jsonWithoutPosition(message) : queryWithoutPosition(message)
  }

  private static func queryWithoutPosition(
    _ message: [UInt8]
  ) -> (format: FeedFormat, device: String?)? {
    let pairs = message[...].trimmed.split(separator: UInt8(ascii: "&"))
    var report = PositionReport()
    var hasMember = false
    for pair in pairs {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")), !pair.contains(where: \.isSpace)
      else { return nil }
      // μlogger logs in, and begins a track, with an `action`.
      if ReportMember.isAction(pair) { hasMember = true }
      guard let column = ReportMember.Column(name: pair[..<sign], in: .query) else { continue }
      hasMember = true
      // Half a position is a report that cannot be read; an empty one is none.
      let isEmpty = pair[(sign + 1)...].isEmpty
      if case .latitude = column.member, !isEmpty { return nil }
      if case .longitude = column.member, !isEmpty { return nil }
      if case .device = column.member {
        let name = TraccarParser.unescaped(pair[(sign + 1)...])
        report.device = report.device ?? String(decoding: name, as: UTF8.self)
      }
    }
    return hasMember ? (.traccar, report.device.flatMap(DeviceName.cleaned)) : nil
  }

  private static func jsonWithoutPosition(
    _ message: [UInt8]
  ) -> (format: FeedFormat, device: String?)? {
    var reader = JSONReader(report: message)
    var (isOwnTracks, isMessage, isEmpty) = (false, true, true)
    // As in a query, a coordinate outside of a message of OwnTracks is of a report that cannot be
    // read.
    var hasCoordinate = false
    var device: String?
    do throws(JSONError) {
      if try reader.peek() == .array {
        try reader.elements { reader throws(JSONError) in
          if try reader.peek() != .object { isMessage = false }
          var (isTyped, isPosition) = (false, false)
          try reader.members { reader, key throws(JSONError) in
            if key == "_type" { isTyped = true }
            if Self.isCoordinate(key), try !Self.isEmpty(&reader) { isPosition = true }
            try reader.skipValue()
          }
          if isPosition, !isTyped { hasCoordinate = true }
        }
        (isOwnTracks, isEmpty) = (!hasCoordinate, false)
      } else {
        isMessage = try reader.peek() == .object
        try reader.members { reader, key throws(JSONError) in
          isEmpty = false
          if key == "_type" { isOwnTracks = true }
          if Self.isCoordinate(key), try !Self.isEmpty(&reader) { hasCoordinate = true }
          try reader.skipValue()
        }
        var again = JSONReader(report: message)
        device = try NestedReports(&again).device
      }
      try reader.end()
    } catch {
      return nil
    }
    guard isMessage, !isEmpty, isOwnTracks || !hasCoordinate else { return nil }
    return (isOwnTracks ? .owntracks : .traccar, device.flatMap(DeviceName.cleaned))
  }

  /// Returns whether the next value is `null` or empty text.
  private static func isEmpty(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    switch try reader.peek() {
    case .null: return true
    case .string:
      var copy = reader
      return try copy.stringBytes().isEmpty
    default: return false
    }
  }

  private static func isCoordinate(_ key: String) -> Bool {
    switch ReportMember.Column(name: key.utf8)?.member {
    case .latitude, .longitude: true
    default: false
    }
  }
}
