import ArgumentParser
import Interchange
import SpotAlerts
import SystemPackage

/// `photospots history`
struct HistoryCommand: PhotoSpotsSubcommand {
  /// How the history is written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what fired, the latest last, and how each notification fared.")

  @Option(help: "How to write the history.")
  var format = Format.text

  @Option(
    parsing: .unconditional, help: ArgumentHelp("List only the latest so many.", valueName: "n"))
  var limit: CountArgument?

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    try limit?.check("--limit")
  }

  func run() throws {
    let entries = try WatchSession.history(in: state.folder)
    let listed = limit.map { entries.suffix($0.count) } ?? entries[...]
    switch format {
    case .text:
      var zone = ZoneLabel()
      try StandardOutput.write(listed.map { Self.line($0, &zone) }.joined())
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for entry in listed { entry.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    if entries.isEmpty { StandardError.note("nothing has fired so far") }
  }

  private static func line(_ entry: HistoryEntry, _ zone: inout ZoneLabel) -> String {
    let time = zone.minute(entry.time)
    let device = entry.device.map { $0.escaped + ": " } ?? ""
    let what =
      switch entry.kind {
      case .notified: entry.notification?.text ?? entry.spotID
      case .lapsed:
        "spot \(entry.spotID) was left before its turn came"
          + (entry.suppressedBy.map { ": \(wait($0))" } ?? "")
      case .suppressed: "spot \(entry.spotID) kept silent: \(reason(entry.suppressedBy))"
      }
    let results = entry.deliveries.map(result).joined(separator: ", ")
    return StandardOutput.row(
      time + "  ", "\(device)\(what)\(results.isEmpty ? "" : "  [\(results)]")") + "\n"
  }

  /// What a visit waited for.
  private static func wait(_ kind: WatcherDecision.Kind) -> String {
    switch kind {
    case .tooFast, .arriving: "in a vehicle, or slow for too short a time after it"
    case .settling: "the first fixes after a gap"
    case .paced: "another notification came shortly before"
    case .dwelling: "not stayed long enough"
    case .burst, .stale: "known too late"
    default: kind.rawValue
    }
  }

  private static func reason(_ kind: WatcherDecision.Kind?) -> String {
    switch kind {
    case .muted: "muted"
    case .quiet: "quiet hours"
    case .overBudget: "the budget of the day is used up"
    case .reserved: "the rest of the day's budget is kept for spots with more photos"
    case .overRate: "too many alerts within a minute"
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
    case .setAside: "\(delivery.notifier) set aside: the program ended during \(tries)"
    }
  }
}
