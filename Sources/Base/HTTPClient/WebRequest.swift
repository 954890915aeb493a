import Encodings

/// An HTTP request.
package struct WebRequest: Hashable, Sendable {
  /// The methods of requests (RFC 9110, section 9.3).
  package enum Method: String, Sendable {
    /// Requests the content at the address.
    case get = "GET"
    /// Submits the body to the address.
    case post = "POST"
    /// Stores the body at the address.
    case put = "PUT"
  }

  /// A header field.
  package struct Header: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: String

    /// The header in libcurl's form (CURLOPT_HTTPHEADER(3)): an empty value is written as a
    /// semicolon.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
  }

  /// The method.
  package let method: Method
  /// The address.
  package let address: WebAddress
  /// The headers, with unique names.
  package private(set) var headers: [Header] = []
  /// The body.
  package let body: [UInt8]

  /// Creates a request with a body and the common headers.
  package init(_ method: Method, to address: WebAddress, contentType: String, body: [UInt8]) {
    self.method = method
    self.address = address
    self.body = body
    add("User-Agent", "PhotoSpots")
    add("Content-Type", contentType)
    add("Authorization", address.authorization)
  }

  /// Creates a request for the content at an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - userAgent: The value of the header `User-Agent`.
  package init(for address: WebAddress, userAgent: String) {
    method = .get
    self.address = address
    body = []
    add("User-Agent", userAgent)
    add("Authorization", address.authorization)
  }

  /// Adds a header, or replaces the one with the same name. Does nothing if the value is `nil`.
  ///
  /// A value with characters other than printable ASCII is written as encoded words (RFC 2047,
  /// section 4), each within the limit of 75 characters. No value can therefore begin another
  /// header.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    headers.removeAll { $0.name == name }
    let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    headers.append(Header(name: name, value: isPlain ? value : Self.encodedWords(value)))
  }

  private static func encodedWords(_ text: String) -> String {
    var words: [[UInt8]] = [[]]
    for character in text.unicodeScalars.map({ Array(String($0).utf8) }) {
      if words[words.count - 1].count + character.count > 45 { words.append([]) }
      words[words.count - 1] += character
    }
    return words.map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: " ")
  }
}
