import CivilTime
import Encodings

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

  /// What a browser presents to begin a session.
  enum Login {
    case key(String)
    case code(String)
  }

  /// Returns the key or the code in `{"key": …}` or `{"code": …}`.
  static func login(_ body: [UInt8]) throws(Problem) -> Login {
    let members = try members(body, ["key", "code"])
    switch (members["key"], members["code"]) {
    case (let key?, nil): return .key(key)
    case (nil, let code?): return .code(code)
    case (nil, nil): throw Parameters.bad("key", "is missing")
    case (.some, .some): throw Parameters.bad("code", "cannot be given with a key")
    }
  }

  /// Returns the name in `{"name": …}`, the name of a phone.
  static func phoneName(_ body: [UInt8]) throws(Problem) -> String {
    guard let name = try members(body, ["name"])["name"] else {
      throw Parameters.bad("name", "is missing")
    }
    return name
  }

  /// Returns the name in `{"phone": …}`; `nil` where there is none, or no body.
  static func phone(_ body: [UInt8]) throws(Problem) -> String? {
    body.isEmpty ? nil : try members(body, ["phone"])["phone"]
  }

  /// The most folders of a request.
  private static let maximumFolderCount = 64

  /// Returns the ids and the path in `{"folders": […], "path": …}`; neither need be given.
  static func folders(_ body: [UInt8]) throws(Problem) -> (ids: [String], path: String?) {
    guard !body.isEmpty else { return ([], nil) }
    do throws(JSONError) {
      let object = try JSONObject(document: body)
      for (place, name) in object.keys.enumerated() {
        guard ["folders", "path"].contains(name), !object.keys.prefix(place).contains(name) else {
          throw object.error("'\(name)' is unknown, or is given twice")
        }
      }
      var ids: [String] = []
      var path: String?
      if let kind = object.kind(of: "folders"), kind != .null {
        ids = try object.strings("folders") ?? []
      }
      if let kind = object.kind(of: "path"), kind != .null { path = try object.string("path") }
      guard ids.count <= maximumFolderCount else { throw object.error("too many folders") }
      return (ids, path)
    } catch {
      throw Problem(
        .badParameter, "The body is not a valid JSON object: \(error.reason).", parameter: "body")
    }
  }

  /// Returns the text members of an object; a member that is `null` counts as missing.
  private static func members(
    _ body: [UInt8], _ known: Set<String>
  ) throws(Problem) -> [String: String] {
    do throws(JSONError) {
      let object = try JSONObject(document: body)
      var found: [String: String] = [:]
      for (place, name) in object.keys.enumerated() {
        guard known.contains(name), !object.keys.prefix(place).contains(name) else {
          throw object.error("'\(name)' is unknown, or is given twice")
        }
        if object.kind(of: name) != .null { found[name] = try object.string(name) }
      }
      return found
    } catch {
      throw Problem(
        .badParameter, "The body is not a valid JSON object: \(error.reason).", parameter: "body")
    }
  }
}
