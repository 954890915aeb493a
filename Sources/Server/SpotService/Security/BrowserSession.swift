public import CivilTime

/// A session of a browser that presented the key or a code.
public struct BrowserSession: Hashable, Sendable {
  /// The id, from which the value of the cookie cannot be derived: 16 hexadecimal digits.
  public let id: String
  /// What the browser says about itself (`User-Agent`), at most 200 characters.
  public let browser: String
  /// The address of the browser when the session began; empty if unknown.
  public let address: String
  /// The start of the session.
  public let opened: Instant
  /// The latest use, to the hour.
  public internal(set) var used: Instant
  /// The id of the phone with which the session ends; `nil` for none.
  public let phone: String?
}

/// A code that was valid and is used up.
public struct UsedCode: Hashable, Sendable {
  /// The name of the phone to add; `nil` for a browser alone.
  public let phone: String?

  /// Creates a used code.
  public init(phone: String?) { self.phone = phone }
}

/// Keeps the sessions of browsers, and the codes that begin them.
///
/// Without it, as for the accounts of a store, the cookie is derived from the key, and a session
/// ends with its key.
public protocol BrowserSessions: Sendable {
  /// Returns the session with a cookie's value, and notes its use; `nil` if there is none, or if it
  /// has ended.
  func session(withCookie value: String) -> BrowserSession?

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - browser: What the browser says about itself.
  ///   - address: The address of the browser; `nil` if unknown.
  ///   - phone: The id of the phone with which the session ends; `nil` for none.
  /// - Returns: The value of the cookie.
  /// - Throws: A problem if the session cannot be stored.
  func begin(browser: String, address: String?, phone: String?) throws(Problem) -> String

  /// Ends a session; returns whether there was one.
  ///
  /// - Throws: A problem if its end cannot be stored.
  func end(_ id: String) throws(Problem) -> Bool

  /// The sessions, the latest used first.
  var all: [BrowserSession] { get }

  /// Creates a code with which one browser can begin a session.
  ///
  /// - Parameter phone: The name of the phone that is added then; `nil` for none.
  /// - Returns: The code.
  /// - Throws: A problem if the code cannot be stored.
  func makeCode(forPhone phone: String?) throws(Problem) -> PairingCode

  /// Uses a code up.
  ///
  /// - Parameters:
  ///   - text: The code as it was entered.
  ///   - address: The address of the browser, for the limit of wrong codes.
  /// - Returns: The code; `nil` if it was not valid.
  /// - Throws: A problem after too many wrong codes.
  func redeem(_ text: String, from address: String?) throws(Problem) -> UsedCode?
}
