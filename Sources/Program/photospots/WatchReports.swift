import Encodings
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Synchronization
import TerminalOutput
import WatchService

/// Reports of a watch's events on standard error.
final class WatchReports: Sendable {
  private let output: WatchOutput
  /// Whether the first position is reported.
  private let greets: Bool
  private let hasPosition = Atomic(false)

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
    case .firstFix(let fix):
      hasPosition.store(true, ordering: .relaxed)
      greet(fix)
    case .undatedFixes:
      StandardError.writeLine(
        "photospots: some positions of the feed have no date; they are skipped")
    case .clockShifted(let change): StandardError.writeLine("photospots: \(Self.text(change))")
    case .speedScaled(let change): StandardError.writeLine("photospots: \(Self.text(change))")
    case .updated(let part): StandardError.note("loaded \(Self.text(part))")
    case .outdated(let part, let reason):
      StandardError.writeLine("photospots: \(reason)\(Self.consequence(part, of: "\(reason)"))")
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

  /// Reports at the end of the feeds that none of them contained a position.
  func reportAbsence() {
    guard !hasPosition.load(ordering: .relaxed) else { return }
    StandardError.note("the feed contains no position")
  }

  /// Reports that the first position has arrived, without revealing it.
  private func greet(_ fix: LocationFix) {
    guard greets else { return }
    let device = fix.device.map { " of \($0.escaped)" } ?? ""
    let accuracy = fix.accuracyClass.map { ", \($0.rawValue)" } ?? ""
    StandardError.writeLine("photospots: received the first position\(device)\(accuracy)")
  }

  private static func text(_ change: ClockShifts.Change) -> String {
    let device = change.device.map { "the clock of \($0.escaped)" } ?? "the clock of the device"
    guard let seconds = change.seconds else { return "\(device) is right again" }
    return """
      \(device) is \(DurationText.text(abs(seconds))) \(seconds > 0 ? "ahead" : "behind"); its \
      positions are taken at their arrival. Correct its clock or time zone.
      """
  }

  private static func text(_ change: SpeedScales.Change) -> String {
    let device = change.device.map { "the speeds of \($0.escaped)" } ?? "the stated speeds"
    guard change.factor != 1 else { return "\(device) agree with the way again" }
    let hundredths = Int(saturating: (change.factor * 100).rounded())
    return """
      \(device) are \(hundredths) % of those on the way, as if in another unit; they are corrected. \
      Check the unit in its app.
      """
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

  private static func consequence(_ part: WatchPart, of reason: String) -> String {
    switch part {
    case .settings:
      // A reason may end with a question: did you mean 'cooldown'?
      "\(reason.hasSuffix("?") ? "" : ".") The previous settings stay in use."
    case .mutedSpots: ""
    case .places: " The previous places stay in use."
    case .index: " The previous spots stay in use."
    }
  }
}
