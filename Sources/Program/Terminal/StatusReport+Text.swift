package import CivilTime
import Encodings
import LocationFeeds
import PageServer
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Storage
import SystemPackage
import Upkeep

extension StatusReport {
  private static let labelWidth = 12

  /// The text form: one line for each part, then the problems.
  package var text: String {
    var lines: [String] = []
    func line(_ label: String, _ text: String) {
      lines.append(StandardOutput.row(label.padded(to: Self.labelWidth), text))
    }
    if let index {
      line("index", Self.text(index, now))
      if let text = text(index.files) { line("files", text) }
      for root in index.roots {
        for (path, options) in root.options.sorted(by: { $0.key.string < $1.key.string }) {
          line("folder", "\(path.escaped): \(options.text)")
        }
      }
    }
    if let store { line("store", store.text) }
    if let placeCount, placeCount > 0 {
      line("places", "\(Count.text(placeCount)) of your own")
    }
    if let isWatching { line("watch", isWatching ? "running" : "not running") }
    for device in devices { line("device", text(of: device)) }
    if let lastAlert { line("last alert", text(of: lastAlert.entry, at: lastAlert.place)) }
    if listsFiles { for file in files { line("file", Self.text(of: file)) } }
    for problem in problems {
      let label = problem.severity.rawValue
      lines.append(
        Style.warning.of(label) + String(repeating: " ", count: Self.labelWidth - label.count)
          + (StandardOutput.isTerminal
            ? problem.text.wrapped(to: StandardOutput.columns, indent: Self.labelWidth)
            : problem.text))
    }
    if problems.isEmpty { lines.append("no problems") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func text(of file: StateFile) -> String {
    let found = StateFileLine(file)
    var parts = ["\(file.path.escaped): \(file.title)"]
    if let ownership = found.ownership {
      parts.append("user \(ownership.user)")
      parts.append("mode \(found.mode ?? "")")
    }
    if let version = file.statedVersion { parts.append("version \(version)") }
    parts.append("for " + file.users.map(\.rawValue).joined(separator: " and "))
    if found.problem != nil {
      parts.append("cannot be used")
    } else if found.exists == false {
      parts.append("not there yet")
    }
    return parts.joined(separator: ", ")
  }

  private static func text(_ index: IndexFacts, _ now: Instant) -> String {
    let folders = index.roots.count
    let age = index.updated.map { ", changed \(ago($0, now))" } ?? ""
    return """
      \(Count.text(index.photoCount)) \(index.photoCount == 1 ? "photo" : "photos") at \
      \(Count.text(index.spotCount)) \(index.spotCount == 1 ? "spot" : "spots") in \(Count.text(folders)) \
      \(folders == 1 ? "folder" : "folders")\(age)
      """
  }

  /// The files by outcome, and how to learn which could not be read; `nil` if all are located.
  private func text(_ files: FileCounts) -> String? {
    guard files.photos > files.located else { return nil }
    let isUnread = files.malformed + files.unreadable > 0
    return "\(Count.text(files.photos)) read: \(files.text(unreadable: files.unreadable))"
      + (isUnread ? " ('\(commands.text("index", "--json"))' names those)" : "")
  }

  private func text(of device: Device) -> String {
    let name = device.report.device?.escaped ?? "(no name)"
    let accuracy = device.report.fix?.accuracyClass.map { ", \($0.rawValue) fix" } ?? ""
    var place = ""
    if let spot = device.near.first {
      place = "; near \(spot.name), \(Distance.text(spot.distanceMeters))"
      if device.near.count > 1 { place += ", and \(device.near.count - 1) more" }
    } else if let spot = device.nearest {
      place = "; the nearest spot is \(spot.name), \(Distance.text(spot.distanceMeters)) away"
    }
    let counts = device.report.counts
    let facts =
      device.report.corrections
      // The usual case needs no words.
      + (counts.accepted < counts.received ? [counts.text] : [])
    return "\(name) \(Self.ago(device.report.heard, now))\(accuracy)\(place)"
      + facts.map { "; \($0)" }.joined()
  }

  private func text(of entry: HistoryEntry, at place: String) -> String {
    let results = entry.deliveries.map(HistoryText.result).joined(separator: ", ")
    let device = entry.device.map { " to \($0.escaped)" } ?? ""
    return "\(Self.ago(entry.time, now))\(device), \(place)"
      + (results.isEmpty ? "" : "  [\(results)]")
  }

  /// The age of a time: `3 min ago`, or `3 y in the future` if the clock was set back since.
  package static func ago(_ time: Instant, _ now: Instant) -> String {
    let seconds = now.seconds(since: time)
    // Clocks of devices may be a little ahead.
    return seconds < -60
      ? "\(DurationText.text(-seconds)) in the future"
      : "\(DurationText.text(max(0, seconds))) ago"
  }
}

extension StoredLibraryFacts {
  /// The text form, one line.
  package var text: String {
    """
    \(Count.text(photoCount)) \(photoCount == 1 ? "photo" : "photos") at \(Count.text(spotCount)) \
    \(spotCount == 1 ? "spot" : "spots") of \(owner.escaped)
    """
      + (waitingCellCount > 0
        ? ", \(Count.text(waitingCellCount)) \(waitingCellCount == 1 ? "cell waits" : "cells wait") for "
          + "'photospots store work'" : "")
  }
}
