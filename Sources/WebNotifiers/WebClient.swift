import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SpotAlerts
import SystemPackage

/// Sends requests: the one file that knows the HTTP client.
///
/// No redirect is followed, since what is sent is for one receiver. Only the head of the answer is read: what
/// follows, however long, is cut off with the connection.
struct WebClient: Sendable {
  /// How a request went.
  enum Exchange: Sendable {
    case answered(WebAnswer)
    /// There was no answer, and why.
    case failed(String)

    var result: DeliveryResult {
      switch self {
      case .answered(let answer): answer.result
      case .failed(let reason): .failed(reason)
      }
    }
  }

  /// How long a request may take, from the connection to the answer.
  let limitSeconds: Double

  /// One for the process, with one thread that begins with the first request; it is never shut down, since
  /// nothing is left to do by the time that the process ends.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.httpVersion = .http1Only
    // A receiver that is away is tried again by the outbox, which knows when.
    configuration.connectionPool.retryConnectionEstablishment = false
    // Minutes lie between two requests, and the receiver may hang up meanwhile.
    configuration.maximumUsesPerConnection = 1
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1), configuration: configuration)
  }()

  /// Sends a request and says what becomes of the notification in it.
  func send(_ request: WebRequest) async -> DeliveryResult { await exchange(request).result }

  /// Sends a request.
  func exchange(_ request: WebRequest) async -> Exchange {
    var message = HTTPClientRequest(url: request.address.url)
    message.method = HTTPMethod(rawValue: request.method.rawValue)
    for header in request.headers { message.headers.add(name: header.name, value: header.value) }
    message.body = .bytes(ByteBuffer(bytes: request.body))
    do {
      let answer = try await Self.client.execute(
        message, timeout: .milliseconds(Int64(limitSeconds * 1000)))
      return .answered(
        WebAnswer(
          status: Int(answer.status.code), retryAfter: answer.headers.first(name: "Retry-After"),
          date: answer.headers.first(name: "Date")))
    } catch {
      return .failed(reason(for: error))
    }
  }

  /// Why there was no answer, without the address.
  private func reason(for error: any Error) -> String {
    if Task.isCancelled { return "interrupted" }
    switch error {
    case let error as HTTPClientError:
      switch error {
      case .deadlineExceeded, .connectTimeout, .readTimeout, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout:
        return "no answer within \(limitSeconds) s"
      case .remoteConnectionClosed: return "the receiver hung up"
      default: return "no answer: \(error.shortDescription)"
      }
    case let error as NIOConnectionError:
      if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
        return "the receiver's name is not known"
      }
      return "no connection: \(error.connectionErrors.first.map { Self.cause($0.error) } ?? "")"
    case let error as IOError: return "no connection: \(Self.cause(error))"
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      let isUntrusted = "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
      return isUntrusted
        ? "the receiver's certificate is not trusted" : "no secure connection could be made"
    default: return "the answer makes no sense"
    }
  }

  private static func cause(_ error: any Error) -> String {
    guard let error = error as? IOError else { return "it failed" }
    return "\(Errno(rawValue: error.errnoCode))"
  }
}
