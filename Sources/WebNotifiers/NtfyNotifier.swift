public import SpotAlerts
import SpotWatcher
public import SystemPackage
public import WebRequests

/// Publishes each alert to a topic of an ntfy server (docs.ntfy.sh/publish).
///
/// The message is the alert's text. That about a spot opens the page with the camera where there is
/// a link to it, else the spot on a map, and the spot's cover photo goes with it, small, where
/// there is a picture of it. The alert's links are its buttons: what mutes the spot is posted by
/// the app itself, which then clears the message. The alert's id is its `X-Sequence-ID`, so that a
/// second try replaces the first on the phone (ntfy 2.16 and later).
public struct NtfyNotifier: Notifier {
  /// `ntfy`.
  public let name = "ntfy"
  private let topic: WebAddress
  private let token: String?
  private let priority: Int
  private let client: WebClient
  private let picture: @Sendable (FilePath) async -> [UInt8]?

  /// Creates a notifier; `nil` where the address names no topic.
  ///
  /// - Parameters:
  ///   - topic: The server and the topic: `https://ntfy.sh/my-secret-topic`.
  ///   - token: An access token; it wins over a name and a password in the address.
  ///   - priority: From 1, which makes no sound, to 5, which keeps ringing.
  ///   - limitSeconds: How long the server may take, from the connection to the answer.
  ///   - picture: Makes a small JPEG file of a photo; `nil` where it cannot be shown.
  public init?(
    topic: WebAddress, token: String? = nil, priority: Int = 3, limitSeconds: Double = 30,
    picture: @escaping @Sendable (FilePath) async -> [UInt8]? = { _ in nil }
  ) {
    guard topic.path.contains(where: { $0 != "/" }), !topic.path.contains("?") else { return nil }
    self.topic = topic
    self.token = token
    self.priority = min(max(priority, 1), 5)
    self.picture = picture
    client = WebClient(limitSeconds: limitSeconds)
  }

  /// Why nothing can be published from this machine, and what to do about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Publishes the alert.
  ///
  /// A server that does not take the picture, because it takes none or has taken enough today, is
  /// sent the message alone at once.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    if let cover = alert.notification?.spot.cover, let picture = await picture(cover) {
      let answer = await client.exchange(request(alert, picture: picture))
      guard case .answered(let answer) = answer, Self.mayRefuseOnlyThePicture(answer) else {
        return answer.result
      }
    }
    return await client.send(request(alert, picture: nil))
  }

  private static func mayRefuseOnlyThePicture(_ answer: WebAnswer) -> Bool {
    [400, 413, 415, 429, 507].contains(answer.status)
  }

  func request(_ alert: Alert, picture: [UInt8]?) -> WebRequest {
    var request: WebRequest
    if let picture {
      request = WebRequest(.put, to: topic, contentType: "image/jpeg", body: picture)
      request.add("Filename", "spot.jpg")
      request.add("Message", alert.text)
    } else {
      request = WebRequest(
        .post, to: topic, contentType: "text/plain; charset=utf-8",
        body: Array(alert.text.utf8))
    }
    if let token { request.add("Authorization", "Bearer \(token)") }
    request.add("Title", alert.title)
    request.add("Priority", "\(priority)")
    request.add("Tags", "camera")
    request.add("Click", alert.place)
    request.add("Actions", Self.actions(of: alert))
    request.add("X-Sequence-ID", alert.id)
    return request
  }

  /// The alert's links as ntfy's buttons (docs.ntfy.sh/publish, "Action buttons"): three at most.
  private static func actions(of alert: Alert) -> String? {
    let actions = alert.links.map { link in
      let label = "\"\(alert.language.label(of: link.purpose))\", \"\(link.address)\""
      return switch link.purpose {
      case .takeAgain: "view, \(label)"
      case .mute, .notNow: "http, \(label), method=POST, clear=true"
      }
    }
    return actions.isEmpty ? nil : actions.joined(separator: "; ")
  }
}
