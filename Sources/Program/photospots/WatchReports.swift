import Encodings
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import Synchronization
import WatchService

/// Reports of a watch's events on standard error.
final class WatchReports: Sendable {
  private let output: WatchOutput
  /// Whether the first position is reported.
  private let greets: Bool

  init(_ output: WatchOutput, greets: Bool) {
    self.output = output
    self.greets = greets
  }

  /// Reports an event.
  func report(_ event: WatchEvent) {
    switch event {
    case .alert(.receiverClosed): output.close()
    case .alert(.receiverLost(_, let reason)): output.lose(reason)
    case .alert(let event): StandardError.writeLine("photospots: \(event)")
    case .feed(let event): FeedReports.report(event)
    case .firstFix(let fix): greet(fix)
    case .undatedFixes:
      StandardError.writeLine(
        "photospots: some positions of the feed have no date; they are skipped")
    case .updated(let part): StandardError.note("loaded \(Self.text(part))")
    case .outdated(let part, let reason):
      StandardError.writeLine("photospots: \(reason)\(Self.consequence(part))")
    case .indexGone(let path):
      StandardError.writeLine(
        "photospots: the index \(path.escaped) is missing; the previous spots stay in use")
    case .notWritten(let reason): StandardError.writeLine("photospots: \(reason)")
    case .recovered: StandardError.writeLine("photospots: the store can be reached again")
    case .damagedDevices(let damage): StandardError.writeLine("photospots: \(damage)")
    case .decided: break
    case .ended(let reason?): StandardError.writeLine("photospots: \(reason)")
    case .ended: break
    }
  }

  /// Reports that the first position has arrived, without revealing it.
  private func greet(_ fix: LocationFix) {
    guard greets else { return }
    let device = fix.device.map { " of \($0.escaped)" } ?? ""
    let accuracy = fix.accuracyClass.map { ", \($0.rawValue)" } ?? ""
    StandardError.writeLine("photospots: received the first position\(device)\(accuracy)")
  }

  private static func text(_ part: WatchPart) -> String {
    switch part {
    case .settings: "the new settings"
    case .mutedSpots(let count): "the muted spots" + (count.map { " (\($0))" } ?? "")
    case .places(let count): "the places" + (count.map { " (\($0))" } ?? "")
    case .index(let count):
      "a new index" + (count.map { " (\($0) \($0 == 1 ? "spot" : "spots"))" } ?? "")
    }
  }

  private static func consequence(_ part: WatchPart) -> String {
    switch part {
    case .settings: ". The previous settings stay in use."
    case .mutedSpots: ""
    case .places: " The previous places stay in use."
    case .index: " The previous spots stay in use."
    }
  }
}
