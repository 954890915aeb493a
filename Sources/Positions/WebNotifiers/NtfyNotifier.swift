public import HTTPClient
public import SpotAlerts
import SpotWatcher
public import SystemPackage

/// Publishes each alert to a topic of an ntfy server (docs.ntfy.sh/publish).
///
/// The message is the alert's text. A message about a spot opens the page with the camera if there
/// is a link to it, else the spot on a map; a small picture of the cover photo is attached if one
/// can be made. The alert's links become buttons: for those that mute the spot, the app sends the
/// request itself and then clears the message. The alert's id is the `X-Sequence-ID`, so that a
/// retry replaces the first message on the phone (ntfy 2.16 and later).
public struct NtfyNotifier: Notifier {
  /// The notifier's name: `ntfy`.
  public let name = "ntfy"
  private let topic: WebAddress
  private let token: String?
  private let priority: Int
  private let client: WebClient
  private let picture: @Sendable (FilePath) async -> [UInt8]?

  /// Creates a notifier; returns `nil` where the address has no topic.
  ///
  /// - Parameters:
  ///   - topic: The server and the topic: `https://ntfy.sh/my-secret-topic`.
  ///   - token: An access token; it takes precedence over a user and password in the address.
  ///   - priority: From 1, silent, to 5, which keeps ringing; other values are clamped.
  ///   - limitSeconds: The time limit, from connecting to the answer.
  ///   - picture: Creates a small JPEG file of a photo; returns `nil` where that is not possible.
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

  /// The reason why this machine cannot publish alerts, with advice about it; `nil` where it can.
  public var obstacle: String? { WebClient.obstacle }

  /// Publishes the alert.
  ///
  /// If the server rejects the picture, because it accepts none or has reached its daily limit, the
  /// message alone is sent at once.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    if let cover = alert.notification?.spot.cover, let picture = await picture(cover) {
      let answer = await client.exchange(request(alert, picture: picture))
      guard case .answered(let answer) = answer, Self.mayRefuseOnlyThePicture(answer) else {
        return answer.result(of: Self.program, explaining: Self.explanation)
      }
    }
    return await client.send(
      request(alert, picture: nil), to: Self.program, explaining: Self.explanation)
  }

  private static let program = "ntfy"

  /// Returns an explanation of the status 404 or 405: the path is not that of a topic
  /// (`topicPathRegex` of ntfy's `server.go`), or the server is not ntfy.
  private static func explanation(_ answer: WebAnswer) -> String? {
    guard answer.status == 404 || answer.status == 405 else { return nil }
    return """
      the address is not that of a topic; set ntfyURL to the address of ntfy and one name of at \
      most 64 letters, digits, - and _
      """
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

  /// Returns the alert's links as ntfy's action buttons, at most three (docs.ntfy.sh/publish,
  /// "Action buttons").
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
