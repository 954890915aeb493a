package import CivilTime
import Encodings
import PhotoLibrary
import ProgramSettings
package import RecordedReplays
import SpotAlerts
import SpotWatcher

/// The text form of replays.
package enum ReplayText {
  /// Returns every visit under its day, the totals, and the effect of other settings.
  ///
  /// - Parameters:
  ///   - variants: The replays; the visits are those of the first.
  ///   - alerts: The texts of the first one's alerts.
  /// - Returns: The lines.
  package static func visits(_ variants: [ReplayedVariant], _ alerts: ReplayedAlerts) -> String {
    guard let first = variants.first else { return "" }
    var text = ""
    var zone = ZoneLabel()
    for day in first.days where !day.visits.isEmpty || !day.passedOver.isEmpty {
      text += heading(day, &zone)
      for visit in day.visits {
        let (time, words) = line(visit, alerts)
        text += StandardOutput.row("  \(time)  ", words) + "\n"
      }
    }
    return text + (text.isEmpty ? "" : "\n") + sums(variants) + silence(variants)
      + changes(variants)
  }

  /// Returns a line for each day: the notifications of each variant, and the reasons of the first
  /// variant's other visits.
  package static func days(_ variants: [ReplayedVariant]) -> String {
    guard let first = variants.first else { return "" }
    var text = ""
    for (place, day) in first.days.enumerated() {
      // Every variant has processed the same fixes, so all have the same days.
      let fired = variants.map { notifications(of: $0.days[place]) }
      var row = String(day.fixCount).leftPadded(to: 7) + " fixes  "
      row += Distance.text(day.meters).leftPadded(to: 8) + "  "
      row += fired.map(String.init).joined(separator: " | ").leftPadded(to: 3) + " fired"
      let reasons = counts(day.visits.filter { !$0.didFire }.map(\.decision.kind))
      let passed = counts(day.passedOver.flatMap { Array(repeating: $0.key, count: $0.value) })
      row += reasons.isEmpty ? "" : "; \(reasons)"
      row += passed.isEmpty ? "" : "; fixes: \(passed)"
      text += StandardOutput.row("\(date(day.date))  ", row) + "\n"
    }
    return text + (text.isEmpty ? "" : "\n") + sums(variants) + silence(variants)
  }

  /// Returns, for variants without notifications, the number that would have fired without one of
  /// the rules, for example `nothing fired; without favoritesOnly, 3 would have`.
  private static func silence(_ variants: [ReplayedVariant]) -> String {
    variants.flatMap { variant in
      variant.silencingRules.map { rule, count in
        let name = variants.count > 1 ? "\(variant.name): " : ""
        return StandardOutput.row(
          name, "nothing fired; without \(rule.ruleName), \(count) would have") + "\n"
      }
    }.joined()
  }

  /// Formats a date, for example `2026-05-16`.
  package static func date(_ date: CivilDateTime) -> String {
    String(date.instant().iso8601.prefix(10))
  }

  private static func notifications(of day: Replay.Day) -> Int {
    day.visits.count { $0.decision.kind == .notify }
  }

  /// Returns the heading of a day, with the time zone if it differs from the one named last.
  private static func heading(_ day: Replay.Day, _ zone: inout ZoneLabel) -> String {
    let fixes = day.fixCount == 1 ? "1 fix" : "\(day.fixCount) fixes"
    var text = "\(fixes), \(Distance.text(day.meters))"
    let passed = counts(day.passedOver.flatMap { Array(repeating: $0.key, count: $0.value) })
    if !passed.isEmpty { text += "; skipped: \(passed)" }
    if let name = day.visits.first.flatMap({ zone.next($0.entered) }) { text += " (\(name))" }
    return StandardOutput.row("\(date(day.date))  ", text) + "\n"
  }

  /// Returns the time and the description of a visit's outcome.
  private static func line(
    _ visit: Replay.Visit, _ alerts: ReplayedAlerts
  ) -> (time: String, words: String) {
    if let notification = visit.decision.notification {
      return (time(visit.decision.time), alerts.line(of: notification))
    }
    let device = visit.device.map { $0.escaped + ": " } ?? ""
    let count = visit.spot.photoCount
    let name = visit.spot.place == nil ? nil : visit.spot.placeName?.escaped
    let photos =
      count == 0
      ? name ?? "0 photos"
      : (name.map { "\($0), " } ?? "") + (count == 1 ? "1 photo" : "\(count) photos")
    let distance = visit.decision.distanceMeters.map { Distance.text($0) + ", " } ?? ""
    let mark = visit.didFire ? "" : "- "
    let words = "\(distance)\(photos): \(DecisionText.reason(visit.decision))  [\(visit.spot.id)]"
    return (time(visit.entered), mark + device + words)
  }

  /// Formats a time of day in the machine's time zone.
  private static func time(_ instant: Instant) -> String {
    String(
      instant.iso8601(utcOffsetMinutes: LocalClock.machine.utcOffsetMinutes(instant)).dropFirst(11)
        .prefix(8))
  }

  /// Returns counts of decisions, for example `3 cooldown, 1 quiet`.
  private static func counts(_ kinds: [WatcherDecision.Kind]) -> String {
    WatcherDecision.Kind.allCases.compactMap { kind in
      let count = kinds.count { $0 == kind }
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }.joined(separator: ", ")
  }

  /// Returns a table of the visits' outcomes, with a column for each variant; on a terminal that is
  /// too narrow for it, a row for each variant.
  private static func sums(_ variants: [ReplayedVariant]) -> String {
    let columns = StandardOutput.isTerminal ? StandardOutput.columns : .max
    return sums(variants, columns: columns)
  }

  /// Returns the outcomes in lines of at most the given number of columns.
  package static func sums(_ variants: [ReplayedVariant], columns: Int) -> String {
    let kinds = ReplayedVariant.kinds(variants)
    guard !kinds.isEmpty else { return "no spot was entered\n" }
    let widths = variants.map { max($0.name.count, 8) + 2 }
    guard widths.reduce(12, +) <= columns else {
      return variants.map { variant in
        let counts = kinds.map { "\(variant.count($0)) \($0.rawValue)" }.joined(separator: ", ")
        return TerminalWidth.row("\(variant.name): ", counts, columns: columns) + "\n"
      }.joined()
    }
    func row(_ head: String, _ cells: [String]) -> String {
      head.padded(to: 12) + zip(cells, widths).map { $0.leftPadded(to: $1) }.joined() + "\n"
    }
    let header = variants.count > 1 ? row("", variants.map(\.name)) : ""
    return header
      + kinds.map { kind in row(kind.rawValue, variants.map { String($0.count(kind)) }) }.joined()
  }

  /// Returns the notifications in which each variant differs from the first.
  private static func changes(_ variants: [ReplayedVariant]) -> String {
    guard let first = variants.first else { return "" }
    let before = first.visitsByKey
    return variants.dropFirst().map { variant in
      let after = variant.visitsByKey
      var lines: [(Instant, String)] = []
      for (key, visits) in before {
        for visit in visits.filter(\.didFire).dropFirst(after[key]?.count { $0.didFire } ?? 0) {
          let other = after[key]?.last { !$0.didFire }?.decision
          let why = other.map(DecisionText.reason) ?? "not entered"
          lines.append((visit.entered, "- \(label(visit, key)): \(why)"))
        }
      }
      for (key, visits) in after {
        for visit in visits.filter(\.didFire).dropFirst(before[key]?.count { $0.didFire } ?? 0) {
          let why = DecisionText.reason(visit.decision)
          lines.append((visit.entered, "+ \(label(visit, key)): \(why)"))
        }
      }
      let sorted = lines.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      return "\n\(variant.phrase)\(sorted.isEmpty ? ", nothing changes" : ":")\n"
        + sorted.map { StandardOutput.row("  ", $0.1) + "\n" }.joined()
    }.joined()
  }

  private static func label(_ visit: Replay.Visit, _ key: ReplayedVariant.Key) -> String {
    let device = visit.device.map { " \($0.escaped)" } ?? ""
    return "\(date(key.date)) \(time(visit.entered))\(device) [\(visit.spot.id)]"
  }
}

extension WatcherDecision.Kind {
  /// The name of the setting that controls the rule.
  package var ruleName: String {
    switch self {
    case .dwelling: Setting.dwell.rawValue
    case .quiet: Setting.quietHours.rawValue
    case .tooFast: Setting.maximumSpeed.rawValue
    case .tooRecent: Setting.minimumPhotoAge.rawValue
    case .filtered: Setting.favoritesOnly.rawValue
    case .recreated: Setting.recreationInterval.rawValue
    case .disabled: "\(Setting.notificationsEnabled.rawValue)=false"
    case .muted: "muted spots and zones"
    default: rawValue
    }
  }
}
