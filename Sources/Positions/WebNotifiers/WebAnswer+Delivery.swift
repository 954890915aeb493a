import CivilTime
import HTTPClient
import SpotAlerts

extension WebAnswer {
  /// The delivery result for the answer.
  ///
  /// A status of success means delivered. A rejected request would be rejected again, so it is
  /// refused for good, as is an address that has moved for good (301, 308). The delivery is retried
  /// if the receiver timed out (408), asked to be tried later (425, 429), failed itself (5xx), or
  /// redirects for the moment (302, 303, 307), as the login pages of public networks do.
  var result: DeliveryResult {
    switch status {
    case 200...299: .delivered
    case 408, 425, 429, 500...599:
      retryAfterSeconds.map { .postponed(reason, seconds: $0) } ?? .failed(reason)
    case 302, 303, 307: retryAfterSeconds.map { .postponed(moved, seconds: $0) } ?? .failed(moved)
    case 301, 308: .refused(moved)
    case 401, 403:
      .refused("\(reason): the receiver refuses the password, token or secret; check the setting")
    default: .refused(reason)
    }
  }

  fileprivate var reason: String { "answered with status \(status)" }

  private var moved: String {
    "\(reason): the address redirects to another; set the setting to that address"
  }

  /// Returns the delivery result for an answer of a program that never answers with a web page.
  ///
  /// A web page comes from something else at the address or in front of it, such as a login page,
  /// whatever its status of success: nothing was delivered, and the delivery is retried.
  ///
  /// - Parameter program: The program's name.
  /// - Returns: The result.
  func result(of program: String) -> DeliveryResult {
    guard (200...299).contains(status), isWebPage else { return result }
    return .failed(
      "\(reason) and a web page, which \(program) never does; check the address of the setting, "
        + "and whether a login is in front of it")
  }

  /// The seconds to wait: a number in `Retry-After`, or a time relative to the receiver's own
  /// `Date`.
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
  /// Returns the delivery result of the exchange with one kind of receiver.
  ///
  /// - Parameters:
  ///   - program: The name of the receiver's program, which never answers with a web page; `nil` if
  ///     any program may answer.
  ///   - explanation: Returns the meaning of an answer for the user of this receiver, with advice;
  ///     the alert is then refused for good. `nil` where the answer has its general meaning.
  /// - Returns: The result.
  func result(of program: String?, explaining explanation: (WebAnswer) -> String?)
    -> DeliveryResult
  {
    switch self {
    case .answered(let answer):
      explanation(answer).map { .refused("\(answer.reason): \($0)") }
        ?? program.map { answer.result(of: $0) } ?? answer.result
    case .failed(let reason): .failed(reason)
    }
  }
}

extension WebClient {
  /// Sends a request and returns the delivery result.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - program: The name of the receiver's program, as in
  ///     ``WebClient/Exchange/result(of:explaining:)``.
  ///   - explanation: Returns the meaning of an answer for the user of this receiver, as there.
  /// - Returns: The result.
  func send(
    _ request: WebRequest, to program: String? = nil,
    explaining explanation: (WebAnswer) -> String? = { _ in nil }
  ) async -> DeliveryResult {
    await exchange(request).result(of: program, explaining: explanation)
  }
}
