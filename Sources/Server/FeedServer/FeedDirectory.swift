import LocationFeeds

/// Finds the senders of tokens that are kept elsewhere, such as in a database.
package protocol FeedDirectory: Sendable {
  /// Returns whether a token was valid when it was looked up last. Never waits. It decides about
  /// connections only, not about access.
  func isKnown(_ token: [UInt8]) -> Bool

  /// Looks up a token. May wait for a database, and is called on threads that may wait.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - address: The address of the sender; `nil` if unknown.
  /// - Returns: The sender, if the token is valid.
  func lookUp(_ token: [UInt8], from address: String?) -> FeedLookup
}

/// The result of looking up a token.
package enum FeedLookup: Sendable {
  /// The token is valid, and belongs to the sender.
  case found(FeedSender)
  /// The token is not valid.
  case unknown
  /// The token cannot be looked up now; the app sends its message again later.
  case unavailable
}

/// The holder of a token of a ``FeedDirectory``: one device.
package struct FeedSender: Sendable {
  /// The device of all positions, whatever device a message names.
  package let device: String
  /// Stores the content of a message.
  package let take: FeedServer.Taking

  /// Creates a sender.
  package init(device: String, take: @escaping FeedServer.Taking) {
    (self.device, self.take) = (device, take)
  }
}

/// The lookup of tokens by an endpoint, without blocking the threads of asynchronous work.
package struct FeedTokenLookup: Sendable {
  let isKnown: @Sendable (_ token: [UInt8]) -> Bool
  let find: @Sendable (_ token: [UInt8], _ address: String?) async -> FeedLookup

  /// Creates a lookup.
  ///
  /// - Parameters:
  ///   - isKnown: Returns whether a token was valid when it was looked up last; never waits.
  ///   - find: Looks up a token of a sender at an address.
  package init(
    isKnown: @escaping @Sendable (_ token: [UInt8]) -> Bool,
    find: @escaping @Sendable (_ token: [UInt8], _ address: String?) async -> FeedLookup
  ) {
    (self.isKnown, self.find) = (isKnown, find)
  }
}

extension FeedServer.Message {
  /// Returns the message with all reports assigned to one device.
  func assigned(to device: String) -> Self {
    named { _ in device }
  }
}
