import CivilTime
import Encodings
import Spatial
import SpotWatcher

/// Makes the links of alerts to a page, at the address where receivers reach it.
public struct AlertLinks: Hashable, Sendable {
  /// The zoom of the map behind the camera view.
  private static let zoom = 17

  private let page: String
  /// The key that signs links for actions; `nil` to create no such links.
  private let key: AlertActionKey?

  /// Creates links to a page.
  ///
  /// - Parameters:
  ///   - page: The address of the page without a trailing slash: `https://home.example:8090`.
  ///   - key: The key that signs the links' tokens.
  public init(page: String, key: AlertActionKey) {
    (self.page, self.key) = (page, key)
  }

  /// Creates links to a page that only show the spot.
  ///
  /// - Parameter page: The address of the page without a trailing slash.
  package init(showingSpotsOn page: String) {
    (self.page, key) = (page, nil)
  }

  /// Returns the links of an alert.
  ///
  /// - Parameters:
  ///   - notification: The content of the alert.
  ///   - queued: The time of the firing by the machine's clock, so that the links are the same in
  ///     every attempt.
  /// - Returns: A link for each purpose; without a key, only the link to the page; empty if the
  ///   spot's id is not valid.
  func links(of notification: SpotNotification, queued: Instant) -> [AlertLink] {
    let spot = notification.spot
    let latitude = Degrees.text(spot.coordinate.latitude)
    let longitude = Degrees.text(spot.coordinate.longitude)
    // A kept place that is not pinned to a spot has its own sheet, with or without photos.
    let sheet = spot.place?.id == spot.id ? "place/\(spot.id)" : "spot/\(spot.id)/again"
    let takeAgain = AlertLink(
      purpose: .takeAgain, address: "\(page)/#\(Self.zoom)/\(latitude)/\(longitude)/\(sheet)")
    guard let key else { return [takeAgain] }
    let expiry = queued.advanced(bySeconds: AlertActionKey.validSeconds)
    let action = { (action: AlertAction) in
      key.token(for: action, spotID: spot.id, until: expiry)
        .map { "\(page)/api/v1/actions/\($0)" }
    }
    guard let mute = action(.mute), let notNow = action(.notNow) else { return [] }
    return [
      takeAgain,
      AlertLink(purpose: .mute, address: mute),
      AlertLink(purpose: .notNow, address: notNow),
    ]
  }
}
