package import LocationFeeds

/// The tokens of phones that are added and removed while a server runs, besides its
/// ``DeviceTokens``.
///
/// All reports with such a token are those of one device, whatever device they name.
package protocol PhoneTokens: Sendable {
  /// Whether each request needs a token, since phones have some.
  var areNeeded: Bool { get }
  /// The names of all phones.
  var names: Set<String> { get }

  /// Returns the phone with a token; `nil` if there is none. Never waits.
  func phone(showing token: [UInt8]) -> PhoneHolder?

  /// Reads the phones again if they have changed. May wait for a disk, and is called on threads
  /// that may wait.
  func readAgain()

  /// Notes that a report of a phone was stored. Never waits.
  func noteUse(of phone: PhoneHolder, format: FeedFormat)
}

/// The phone of a token.
package struct PhoneHolder: Hashable, Sendable {
  /// The id.
  package let id: String
  /// The name, which is that of the device of all reports.
  package let name: String

  /// Creates the phone of a token.
  package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}
