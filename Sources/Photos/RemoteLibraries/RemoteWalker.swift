package import CivilTime
package import HTTPClient
import PhotoLibrary

/// Performs a walk: sends its requests, pauses and retries as the server requires, and enforces the
/// limits.
package struct RemoteWalker: Sendable {
  private let server: RemoteServer
  private let send: @Sendable (WebRequest) async -> WebClient.Exchange
  private let pause: @Sendable (Double) async -> Void
  private let isCancelled: @Sendable () -> Bool
  private let now: @Sendable () -> Instant

  /// The pause between two requests, in seconds.
  private static let pace = 0.1
  /// The maximum number of requests for one page.
  private static let maximumTries = 6
  /// The maximum number of requests for an extra.
  private static let maximumTriesForExtras = 2
  /// The longest pause that a server can impose, in seconds.
  private static let longestPause = 300.0

  /// Creates a walker.
  ///
  /// - Parameters:
  ///   - server: The library and its key.
  ///   - send: Sends a request.
  ///   - pause: Waits for a number of seconds, or less if the walk is cancelled.
  ///   - isCancelled: Returns whether the walk is cancelled.
  ///   - now: Returns the current time.
  package init(
    _ server: RemoteServer, send: @escaping @Sendable (WebRequest) async -> WebClient.Exchange,
    pause: @escaping @Sendable (Double) async -> Void,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    now: @escaping @Sendable () -> Instant
  ) {
    (self.server, self.send, self.pause) = (server, send, pause)
    (self.isCancelled, self.now) = (isCancelled, now)
  }

  /// Performs a walk to its end.
  ///
  /// A page that fails after several tries is requested in smaller parts, and what fails alone is
  /// left out (``RemoteGaps``). A server that answers none of the parts is away: the walk is then
  /// as it was after the last answer, so that nothing is taken for unreadable.
  ///
  /// - Parameters:
  ///   - walk: The walk, new or continued.
  ///   - library: Receives the content of the pages.
  ///   - keep: Called with each answered page and the state of the walk after it, before the next
  ///     request.
  /// - Throws: ``RemoteError``; the pages passed to `keep` remain valid.
  package func run(
    _ walk: inout any RemoteWalk, into library: inout WalkedLibrary,
    keeping keep: (RemotePage, any RemoteWalk) -> Void
  ) async throws(RemoteError) {
    var repeats = 0
    var pages = 0
    var idsBefore: [String] = []
    var answered = walk
    while let request = walk.request {
      if pages > 0 { await pause(Self.pace) }
      pages += 1
      let isListing = walk.isListing
      let page: RemotePage
      do throws(Failure) {
        let answer = try await answer(to: request, walk, isFirst: pages == 1)
        do throws(RemoteError) { page = try walk.take(answer, now: now()) } catch {
          throw Failure(error: error)
        }
      } catch {
        guard !error.isOfServer, pages <= RemoteLimits.maximumPages,
          walk.recover(from: error.error)
        else {
          walk = answered
          throw error.error
        }
        continue
      }
      answered = walk
      let isNew = library.add(page)
      keep(page, walk)
      // Pages of different albums may overlap, but two consecutive ones should never be equal.
      let isRepeat = isListing ? !isNew : page.ids == idsBefore
      repeats = isRepeat && !page.ids.isEmpty ? repeats + 1 : 0
      idsBefore = page.ids
      guard repeats <= RemoteLimits.maximumRepeats, pages <= RemoteLimits.maximumPages,
        library.records.count <= RemoteLimits.maximumAssets
      else { throw .endless(server.library) }
    }
  }

  /// The failure of a request.
  private struct Failure: Error {
    let error: RemoteError
    /// Whether it is certainly not due to this request, so that no other one should follow.
    var isOfServer = false
  }

  /// Returns the answer to a request, which is repeated after temporary failures.
  private func answer(
    to request: RemoteRequest, _ walk: any RemoteWalk, isFirst: Bool
  ) async throws(Failure) -> WebAnswer {
    guard let web = server.webRequest(request) else {
      throw Failure(error: .foreign(server.library, "it returned an invalid address"))
    }
    var tries = 0
    while true {
      if isCancelled() { throw Failure(error: .interrupted, isOfServer: true) }
      let outcome = await send(web)
      if isCancelled() { throw Failure(error: .interrupted, isOfServer: true) }
      tries += 1
      var wait = Double(1 << min(tries - 1, 6))
      var isAskedToWait = false
      let error: RemoteError
      switch outcome {
      case .failed(let reason):
        error = .unreachable(server.library, reason)
        // The first request is not retried, so that a mistyped address is reported at once.
        if isFirst { throw Failure(error: error, isOfServer: true) }
      case .answered(let answer):
        if answer.status == 200 || answer.status == 201 || walk.accepts(status: answer.status) {
          return answer
        }
        error = server.error(of: answer, to: request)
        guard answer.status == 429 || answer.status >= 500 else { throw Failure(error: error) }
        if let seconds = answer.pauseSeconds(now: now()) {
          (wait, isAskedToWait) = (seconds, answer.status == 503)
        }
      }
      guard tries < (walk.isExtra ? Self.maximumTriesForExtras : Self.maximumTries) else {
        // A server that names the time of its return is away with everything.
        throw Failure(error: error, isOfServer: isAskedToWait && walk.isListing)
      }
      await pause(min(max(wait, Self.pace), Self.longestPause))
    }
  }
}

extension RemoteServer {
  /// Returns the error that an unsuccessful answer to a request stands for.
  func error(of answer: WebAnswer, to request: RemoteRequest) -> RemoteError {
    switch answer.status {
    case 403: .forbidden(library, RemotePermission(lackingFor: request, of: library, answer))
    case 401: .refused(library, status: answer.status)
    case 404:
      answer.body.first { $0 > 0x20 } == UInt8(ascii: "<")
        ? .webPage(library) : .foreign(library, "it has no such address (status 404)")
    case 300...399:
      .redirected(library, host: answer.location.flatMap { WebAddress($0)?.host })
    default: .failed(library, status: answer.status)
    }
  }
}

extension WebAnswer {
  /// Returns the seconds to wait according to the header `Retry-After` (RFC 9110, section 10.2.3).
  fileprivate func pauseSeconds(now: Instant) -> Double? {
    guard let retryAfter else { return nil }
    if let seconds = UInt32(retryAfter) { return Double(seconds) }
    guard let time = Instant(httpDate: retryAfter) else { return nil }
    return time.seconds(since: date.flatMap { Instant(httpDate: $0) } ?? now)
  }
}
