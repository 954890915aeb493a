public import CivilTime
public import SpotAlerts

/// The action of a link in an alert: a spot is muted at least until an instant.
public struct ActionWork: Hashable, Sendable {
  /// The action.
  public let action: AlertAction
  /// The id of the spot.
  public let spotID: String
  /// The latitude of the spot in degrees.
  public let latitude: Double
  /// The longitude of the spot in degrees.
  public let longitude: Double
  /// The end of the mute.
  public let until: Instant
  /// The token of the link, which works once.
  public let token: String
  /// The end of the token's validity.
  public let expiry: Instant
  /// The name of the spot.
  let title: String
  /// How the answer is written.
  let reader: ActionReader
}

/// The reader of the answer to a link's action.
struct ActionReader: Hashable, Sendable {
  /// The language.
  let language: AlertLanguage
  /// Whether it is a browser, to which a refusal is a page and not JSON.
  let isBrowser: Bool
}
