public import Encodings

/// Changes to settings: a merge patch (RFC 7396) for the settings file.
public struct SettingsPatch: Sendable {
  /// The changed settings: the new value as JSON, or `nil` to restore the default.
  private let changes: [(name: String, json: [UInt8]?)]

  /// Parses a patch.
  ///
  /// - Parameter body: A JSON object whose members are settings; `null` removes a setting from the
  ///   file.
  /// - Throws: A problem where the body is not an object, or repeats a setting.
  public init(_ body: [UInt8]) throws(Problem) {
    do throws(JSONError) {
      var seen: Set<String> = []
      var changes: [(name: String, json: [UInt8]?)] = []
      for member in try Self.members(body) {
        guard seen.insert(member.name).inserted else {
          throw JSONError(offset: 0, reason: "'\(member.name)' is given twice")
        }
        changes.append((member.name, member.json == Array("null".utf8) ? nil : member.json))
      }
      self.changes = changes
    } catch {
      throw Problem(
        .badParameter, "The body is not a valid JSON object: \(error.reason).", parameter: "body")
    }
  }

  /// The names of the changed settings.
  public var names: [String] { changes.map(\.name) }

  /// Returns the new value of a setting as JSON; `nil` where it is not changed, or removed.
  public func json(of name: String) -> [UInt8]? {
    changes.first { $0.name == name }.flatMap(\.json)
  }

  /// Returns the settings file with the changes applied. Other settings keep their text and order.
  ///
  /// - Parameter document: The content of the file; empty for none.
  /// - Returns: The new content, one member per line.
  /// - Throws: `JSONError` where the file is not a JSON object; it should then be left unchanged.
  public func applied(to document: [UInt8]) throws(JSONError) -> [UInt8] {
    var members = document.isEmpty ? [] : try Self.members(document)
    for change in changes {
      let place = members.firstIndex { $0.name == change.name }
      members.removeAll { $0.name == change.name }
      if let json = change.json {
        members.insert((change.name, json), at: min(place ?? members.count, members.count))
      }
    }
    guard !members.isEmpty else { return Array("{}\n".utf8) }
    var text = Array("{\n".utf8)
    for (number, member) in members.enumerated() {
      var key = JSONWriter()
      key.string(member.name)
      text += Array("  ".utf8) + key.bytes + Array(": ".utf8) + member.json
      text += Array(number + 1 < members.count ? ",\n".utf8 : "\n".utf8)
    }
    return text + Array("}\n".utf8)
  }

  /// Returns the members of an object, with their values as written.
  private static func members(
    _ document: [UInt8]
  ) throws(JSONError) -> [(name: String, json: [UInt8])] {
    var reader = JSONReader(document: document)
    var members: [(name: String, json: [UInt8])] = []
    try reader.beginObject()
    while let name = try reader.nextKey() {
      _ = try reader.peek()
      let start = reader.offset
      try reader.skipValue()
      members.append((name, Array(document[start..<reader.offset])))
    }
    try reader.end()
    return members
  }
}
