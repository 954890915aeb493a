import CCurl
import Dispatch
import Synchronization
import SystemPackage

/// Sends requests. Only this file uses the HTTP client, libcurl.
///
/// Redirects are not followed, since requests are meant for one receiver. Proxies are taken from
/// the environment, and the certificates of authorities from the system.
package struct WebClient: Sendable {
  /// The outcome of a request.
  package enum Exchange: Hashable, Sendable {
    /// The server answered.
    case answered(WebAnswer)
    /// There was no answer; the value is the reason.
    case failed(String)
  }

  /// The maximum length of an answer's head in bytes.
  private static let headLimit = 64 << 10

  /// The time limit of a request, from connecting to the end of the answer.
  package let limitSeconds: Double

  /// Creates a client.
  ///
  /// - Parameter limitSeconds: The time limit of a request, from connecting to the end of the
  ///   answer.
  package init(limitSeconds: Double) { self.limitSeconds = limitSeconds }

  /// The reason why this machine cannot send requests, with advice about it; `nil` where it can.
  package static var obstacle: String? {
    guard let reason = unsafe curlLoad() else { return nil }
    return unsafe """
    libcurl, which sends web requests, cannot be opened (\(String(cString: reason))); install it: \
    'apt install libcurl4' on Debian and Ubuntu
    """
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - bodyLimit: The maximum length of the answer's body in bytes; a longer one is a failure.
  ///     With 0, only the head is read, and the connection is closed on any body.
  /// - Returns: The answer, or the reason why there is none.
  package func exchange(_ request: WebRequest, bodyLimit: Int = 0) async -> Exchange {
    guard let transfer = Transfer() else { return .failed(Self.obstacle ?? "not enough memory") }
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread of its own, since a transfer blocks.
        DispatchQueue(label: "photospots.web").async {
          transfer.perform(
            request, limitSeconds: limitSeconds, headLimit: Self.headLimit, bodyLimit: bodyLimit
          ) { continuation.resume(returning: $0) }
        }
      }
    } onCancel: {
      transfer.cancel()
    }
    return exchange(endedBy: ending)
  }

  private func exchange(endedBy ending: Transfer.Ending) -> Exchange {
    switch ending {
    case .answered(let answer):
      (200...999).contains(answer.status) ? .answered(answer) : .failed("the answer is invalid")
    case .tooLong: .failed("the answer is too long")
    case .cancelled: .failed("interrupted")
    case .failed(let code, let cause): .failed(reason(for: code, cause))
    }
  }

  /// Returns the reason why there was no answer, without the address (libcurl-errors(3)).
  private func reason(for code: CInt, _ cause: Errno?) -> String {
    switch code {
    case 5: "the name of the proxy is unknown"
    case 6: "the name of the receiver is unknown"
    case 7: "no connection: " + (cause.map { "\($0)" } ?? "it failed")
    case 28: "no answer within \(limitSeconds) s"
    case 18, 52, 55, 56: "the receiver closed the connection"
    case 60: "the receiver's certificate is not trusted"
    case 77: "no certificates of authorities on this machine; install ca-certificates"
    case 35, 53, 54, 58, 59, 64, 66, 80, 82, 83, 90, 91, 98: "no secure connection could be made"
    case 97: "the proxy refuses the connection"
    default: "the answer is invalid"
    }
  }
}

/// A request sent by libcurl.
private final class Transfer: Sendable {
  /// The outcome of the transfer.
  enum Ending: Sendable {
    case answered(WebAnswer)
    case tooLong
    case cancelled
    /// A failure with libcurl's error code and the system's error, if any.
    case failed(CInt, Errno?)
  }

  /// libcurl's code for an answer that it does not understand (`CURLE_WEIRD_SERVER_REPLY`).
  private static let invalidAnswer: CInt = 8

  /// libcurl's transfer; `nil` after it was freed.
  private let handle: Mutex<Handle?>

  /// The pointer to libcurl's transfer. Any thread may cancel the transfer while it exists; one
  /// thread performs and frees it.
  @safe private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

  /// Creates a transfer; returns `nil` where libcurl cannot be opened.
  init?() {
    guard let pointer = unsafe curlTransferCreate() else { return nil }
    handle = Mutex(unsafe Handle(pointer: pointer))
  }

  func cancel() {
    handle.withLock { handle in
      if let handle { unsafe curlTransferCancel(handle.pointer) }
    }
  }

  /// Sends a request and calls a closure with the outcome; then waits for work that libcurl may
  /// still be doing.
  func perform(
    _ request: WebRequest, limitSeconds: Double, headLimit: Int, bodyLimit: Int,
    end: (Ending) -> Void
  ) {
    guard let pointer = unsafe handle.withLock({ $0 })?.pointer else { return }
    let headers = request.headers.map { $0.line + "\n" }.joined()
    let ending = unsafe request.body.withUnsafeBufferPointer { body in
      unsafe request.address.url.withCString { url in
        unsafe request.method.rawValue.withCString { method in
          unsafe headers.withCString { headers in
            var message = unsafe CurlRequest(
              url: url, method: method, headers: headers, body: body.baseAddress,
              bodyLength: body.count,
              limitMilliseconds: CLong(saturating: min(max(limitSeconds * 1000, 1), 1e9)),
              maximumHeadLength: headLimit, maximumBodyLength: bodyLimit)
            return unsafe Self.ending(curlTransferPerform(pointer, &message))
          }
        }
      }
    }
    end(ending)
    handle.withLock { $0 = nil }
    unsafe curlTransferFree(pointer)
  }

  private static func ending(_ answer: CurlAnswer) -> Ending {
    switch unsafe answer.outcome {
    case curlAnswered: unsafe answered(answer)
    case curlHeadTooLong, curlBodyTooLong: .tooLong
    case curlCancelled: .cancelled
    default:
      unsafe .failed(
        answer.code, answer.systemError == 0 ? nil : Errno(rawValue: answer.systemError))
    }
  }

  private static func answered(_ answer: CurlAnswer) -> Ending {
    let head = unsafe bytes(answer.head, answer.headLength)
    guard unsafe WebAnswer.status(inHead: head) == answer.status else {
      return .failed(invalidAnswer, nil)
    }
    return .answered(
      unsafe WebAnswer(
        status: answer.status, head: head, body: bytes(answer.body, answer.bodyLength)))
  }

  private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}
