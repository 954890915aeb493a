import CivilTime
import Interchange

/// Parses request bodies that are small JSON objects.
enum RequestBody {
  /// Returns the instant in `{"until": …}`; `nil` where there is none.
  static func until(_ body: [UInt8]) throws(Problem) -> Instant? {
    guard !body.isEmpty else { return nil }
    guard let text = try members(body, ["until"])["until"] else { return nil }
    guard let until = Instant(iso8601: text) else {
      throw Parameters.bad("until", "must be a time such as 2026-12-01T08:00:00Z")
    }
    return until
  }

  /// Returns the key in `{"key": …}`.
  static func key(_ body: [UInt8]) throws(Problem) -> String {
    guard let key = try members(body, ["key"])["key"] else {
      throw Parameters.bad("key", "is missing")
    }
    return key
  }

  /// Returns the text members of an object; a member that is `null` counts as missing.
  private static func members(
    _ body: [UInt8], _ known: Set<String>
  ) throws(Problem) -> [String: String] {
    do throws(JSONError) {
      var reader = JSONReader(body)
      var found: [String: String] = [:]
      var unknown: String?
      try reader.beginObject()
      while let name = try reader.nextKey() {
        if !known.contains(name) || found[name] != nil { unknown = unknown ?? name }
        if try reader.skipNull() { continue }
        if known.contains(name) {
          found[name] = try reader.string()
        } else {
          try reader.skipValue()
        }
      }
      try reader.end()
      if let unknown {
        throw JSONError(offset: 0, reason: "'\(unknown)' is unknown, or is given twice")
      }
      return found
    } catch {
      throw Problem(
        .badParameter, "The body is not a valid JSON object: \(error.reason).", parameter: "body")
    }
  }
}
