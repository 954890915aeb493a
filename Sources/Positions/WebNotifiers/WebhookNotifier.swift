import Encodings
public import HTTPClient
public import SpotAlerts

/// Posts each alert as JSON to an address.
///
/// The header `Idempotency-Key` is the alert's id, the same on every try, by which the receiver can
/// recognise a repeated alert. If there is a secret, `X-PhotoSpots-Signature` is `sha256=` and the
/// HMAC-SHA256 of the body in hexadecimal digits, by which the receiver can verify the sender.
public struct WebhookNotifier: Notifier {
  /// The notifier's name: `webhook`.
  public let name = "webhook"
  private let address: WebAddress
  private let secret: String?
  private let client: WebClient

  /// Creates a notifier.
  ///
  /// - Parameters:
  ///   - address: The address to post to.
  ///   - secret: The key with which the body is signed, as text; `nil` sends no signature.
  ///   - limitSeconds: The time limit, from connecting to the answer.
  public init(address: WebAddress, secret: String? = nil, limitSeconds: Double = 30) {
    self.address = address
    self.secret = secret
    client = WebClient(limitSeconds: limitSeconds)
  }

  /// The reason why this machine cannot post alerts, with advice about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Posts the alert. Any status of success means that it is delivered.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    await client.send(request(alert))
  }

  func request(_ alert: Alert) -> WebRequest {
    let body = Array(alert.ndjson.dropLast())
    var request = WebRequest(.post, to: address, contentType: "application/json", body: body)
    request.add("Idempotency-Key", alert.id)
    if let secret {
      let code = SHA256.authenticationCode(of: body, key: Array(secret.utf8))
      request.add("X-PhotoSpots-Signature", "sha256=\(Hexadecimal.text(code))")
    }
    return request
  }
}
