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
    guard let time = Instant(httpDate: retryAfter),
      let now = date.flatMap(Instant.init(httpDate:))
    else {
      return nil
    }
    return max(time.seconds(since: now), 0)
  }
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
