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

  fileprivate var reason: String { "answered with status \(status)" }

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
  var result: DeliveryResult { result { _ in nil } }

  /// The delivery result that the answer stands for.
  ///
  /// - Parameter explanation: What an answer means to the user of this receiver, and what to do
  ///   about it; then the notification is refused. `nil` where it means what it does everywhere.
  /// - Returns: The result.
  func result(explaining explanation: (WebAnswer) -> String?) -> DeliveryResult {
    switch self {
    case .answered(let answer):
      explanation(answer).map { .refused("\(answer.reason): \($0)") } ?? answer.result
    case .failed(let reason): .failed(reason)
    }
  }
}

extension WebClient {
  /// Sends a request and says what becomes of the notification in it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - explanation: What an answer means to the user of this receiver, as
  ///     ``WebClient/Exchange/result(explaining:)`` takes it.
  /// - Returns: The result.
  func send(
    _ request: WebRequest, explaining explanation: (WebAnswer) -> String? = { _ in nil }
  ) async -> DeliveryResult {
    await exchange(request).result(explaining: explanation)
  }
}
