import CLibrary
import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import Storage
import Synchronization
import SystemPackage
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// A clock that advances only when a task waits, by the duration of the wait.
final class TestClock: DeliveryClock {
  private let time: Mutex<Instant>
  private let sleeps = Mutex<[Double]>([])
  /// Whether a wait of a given duration ends only when its task is cancelled.
  private let isFrozen: @Sendable (Double) -> Bool

  convenience init(_ start: Instant = noon, isFrozen: Bool = false) {
    self.init(start) { _ in isFrozen }
  }

  init(_ start: Instant = noon, isFrozen: @escaping @Sendable (Double) -> Bool) {
    time = Mutex(start)
    self.isFrozen = isFrozen
  }

  var slept: [Double] { sleeps.withLock { $0 } }

  func now() -> Instant { time.withLock { $0 } }

  func advance(bySeconds seconds: Double) {
    time.withLock { $0 = $0.advanced(bySeconds: seconds) }
  }

  func sleep(seconds: Double) async throws {
    sleeps.withLock { $0.append(seconds) }
    if isFrozen(seconds) {
      // Ended by cancellation.
      for await _ in AsyncStream<Void>(unfolding: { await Self.forever() }) { break }
    }
    try Task.checkCancellation()
    advance(bySeconds: seconds)
  }

  private static func forever() async -> Void? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    defer { continuation.finish() }
    return await stream.first { _ in true }
  }
}

/// A notifier with predetermined results that records its notifications.
final class RecordingNotifier: Notifier {
  let name: String
  private let answers: Mutex<[DeliveryResult]>
  private let received = Mutex<[Alert]>([])

  /// Creates a notifier that returns the results in order, and then always succeeds.
  init(_ name: String = "hook", answers: [DeliveryResult] = []) {
    self.name = name
    self.answers = Mutex(answers)
  }

  var ids: [String] { alerts.map(\.id) }
  var alerts: [Alert] { received.withLock { $0 } }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    received.withLock { $0.append(alert) }
    return answers.withLock { $0.isEmpty ? .delivered : $0.removeFirst() }
  }
}

extension Notifier {
  /// Delivers a notification as an English alert without links.
  func deliver(_ notification: SpotNotification) async -> DeliveryResult {
    await deliver(Alert(.spot(notification)))
  }
}

/// Writes an executable shell script.
func script(_ body: String, in folder: FilePath, name: String = "hook.sh") throws -> FilePath {
  let path = folder.appending(name)
  try writeFile(path, "#!/bin/sh\n\(body)\n".utf8)
  _ = path.withPlatformString { chmod($0, 0o755) }
  return path
}

func permissions(of path: FilePath) -> mode_t {
  var information = stat()
  _ = path.withPlatformString { stat($0, &information) }
  return information.st_mode & 0o777
}
