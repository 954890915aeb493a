import ArgumentParser
import Interchange
import SpotAlerts
import SystemPackage

/// `photospots history`
struct HistoryCommand: ParsableCommand {
  /// How the history is written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what fired, the latest last, and how each notification fared.")

  @Option(help: "How to write the history.")
  var format = Format.text

  @Option(help: ArgumentHelp("List only the latest so many.", valueName: "n"))
  var limit: Int?

  @OptionGroup var state: StateArguments

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit \(limit): it must not be negative") }
  }

  func run() throws {
    let entries = try WatchSession.history(in: state.folder)
    let listed = limit.map { entries.suffix($0) } ?? entries[...]
    switch format {
    case .text: try StandardOutput.write(listed.map(Self.line).joined())
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for entry in listed { entry.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    if entries.isEmpty { StandardError.writeLine("photospots: nothing has fired so far") }
  }

  private static func line(_ entry: HistoryEntry) -> String {
    let time = CivilTimeText.minute(entry.time)
    let device = entry.device.map { $0.escaped + ": " } ?? ""
    let what =
      switch entry.kind {
      case .notified: entry.notification?.text ?? entry.spotID
      case .lapsed: "spot \(entry.spotID) was left before its turn came"
      case .suppressed: "spot \(entry.spotID) kept silent: \(reason(entry.suppressedBy))"
      }
    let results = entry.deliveries.map(result).joined(separator: ", ")
    return "\(time)  \(device)\(what)\(results.isEmpty ? "" : "  [\(results)]")\n"
  }

  private static func reason(_ kind: WatcherDecision.Kind?) -> String {
    switch kind {
    case .muted: "muted"
    case .quiet: "quiet hours"
    case .tooFast: "moving too fast"
    case .overBudget: "the budget of the day or of the minute is used up"
    default: "notifications are switched off"
    }
  }

  private static func result(_ delivery: HistoryEntry.Delivery) -> String {
    let reason = delivery.failure.map { ": \($0.escaped)" } ?? ""
    let tries = delivery.tries == 1 ? "1 try" : "\(delivery.tries) tries"
    return switch delivery.outcome {
    case .delivered: "\(delivery.notifier) delivered"
    case .pending: "\(delivery.notifier) pending after \(tries)\(reason)"
    case .expired: "\(delivery.notifier) given up after \(tries)\(reason)"
    }
  }
}

/// Times for people.
enum CivilTimeText {
  /// The minute of an instant in UTC: `2026-05-16 08:35 UTC`.
  static func minute(_ instant: Instant) -> String {
    instant.iso8601.prefix(16).replacing("T", with: " ") + " UTC"
  }
}
