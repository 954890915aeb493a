/// A link in an alert about a spot.
public struct AlertLink: Hashable, Sendable {
  /// The purpose of a link.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// Opens the page with the camera over the spot's cover.
    case takeAgain
    /// Mutes the spot until 30 days after the alert, once, by a POST request or after a
    /// confirmation on the opened page.
    case mute
    /// Mutes the spot until a day after the alert, once, by a POST request or after a confirmation
    /// on the opened page.
    case notNow
  }

  /// The purpose.
  public let purpose: Purpose
  /// The URL.
  public let address: String

  package init(purpose: Purpose, address: String) {
    (self.purpose, self.address) = (purpose, address)
  }
}

extension AlertLanguage {
  /// Returns the label of a button for a link.
  public func label(of purpose: AlertLink.Purpose) -> String {
    switch purpose {
    case .takeAgain: words.takeAgain
    case .mute: words.mute
    case .notNow: words.notNow
    }
  }
}
