public import Encodings

/// A response to a request.
public struct ServiceResponse: Sendable {
  /// The status code (RFC 9110, section 15).
  public var status: Int
  /// The header fields, without `Content-Length` and those of all responses (``SecurityHeaders``).
  public var fields: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Creates a JSON response, which browsers must revalidate before each use.
  public init(status: Int = 200, json write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    self.init(
      status: status,
      fields: [("Content-Type", "application/json"), ("Cache-Control", "private, no-cache")],
      body: writer.takeBytes())
  }

  /// The response to a request that succeeded without a result.
  public static let noContent = ServiceResponse(
    status: 204, fields: [("Cache-Control", "no-store")])

  /// Returns the value of a header field, the first of several; `nil` where there is none.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
