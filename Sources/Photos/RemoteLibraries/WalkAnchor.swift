import CivilTime
import Encodings

/// The starting point of the next walk over a library, which the index stores as text with the
/// root.
struct WalkAnchor: Hashable {
  /// The start of the previous walk, by the server's clock.
  var since: Instant
  /// The hash of the members that show whether albums changed.
  var albums: String?

  init(since: Instant, albums: String?) { (self.since, self.albums) = (since, albums) }

  /// Parses the form of ``text``; returns `nil` for any other text.
  init?(_ text: String) {
    guard let anchor = try? JSONObject(document: Array(text.utf8)),
      let since = try? anchor.text("since")?.instant
    else { return nil }
    self.init(since: since, albums: (try? anchor.text("albums")) ?? nil)
  }

  var text: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("since", since.iso8601)
      writer.member("albums", albums)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONReader {
  /// Reads an array of pairs, each an array of two strings.
  mutating func pairs() throws(JSONError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    try beginArray()
    while try nextElement() {
      var parts: [String] = []
      try beginArray()
      while try nextElement() { parts.append(try string()) }
      guard parts.count == 2 else {
        throw JSONError(offset: offset, reason: "a pair is [text, text]")
      }
      pairs.append((parts[0], parts[1]))
    }
    return pairs
  }
}
