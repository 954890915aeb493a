import Interchange
public import SpotAlerts
public import WebRequests

/// Sends each alert as a message to a Gotify server (gotify.net/api-docs, `createMessage`).
///
/// A touch opens the page with the camera where there is a link to it, else the spot on a map
/// (gotify.net/docs/msgextras, `client::notification`). Gotify takes no files, and shows a picture
/// only from an address that needs no key, which none of ours is; so it goes without one.
public struct GotifyNotifier: Notifier {
  /// `gotify`.
  public let name = "gotify"
  /// The range of priorities: the Android app is silent with 0, and loudest from 8 on.
  public static let priorities = 0...10

  private let address: WebAddress
  private let token: String
  private let priority: Int
  private let client: WebClient

  /// Creates a notifier; `nil` where the address has a query.
  ///
  /// - Parameters:
  ///   - server: The server, with the path that it is found under:
  ///     `https://home.example/gotify`.
  ///   - token: The token of an application of the server.
  ///   - priority: From 0 to 10.
  ///   - limitSeconds: How long the server may take, from the connection to the answer.
  public init?(server: WebAddress, token: String, priority: Int = 5, limitSeconds: Double = 30) {
    guard let address = server.appending("message") else { return nil }
    self.address = address
    self.token = token
    self.priority = min(max(priority, Self.priorities.lowerBound), Self.priorities.upperBound)
    client = WebClient(limitSeconds: limitSeconds)
  }

  /// Why nothing can be sent from this machine, and what to do about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Sends the message.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    await client.send(request(alert)) { answer in
      switch answer.status {
      case 401, 403:
        "Gotify wants the token of an application, not of a client; set gotifyToken to it"
      case 404: "no Gotify answers there; set gotifyURL to the address of the server"
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
        // The names in it are other people's, and Markdown could hold pictures to be fetched.
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
