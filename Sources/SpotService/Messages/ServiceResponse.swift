public import Interchange

/// An answer to a request.
public struct ServiceResponse: Sendable {
  /// The status code (RFC 9110, section 15).
  public var status: Int
  /// The header fields but `Content-Length`, and those that every answer has (``SecurityHeaders``).
  public var fields: [(name: String, value: String)]
  /// The body; empty for none.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Creates an answer that is JSON, which a browser asks for again each time.
  public init(status: Int = 200, json write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    self.init(
      status: status,
      fields: [("Content-Type", "application/json"), ("Cache-Control", "private, no-cache")],
      body: writer.takeBytes())
  }

  /// The answer to what was done and has no more to say.
  public static let noContent = ServiceResponse(
    status: 204, fields: [("Cache-Control", "no-store")])

  /// The value of a header field.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
