package import SpotAlerts
package import SpotWatcher

/// The text form of a digest of the history.
package enum DigestText {
  /// The maximum number of spots that are named.
  private static let maximumCount = 10

  /// Returns the lines of the digest, beginning with the title.
  package static func text(_ digest: HistoryDigest, title: String, names: SpotNames) -> String {
    var text = title + "\n"
    let fired = digest.fired.map { names.name(of: $0) }
    text += row("fired", count: fired.count, counted(fired))
    let kept = digest.keptBack.map { "\($0.count) \(words($0.kind))" }
    text += row(
      "suppressed", count: digest.keptBack.reduce(0) { $0 + $1.count },
      kept.joined(separator: ", "))
    text += row("passed once", count: digest.passedBy.count, "")
    for entry in digest.passedBy.prefix(maximumCount) {
      text +=
        StandardOutput.row(
          "    ",
          "\(names.name(of: entry)), \(CivilTimeText.bareMinute(entry.time)): "
            + HistoryText.explanation(of: entry)) + "\n"
    }
    let rest = digest.passedBy.count - maximumCount
    return rest > 0 ? text + "    and \(rest) more\n" : text
  }

  private static func row(_ name: String, count: Int, _ words: String) -> String {
    StandardOutput.row(
      "  \(name.padded(to: 16))", "\(count)" + (words.isEmpty ? "" : ": \(words)")) + "\n"
  }

  /// Returns names with the number of their occurrences, for example `Arezzo ×2, Siena`.
  private static func counted(_ names: [String]) -> String {
    var counts: [(name: String, count: Int)] = []
    for name in names {
      if let place = counts.firstIndex(where: { $0.name == name }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    let named = counts.prefix(maximumCount).map { name, count in
      count > 1 ? "\(name) ×\(count)" : name
    }
    let rest = counts.count - maximumCount
    return (named + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
  }

  /// Returns a short reason why a spot did not fire.
  package static func words(_ kind: WatcherDecision.Kind) -> String {
    AlertLanguage.english.reason(kind) ?? kind.rawValue
  }
}
