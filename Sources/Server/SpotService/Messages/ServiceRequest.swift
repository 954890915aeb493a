/// A request as received.
public struct ServiceRequest: Sendable {
  /// The method, in upper case.
  public let method: String
  /// The path and query, as in the request.
  public let target: String
  /// The header fields in their order; names may have any case.
  public let fields: [(name: String, value: String)]
  /// The body, or the part of it that was read: one byte beyond ``ServiceRoute/bodyLimit`` suffices
  /// to refuse it.
  public let body: [UInt8]
  /// Whether the browser's connection uses TLS, to this program or to a proxy in front of it.
  public let isSecure: Bool
  /// The address of the browser; `nil` if unknown.
  public var address: String?

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

  /// Returns the value of a header field, the first of several; `nil` where there is none.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Returns whether a header field occurs more than once.
  func isRepeated(_ name: String) -> Bool {
    fields.count { $0.name.lowercased() == name.lowercased() } > 1
  }

  /// The path, as in the request.
  var rawPath: Substring { target.prefix { $0 != "?" } }

  /// The query, as in the request, without its question mark.
  var rawQuery: Substring { target.dropFirst(rawPath.count).dropFirst() }
}
