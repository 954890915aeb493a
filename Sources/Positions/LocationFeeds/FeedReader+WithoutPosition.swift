import Encodings

/// Messages that are well-formed but hold no position: heartbeats, events, waypoints, statuses.
extension FeedReader {
  /// Returns the format of a complete message without a position; `nil` for text in no known form.
  ///
  /// A message is a query in which a member has a name in ``ReportMember``, or a JSON object, or an
  /// array of objects. One of OwnTracks has a `_type`.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package static func formatWithoutPosition(of message: [UInt8]) -> FeedFormat? {
    DocumentSniffer.isStart(message[...].trimmed.first)
      ? formatOfJSON(message) : isQuery(message) ? .traccar : nil
  }

  private static func isQuery(_ message: [UInt8]) -> Bool {
    let pairs = message[...].trimmed.split(separator: UInt8(ascii: "&"))
    guard pairs.allSatisfy({ $0.contains(UInt8(ascii: "=")) && !$0.contains(where: \.isSpace) })
    else { return false }
    let members = pairs.compactMap { pair in
      ReportMember.Column(name: pair.prefix { $0 != UInt8(ascii: "=") }, in: .query)?.member
    }
    // Half a position is a report that cannot be read.
    return !members.isEmpty && !members.contains(.latitude) && !members.contains(.longitude)
  }

  private static func formatOfJSON(_ message: [UInt8]) -> FeedFormat? {
    var reader = JSONReader(message)
    var (isOwnTracks, isMessage, isEmpty) = (false, true, true)
    do throws(JSONError) {
      if try reader.peek() == .array {
        try reader.elements { reader throws(JSONError) in
          if try reader.peek() != .object { isMessage = false }
          try reader.skipValue()
        }
        (isOwnTracks, isEmpty) = (true, false)
      } else {
        isMessage = try reader.peek() == .object
        try reader.members { reader, key throws(JSONError) in
          isEmpty = false
          if key == "_type" { isOwnTracks = true }
          try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      return nil
    }
    guard isMessage, !isEmpty else { return nil }
    return isOwnTracks ? .owntracks : .traccar
  }
}
