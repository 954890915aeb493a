import CivilTime
import SpotAlerts

/// What a receiver answered, as far as it matters.
struct WebAnswer: Hashable, Sendable {
  /// The status code (RFC 9110, section 15).
  let status: Int
  /// The header `Retry-After` (section 10.2.3).
  var retryAfter: String?
  /// The header `Date` (section 6.6.1), which a time in `Retry-After` is counted from.
  var date: String?
  /// The body, where it was asked for.
  var body: [UInt8] = []

  /// Creates an answer.
  init(status: Int, retryAfter: String? = nil, date: String? = nil) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
  }

  /// Creates an answer from its status and the lines of its head as they came.
  ///
  /// Of headers that come twice the first counts. What is no header is passed over.
  init(status: Int, head: [UInt8], body: [UInt8] = []) {
    self.init(status: status)
    self.body = body
    for line in head.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = String(decoding: Self.trimmed(parts[1]), as: UTF8.self)
      switch String(decoding: parts[0], as: UTF8.self).lowercased() {
      case "retry-after": retryAfter = retryAfter ?? value
      case "date": date = date ?? value
      default: break
      }
    }
  }

  /// A value without the white space around it (RFC 9112, section 5).
  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let value = value.drop(while: isSpace)
    return value.prefix(value.lastIndex { !isSpace($0) }.map { $0 + 1 - value.startIndex } ?? 0)
  }

  /// What becomes of the notification.
  ///
  /// It is delivered with a status of success. A request that is wrong today is wrong tomorrow, so
  /// what the receiver refuses is given up, and so is an address that leads elsewhere; but it is
  /// tried again where the receiver was too slow (408), busy (429), or failed itself.
  var result: DeliveryResult {
    switch status {
    case 200...299: .delivered
    case 408, 425, 429, 500...599:
      retryAfterSeconds.map { .postponed(reason, seconds: $0) } ?? .failed(reason)
    case 300...399:
      .refused("\(reason): the address leads elsewhere; set it to where it leads")
    case 401, 403: .refused("\(reason): the receiver wants another password, token or secret")
    default: .refused(reason)
    }
  }

  private var reason: String { "answered with status \(status)" }

  /// How long to wait: a number of seconds, or a time, which is counted from the receiver's own.
  private var retryAfterSeconds: Double? {
    guard let retryAfter else { return nil }
    if let seconds = UInt32(retryAfter) { return Double(seconds) }
    guard let time = Self.instant(retryAfter), let now = date.flatMap(Self.instant) else {
      return nil
    }
    return max(time.seconds(since: now), 0)
  }

  /// Reads a time as it is written today: `Sun, 06 Nov 1994 08:49:37 GMT` (section 5.6.7).
  private static func instant(_ text: String) -> Instant? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]) else {
      return nil
    }
    let twoDigits = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Instant(iso8601: "\(words[3])-\(twoDigits)-\(words[1])T\(words[4])Z")
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
