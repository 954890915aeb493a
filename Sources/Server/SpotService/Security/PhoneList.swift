public import CivilTime
public import Encodings
import LocationFeeds

/// A phone that may report its position with a token of its own.
public struct Phone: Hashable, Sendable {
  /// The id, from which the token cannot be derived: 16 hexadecimal digits.
  public let id: String
  /// The name, which is also that of the device of its reports.
  public internal(set) var name: String
  /// The time at which the token was made.
  public let added: Instant
  /// The latest report, to the hour; `nil` before the first one.
  public internal(set) var used: Instant?
  /// The format of the latest reports, as `FeedFormat` names it; `nil` before the first one.
  public internal(set) var app: String?
}

/// A reason why a phone cannot be added or renamed.
public enum PhoneListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name has no visible characters, or too many.
  case badName
  /// Another phone has the name.
  case nameTaken
  /// There are too many phones.
  case full

  /// The reason, with what to do.
  public var description: String {
    switch self {
    case .badName:
      "a phone's name has 1 to \(DeviceName.maximumLength) visible characters"
    case .nameTaken: "there is a phone with this name; remove it, or choose another name"
    case .full: "there are \(PhoneList.capacity) phones; remove one first"
    }
  }
}

/// The phones with a token, and their stored form.
///
/// Of each token only the SHA-256 hash is kept. A token has 128 random bits, so it cannot be
/// derived from its hash, and the hash needs no salt.
public struct PhoneList: Hashable, Sendable {
  /// The maximum number of phones.
  public static let capacity = 64
  /// The number of random bytes of a token.
  public static let tokenByteCount = 16
  /// The change in seconds of the latest use that is worth noting: an hour.
  public static let useSeconds = 3600.0
  /// The first line of the stored form.
  public static var signature: String { format }

  private static let format = "photospots-phones"
  private static let version: Int64 = 1
  private static let maximumAppLength = 32

  /// The phones by the hashes of their tokens, in hexadecimal digits.
  private var phones: [String: Phone] = [:]

  /// Creates an empty list.
  public init() {}

  /// Reads a stored list.
  ///
  /// - Throws: An error if the stored form is damaged or of a newer version.
  public init(json: [UInt8]) throws(JSONError) {
    let document = try JSONObject(document: json)
    try document.check(format: Self.format, version: Self.version, of: "a list of phones")
    let stored = try document.array("phones") { reader throws(JSONError) in
      try Self.phone(try JSONObject(&reader))
    }
    guard stored?.count ?? 0 <= Self.capacity else {
      throw document.error("there are too many phones")
    }
    for (hash, phone) in stored ?? [] {
      guard phones[hash] == nil, !isTaken(phone.name) else {
        throw document.error("two phones have the same name or token")
      }
      phones[hash] = phone
    }
  }

  private static func phone(_ phone: JSONObject) throws(JSONError) -> (hash: String, Phone) {
    let hash = try phone.string("hash") ?? ""
    let name = try phone.string("name") ?? ""
    guard hash.utf8.count == 64, hash.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else { throw phone.error("a phone has no hash") }
    guard isName(name) else { throw phone.error("a phone has no valid name") }
    return (
      hash,
      Phone(
        id: String(hash.prefix(16)), name: name,
        added: Instant(millisecondsSince1970: try phone.integer("added") ?? 0),
        used: try phone.integer("used").map { Instant(millisecondsSince1970: $0) },
        app: try phone.string("app").map { String($0.prefix(maximumAppLength)) })
    )
  }

  /// The stored form.
  public var json: [UInt8] {
    JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.array("phones") { writer in
        for (hash, phone) in phones.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.member("hash", hash)
            writer.member("name", phone.name)
            writer.member("added", phone.added.millisecondsSince1970)
            if let used = phone.used { writer.member("used", used.millisecondsSince1970) }
            writer.member("app", phone.app)
          }
        }
      }
    }
  }

  /// The phones, in the order in which they were added.
  public var all: [Phone] { phones.values.sorted { ($0.added, $0.id) < ($1.added, $1.id) } }

  /// Returns the phone with a token; `nil` if there is none.
  public func phone(showing token: [UInt8]) -> Phone? {
    phones[Hexadecimal.text(SHA256.hash(token))]
  }

  /// Checks that a phone of a name can be added.
  ///
  /// - Throws: The reason why it cannot.
  public func check(name: String) throws(PhoneListError) {
    guard Self.isName(name) else { throw .badName }
    guard !isTaken(name) else { throw .nameTaken }
    guard phones.count < Self.capacity else { throw .full }
  }

  /// Adds a phone.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - token: At least 128 unpredictable bits.
  ///   - now: The current time.
  /// - Returns: The phone.
  /// - Throws: The reason why it cannot be added.
  public mutating func add(
    _ name: String, token: String, now: Instant
  ) throws(PhoneListError) -> Phone {
    try check(name: name)
    let hash = Hexadecimal.text(SHA256.hash(Array(token.utf8)))
    let phone = Phone(
      id: String(hash.prefix(16)), name: name, added: now, used: nil, app: nil)
    phones[hash] = phone
    return phone
  }

  /// Renames a phone; returns whether there is one with the id.
  ///
  /// - Throws: The reason why the name cannot be used.
  public mutating func rename(_ id: String, to name: String) throws(PhoneListError) -> Bool {
    guard let hash = hash(of: id) else { return false }
    guard Self.isName(name) else { throw .badName }
    guard phones[hash]?.name == name || !isTaken(name, exceptBy: id) else { throw .nameTaken }
    phones[hash]?.name = name
    return true
  }

  /// Removes a phone, whose token is invalid from then on; returns whether there was one.
  public mutating func remove(_ id: String) -> Bool {
    guard let hash = hash(of: id) else { return false }
    phones[hash] = nil
    return true
  }

  /// Notes a report of a phone; returns whether that changed the list: after the first report, an
  /// hour, or with another app.
  public mutating func noteUse(of id: String, app: String?, now: Instant) -> Bool {
    guard let hash = hash(of: id), let phone = phones[hash] else { return false }
    let isRecent = phone.used.map { now.seconds(since: $0).magnitude < Self.useSeconds } ?? false
    guard !isRecent || (app != nil && app != phone.app) else { return false }
    phones[hash]?.used = now
    if let app { phones[hash]?.app = String(app.prefix(Self.maximumAppLength)) }
    return true
  }

  private func hash(of id: String) -> String? { phones.first { $0.value.id == id }?.key }

  private static func isName(_ name: String) -> Bool { DeviceName.cleaned(name) == name }

  /// Whether a phone has a name, regardless of case: people would confuse the two.
  private func isTaken(_ name: String, exceptBy id: String? = nil) -> Bool {
    let lower = name.lowercased()
    return phones.values.contains { $0.id != id && $0.name.lowercased() == lower }
  }
}
