public import CivilTime
public import Encodings

/// The sessions of browsers with the key, and their stored form.
///
/// Of each cookie only the SHA-256 hash is kept. A session ends 90 days after its last use.
public struct SessionList: Sendable {
  /// The maximum number of sessions; further ones replace those that were not used for longest.
  public static let capacity = 100
  /// The time in seconds without use after which a session ends: 90 days.
  public static let idleSeconds = 90 * 86_400.0
  /// The change in seconds of the latest use that is worth noting: an hour.
  static let useSeconds = 3600.0
  private static let maximumBrowserLength = 200
  private static let format = "photospots-serve-sessions"
  private static let version: Int64 = 1

  /// The first line of the stored form.
  public static var signature: String { format }

  /// The sessions by the hashes of their cookies, in hexadecimal digits.
  private var sessions: [String: BrowserSession] = [:]
  private let keyHash: String

  /// Creates an empty list.
  ///
  /// - Parameter key: The key with which browsers log in. With another key, all sessions end.
  public init(of key: KeyHashes) { keyHash = Hexadecimal.text(SHA256.hash(key.key)) }

  /// Reads a stored list.
  ///
  /// - Parameters:
  ///   - json: The stored form.
  ///   - key: The key with which browsers log in. The list is empty if it was stored with another.
  /// - Throws: An error if the stored form is damaged or of a newer version.
  public init(json: [UInt8], of key: KeyHashes) throws(JSONError) {
    self.init(of: key)
    let document = try JSONObject(document: json)
    try document.check(format: Self.format, version: Self.version, of: "a list of sessions")
    let stored = try document.array("sessions") { reader throws(JSONError) in
      try Self.session(try JSONObject(&reader))
    }
    guard stored?.count ?? 0 <= Self.capacity else {
      throw document.error("there are too many sessions")
    }
    guard try document.string("key") == keyHash else { return }
    for (hash, session) in stored ?? [] { sessions[hash] = session }
  }

  private static func session(
    _ session: JSONObject
  ) throws(JSONError) -> (hash: String, BrowserSession) {
    let hash = try session.string("hash") ?? ""
    let browser = try session.string("browser") ?? ""
    let address = try session.string("address") ?? ""
    let (opened, used) = (try session.integer("opened") ?? 0, try session.integer("used") ?? 0)
    guard hash.utf8.count == 64, hash.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else {
      throw session.error("a session has no hash")
    }
    return (
      hash,
      BrowserSession(
        id: String(hash.prefix(16)), browser: String(browser.prefix(maximumBrowserLength)),
        address: String(address.prefix(64)), opened: Instant(millisecondsSince1970: opened),
        used: Instant(millisecondsSince1970: used),
        phone: try session.string("phone").map { String($0.prefix(16)) })
    )
  }

  /// The stored form.
  public var json: [UInt8] {
    JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("key", keyHash)
      writer.array("sessions") { writer in
        for (hash, session) in sessions.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.member("hash", hash)
            writer.member("browser", session.browser)
            writer.member("address", session.address)
            writer.member("opened", session.opened.millisecondsSince1970)
            writer.member("used", session.used.millisecondsSince1970)
            writer.member("phone", session.phone)
          }
        }
      }
    }
  }

  /// The sessions, the latest used first.
  public var all: [BrowserSession] {
    sessions.values.sorted { ($1.used, $0.id) < ($0.used, $1.id) }
  }

  /// Returns the session with a cookie's value; `nil` if there is none, or if it has ended.
  ///
  /// - Returns: The session, and whether its latest use changed by an hour or more.
  public mutating func session(
    withCookie value: String, now: Instant
  ) -> (session: BrowserSession, isChanged: Bool)? {
    let hash = Hexadecimal.text(SHA256.hash(Array(value.utf8)))
    guard var session = sessions[hash] else { return nil }
    // A clock that was set back does not end a session.
    guard now.seconds(since: session.used) <= Self.idleSeconds else {
      sessions[hash] = nil
      return nil
    }
    let isChanged = now.seconds(since: session.used).magnitude >= Self.useSeconds
    if isChanged {
      session.used = now
      sessions[hash] = session
    }
    return (session, isChanged)
  }

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - cookie: The value of its cookie: at least 128 unpredictable bits.
  ///   - browser: What the browser says about itself.
  ///   - address: The address of the browser; `nil` if unknown.
  ///   - phone: The id of the phone with which the session ends; `nil` for none.
  ///   - now: The current time.
  public mutating func begin(
    cookie: String, browser: String, address: String?, phone: String? = nil, now: Instant
  ) {
    sessions = sessions.filter { now.seconds(since: $0.value.used) <= Self.idleSeconds }
    while sessions.count >= Self.capacity,
      let oldest = sessions.min(by: { ($0.value.used, $0.key) < ($1.value.used, $1.key) })
    {
      sessions[oldest.key] = nil
    }
    let hash = Hexadecimal.text(SHA256.hash(Array(cookie.utf8)))
    let plain = browser.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    sessions[hash] = BrowserSession(
      id: String(hash.prefix(16)),
      browser: String(String(String.UnicodeScalarView(plain)).prefix(Self.maximumBrowserLength)),
      address: String((address ?? "").prefix(64)), opened: now, used: now, phone: phone)
  }

  /// Ends a session; returns whether there was one.
  public mutating func end(_ id: String) -> Bool { end { $0.id == id } }

  /// Ends the sessions of phones that were removed.
  ///
  /// - Parameter phones: The ids of the phones that there are.
  /// - Returns: Whether there were any.
  public mutating func endAll(ofPhonesExcept phones: Set<String>) -> Bool {
    end { session in session.phone.map { !phones.contains($0) } ?? false }
  }

  private mutating func end(_ isEnded: (BrowserSession) -> Bool) -> Bool {
    let ended = sessions.filter { isEnded($0.value) }
    for hash in ended.keys { sessions[hash] = nil }
    return !ended.isEmpty
  }
}
