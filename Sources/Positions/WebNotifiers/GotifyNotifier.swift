import Encodings
public import HTTPClient
public import SpotAlerts

/// Sends each alert as a message to a Gotify server (gotify.net/api-docs, `createMessage`).
///
/// A tap opens the page with the camera if there is a link to it, else the spot on a map
/// (gotify.net/docs/msgextras, `client::notification`). Messages have no picture: Gotify accepts no
/// files, and shows pictures only from addresses that need no key, of which there are none.
public struct GotifyNotifier: Notifier {
  /// The notifier's name: `gotify`.
  public let name = "gotify"
  /// The range of priorities. The Android app is silent at 0, and loudest from 8 on.
  public static let priorities = 0...10

  private let address: WebAddress
  private let token: String
  private let priority: Int
  private let client: WebClient

  /// Creates a notifier; returns `nil` where the address has a query.
  ///
  /// - Parameters:
  ///   - server: The server's address, including its path: `https://home.example/gotify`.
  ///   - token: The token of an application of the server.
  ///   - priority: The priority from 0 to 10; other values are clamped.
  ///   - limitSeconds: The time limit, from connecting to the answer.
  public init?(server: WebAddress, token: String, priority: Int = 5, limitSeconds: Double = 30) {
    guard let address = server.appending("message") else { return nil }
    self.address = address
    self.token = token
    self.priority = min(max(priority, Self.priorities.lowerBound), Self.priorities.upperBound)
    client = WebClient(limitSeconds: limitSeconds)
  }

  /// The reason why this machine cannot send alerts, with advice about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Sends the alert as a message.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    await client.send(request(alert), to: "Gotify") { answer in
      switch answer.status {
      case 401, 403:
        "Gotify needs the token of an application, not of a client; set it as gotifyToken"
      case 404: "the address is not that of Gotify; set gotifyURL to the address of Gotify"
      default: nil
      }
    }
  }

  func request(_ alert: Alert) -> WebRequest {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("title", alert.title)
      writer.member("message", alert.text)
      writer.member("priority", priority)
      writer.object("extras") { writer in
        // Plain text, since the message contains foreign names, and Markdown could load remote
        // pictures.
        writer.object("client::display") { $0.member("contentType", "text/plain") }
        guard let place = alert.place else { return }
        writer.object("client::notification") { writer in
          writer.object("click") { $0.member("url", place) }
        }
      }
    }
    var request = WebRequest(
      .post, to: address, contentType: "application/json", body: writer.takeBytes())
    request.add("X-Gotify-Key", token)
    return request
  }
}
