/// A link that goes with an alert about a spot.
public struct AlertLink: Hashable, Sendable {
  /// The purpose of a link.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// Opens the page with the camera over the spot's cover.
    case takeAgain
    /// Mutes the spot for good; posted to, or opened and confirmed.
    case mute
    /// Mutes the spot until a day after the alert; posted to, or opened and confirmed.
    case notNow
  }

  /// The purpose.
  public let purpose: Purpose
  /// Its address.
  public let address: String

  package init(purpose: Purpose, address: String) {
    (self.purpose, self.address) = (purpose, address)
  }
}

extension AlertLanguage {
  /// The label of a button that follows a link.
  public func label(of purpose: AlertLink.Purpose) -> String {
    switch purpose {
    case .takeAgain: words.takeAgain
    case .mute: words.mute
    case .notNow: words.notNow
    }
  }
}
