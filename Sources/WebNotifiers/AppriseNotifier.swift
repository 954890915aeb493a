import Codecs
import Interchange
public import SpotAlerts
import SpotWatcher
public import SystemPackage
public import WebRequests

/// Sends each alert to the services behind an Apprise API server (github.com/caronc/apprise-api,
/// README, "API Details").
///
/// The server knows the services by a key, or is told them with each alert. The text ends in the
/// address of the page with the camera where there is a link to it, else of the spot on a map; the
/// spot's cover photo goes with it, small, where there is a picture of it.
public struct AppriseNotifier: Notifier {
  /// `apprise`.
  public let name = "apprise"
  private let address: WebAddress
  private let services: String?
  private let client: WebClient
  private let picture: @Sendable (FilePath) async -> [UInt8]?

  /// Creates a notifier; `nil` where the address does not end in `/notify` or `/notify/KEY`.
  ///
  /// - Parameters:
  ///   - address: `http://apprise.local:8000/notify/KEY`, or without a key.
  ///   - services: The addresses of services, such as `mailto://…`, with commas between; for an
  ///     address without a key. `nil` leaves them to the server.
  ///   - limitSeconds: How long the server may take, from the connection to the answer.
  ///   - picture: Makes a small JPEG file of a photo; `nil` where it cannot be shown.
  public init?(
    address: WebAddress, services: String? = nil, limitSeconds: Double = 30,
    picture: @escaping @Sendable (FilePath) async -> [UInt8]? = { _ in nil }
  ) {
    let components = address.path.split(separator: "/")
    let hasKey = components.count > 1 && components[components.count - 2] == "notify"
    guard hasKey || components.last == "notify", !address.path.contains("?") else { return nil }
    self.address = address
    self.services = hasKey ? nil : services
    self.picture = picture
    client = WebClient(limitSeconds: limitSeconds)
  }

  /// Why nothing can be sent from this machine, and what to do about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Sends the alert; a server that does not take the picture is sent the text alone at once.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    if let cover = alert.notification?.spot.cover, let picture = await picture(cover) {
      let answer = await client.exchange(request(alert, picture: picture))
      guard case .answered(let answer) = answer, [400, 413, 415, 431].contains(answer.status)
      else { return answer.result(explaining: Self.explanation) }
    }
    return await client.send(request(alert, picture: nil), explaining: Self.explanation)
  }

  /// What an answer means where the server told nobody (`ResponseCode` of its `views.py`).
  private static func explanation(_ answer: WebAnswer) -> String? {
    switch answer.status {
    // A status of success, all the same.
    case 204:
      "Apprise knows no service to tell; save some under the key of appriseURL, or set appriseServices"
    case 401, 403:
      "Apprise wants another name and password; write them before the host in appriseURL"
    case 404:
      "no Apprise API answers there; set appriseURL to an address that ends in /notify/KEY or /notify"
    // Another try would tell the others again.
    case 424: "Apprise could not tell each of the services; its log says which, and why"
    default: nil
    }
  }

  func request(_ alert: Alert, picture: [UInt8]?) -> WebRequest {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("urls", services)
      writer.member("title", alert.title)
      writer.member("body", alert.text + (alert.place.map { "\n\($0)" } ?? ""))
      writer.member("type", "info")
      writer.member("format", "text")
      guard let picture else { return }
      writer.array("attachment") { writer in
        writer.object { writer in
          writer.member("filename", "spot.jpg")
          writer.member("base64", Base64.text(picture))
        }
      }
    }
    return WebRequest(
      .post, to: address, contentType: "application/json", body: writer.takeBytes())
  }
}
