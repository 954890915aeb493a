import CivilTime
import SpotAlerts
import WebRequests

extension WebAnswer {
  /// The delivery result that the answer stands for.
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

extension WebClient.Exchange {
  /// The delivery result that the answer stands for.
  var result: DeliveryResult {
    switch self {
    case .answered(let answer): answer.result
    case .failed(let reason): .failed(reason)
    }
  }
}

extension WebClient {
  /// Sends a request and says what becomes of the notification in it.
  func send(_ request: WebRequest) async -> DeliveryResult { await exchange(request).result }
}
