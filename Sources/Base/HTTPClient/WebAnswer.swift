/// The parts of a server's response that are used.
package struct WebAnswer: Hashable, Sendable {
  /// The status code (RFC 9110, section 15).
  package let status: Int
  /// The header `Retry-After` (section 10.2.3).
  package var retryAfter: String?
  /// The header `Date` (section 6.6.1), to which a time in `Retry-After` is relative.
  package var date: String?
  /// The header `Cache-Control` (RFC 9111, section 5.2).
  package var cacheControl: String?
  /// The header `Location` (RFC 9110, section 10.2.2).
  package var location: String?
  /// The header `Content-Type` (RFC 9110, section 8.3).
  package var contentType: String?
  /// The header `X-Count`, the number of items of a list (PhotoPrism).
  package var itemCount: String?
  /// The body, if it was requested.
  package var body: [UInt8] = []

  /// Whether the body is a web page, by its media type; parameters and letter case do not count.
  package var isWebPage: Bool {
    guard let type = contentType?.split(separator: ";").first else { return false }
    let name = type.filter { $0 != " " && $0 != "\t" }.lowercased()
    return name == "text/html" || name == "application/xhtml+xml"
  }

  /// Creates an answer.
  package init(status: Int, retryAfter: String? = nil, date: String? = nil) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
  }

  /// Creates an answer from a status and the received lines of its head.
  ///
  /// The first of repeated headers counts. Lines that are not headers are skipped.
  package init(status: Int, head: [UInt8], body: [UInt8] = []) {
    self.init(status: status)
    self.body = body
    for line in head.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = String(decoding: Self.trimmed(parts[1]), as: UTF8.self)
      switch String(decoding: parts[0], as: UTF8.self).lowercased() {
      case "retry-after": retryAfter = retryAfter ?? value
      case "date": date = date ?? value
      case "cache-control": cacheControl = cacheControl ?? value
      case "location": location = location ?? value
      case "content-type": contentType = contentType ?? value
      case "x-count": itemCount = itemCount ?? value
      default: break
      }
    }
  }

  /// Returns the status in the first line of a head (RFC 9112, section 4); `nil` if the line is
  /// invalid. The space after the status may be missing, as in answers of some servers.
  ///
  /// libcurl 8.14 reads the first three digits of a longer number, as 200 of `HTTP/1.1 2000 OK`.
  package static func status(inHead head: [UInt8]) -> Int? {
    let line = head.prefix { $0 != 0x0D && $0 != 0x0A }
    guard line.starts(with: "HTTP/1.1 ".utf8) || line.starts(with: "HTTP/1.0 ".utf8) else {
      return nil
    }
    let status = line.dropFirst(9).prefix { $0 != 0x20 }
    guard status.count == 3, status.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: status, as: UTF8.self))
  }

  /// Returns a value without surrounding white space (RFC 9112, section 5).
  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let value = value.drop(while: isSpace)
    return value.prefix(value.lastIndex { !isSpace($0) }.map { $0 + 1 - value.startIndex } ?? 0)
  }
}
