import Encodings
public import HTTPClient
public import SpotAlerts
import SpotWatcher
public import SystemPackage

/// Sends each alert to the services behind an Apprise API server (github.com/caronc/apprise-api,
/// README, "API Details").
///
/// The services are stored on the server under a key, or sent with each alert. The text ends with
/// the address of the page with the camera if there is a link to it, else with that of a map. A
/// small picture of the spot's cover photo is attached if one can be made.
public struct AppriseNotifier: Notifier {
  /// The notifier's name: `apprise`.
  public let name = "apprise"
  private let address: WebAddress
  private let services: String?
  private let client: WebClient
  private let picture: @Sendable (FilePath) async -> [UInt8]?

  /// Creates a notifier; returns `nil` where the address does not end in `/notify` or
  /// `/notify/KEY`.
  ///
  /// - Parameters:
  ///   - address: `http://apprise.local:8000/notify/KEY`, or the same without a key.
  ///   - services: The addresses of services, such as `mailto://…`, separated by commas, for an
  ///     address without a key. `nil` leaves the choice to the server.
  ///   - limitSeconds: The time limit, from connecting to the answer.
  ///   - picture: Creates a small JPEG file of a photo; returns `nil` where that is not possible.
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

  /// The reason why this machine cannot send alerts, with advice about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Sends the alert. If the server rejects the picture, the text alone is sent at once.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    if let cover = alert.notification?.spot.cover, let picture = await picture(cover) {
      let answer = await client.exchange(request(alert, picture: picture))
      guard case .answered(let answer) = answer, [400, 413, 415, 431].contains(answer.status)
      else { return answer.result(of: nil, explaining: Self.explanation) }
    }
    return await client.send(request(alert, picture: nil), explaining: Self.explanation)
  }

  /// Returns an explanation of an answer by which the server reports that services were not
  /// notified (`ResponseCode` of its `views.py`).
  private static func explanation(_ answer: WebAnswer) -> String? {
    switch answer.status {
    // 204 means failure here, although it is a status of success.
    case 204:
      "Apprise has no service to notify; save services under the key of appriseURL, or set appriseServices"
    case 401, 403:
      "Apprise refuses the user or password; write USER:PASSWORD@ before the host in appriseURL"
    case 404:
      "the address is not that of an Apprise API; set appriseURL to an address that ends in /notify/KEY or /notify"
    // A retry would notify the other services again.
    case 424: "Apprise could not notify some of the services; its log has the reasons"
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
