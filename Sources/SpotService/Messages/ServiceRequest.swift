/// A request as it came over a connection.
public struct ServiceRequest: Sendable {
  /// The method in capitals.
  public let method: String
  /// The path with its query, as it stands in the request.
  public let target: String
  /// The header fields in their order; names in any case.
  public let fields: [(name: String, value: String)]
  /// The body, or as much of it as was read: one byte beyond ``ServiceRoute/bodyLimit`` is enough
  /// for the answer.
  public let body: [UInt8]
  /// Whether the browser came by TLS, to this program or to a proxy before it.
  public let isSecure: Bool

  /// Creates a request.
  public init(
    method: String, target: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = [], isSecure: Bool = false
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
    self.isSecure = isSecure
  }

  /// The value of a header field; the first where there are several.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Whether a header field occurs more than once.
  func isRepeated(_ name: String) -> Bool {
    fields.count { $0.name.lowercased() == name.lowercased() } > 1
  }

  /// The path as it stands in the request.
  var rawPath: Substring { target.prefix { $0 != "?" } }

  /// The query as it stands in the request, without its question mark.
  var rawQuery: Substring { target.dropFirst(rawPath.count).dropFirst() }
}
