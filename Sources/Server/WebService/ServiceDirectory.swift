package import SpotService

/// The API for one user: its answers, the work for them, and the events of its pages.
package struct ServedAccount: Sendable {
  /// The API.
  package let service: Service
  /// Performs the work that the API requests.
  package let outside: any ServiceEffects
  /// The events for open pages.
  package let events: EventHub
  /// Waits until the data of the account can be answered from, without keeping a thread; returns a
  /// problem if they cannot be read. `nil` where that never takes long.
  package let prepare: (@Sendable () async -> Problem?)?

  /// Creates an account.
  package init(
    service: Service, outside: any ServiceEffects, events: EventHub,
    prepare: (@Sendable () async -> Problem?)? = nil
  ) {
    (self.service, self.outside, self.events) = (service, outside, events)
    self.prepare = prepare
  }
}

/// Finds the account that a request is for.
///
/// A program with one user has one account. A program that serves a store has one for each key of
/// the store, and each request is answered by the account whose key it presents, and no other.
package protocol ServiceDirectory: Sendable {
  /// The account for requests without a valid key: the only one of a program with one user. In a
  /// program that serves a store, it has a key that nobody knows, so it refuses such requests.
  var strangers: ServedAccount { get }

  /// Returns the account whose key or cookie a request presents; ``strangers`` where there is none.
  ///
  /// May wait for a database, and is called on threads that may wait. The account's ``Service``
  /// checks the key again.
  ///
  /// - Throws: A problem where the key cannot be looked up now.
  func account(of request: ServiceRequest) throws(Problem) -> ServedAccount

  /// Returns whether a request presents a key or cookie that was valid when it was looked up last.
  /// Never waits. It decides about connections only, not about access.
  func isKnown(_ request: ServiceRequest) -> Bool

  /// Limits the number of open pages.
  func limitPages(to count: Int)

  /// Sends a keep-alive comment to all open pages.
  func keepAlive()

  /// Ends the streams of all open pages.
  func end()
}

/// The directory of a program with one user.
struct SingleAccount: ServiceDirectory {
  let strangers: ServedAccount

  func account(of request: ServiceRequest) -> ServedAccount { strangers }

  func isKnown(_ request: ServiceRequest) -> Bool { strangers.service.isOpen(to: request) }

  func limitPages(to count: Int) { strangers.events.limit(to: count) }

  func keepAlive() { strangers.events.keepAlive() }

  func end() { strangers.events.end() }
}
