import CivilTime
package import Encodings
import Geotagging
import IndexUpdates
import PhotoLibrary

extension TrackInference.Report {
  /// The maximum number of clocks in the text form.
  private static let shownClocks = 12

  /// The result in a few lines.
  package var text: String {
    // Tracks are read only for photos that need them.
    guard photoCount > 0 || !problems.isEmpty else {
      return "no photo needs a position from the recorded tracks, so they were not read\n"
    }
    var lines = [
      """
      \(Count.text(inferredCount)) of \(Count.text(photoCount, "photo")) without a position \
      inferred from \(Count.text(fileCount, "recorded track")), \(Count.text(changeCount)) new or changed
      """,
      """
        \(Count.text(fileCount, "file")) read, with \(Count.text(pointCount, "position"))\
      \(unreadCount > 0 ? "; \(Count.text(unreadCount, "file")) gave none" : "")
      """,
    ]
    for series in clocks.prefix(Self.shownClocks) { lines.append("  " + series.text) }
    if clocks.count > Self.shownClocks {
      let more = Count.text(clocks.count - Self.shownClocks, "more clock")
      lines.append("  and \(more); --json lists them all")
    }
    if decidedByPhotosCount > 0 {
      lines.append(
        """
          \(decidedByPhotosCount) of them by one of several tracks that contradict each other, since \
        photos with positions lie on it; --tracks NAME=FOLDER and --owner NAME decide
        """)
    }
    if undecidedCount > 0 {
      lines.append(
        """
          \(undecidedCount) left without a position, since several clocks fit; --camera-clock decides
        """)
    }
    if contradictedCount > 0 {
      lines.append(
        """
          \(contradictedCount) left without a position, since tracks of that time contradict each \
        other; --tracks NAME=FOLDER and --owner NAME tell whose count
        """)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the result as a member of an object.
  package func write(to writer: inout JSONWriter) {
    writer.object("tracks") { writer in
      writer.member("recordings", fileCount)
      writer.member("points", pointCount)
      writer.member("unreadFiles", unreadCount)
      writer.member("withoutPosition", photoCount)
      writer.member("inferred", inferredCount)
      writer.member("changed", changeCount)
      writer.member("undecided", undecidedCount)
      writer.member("contradicted", contradictedCount)
      writer.member("decidedByPhotos", decidedByPhotosCount)
      writer.array("clocks") { writer in
        for series in clocks { series.write(to: &writer) }
      }
    }
  }

  /// Reports files that cannot be read on standard error.
  package func reportProblems() {
    for problem in problems.prefix(20) {
      StandardError.writeLine("photospots: \(problem.path.escaped): \(problem.reason)")
    }
    if problems.count > 20 {
      let more = Count.text(problems.count - 20, "more track")
      StandardError.writeLine("photospots: and \(more) cannot be read")
    }
    if isCut {
      StandardError.writeLine(
        """
        photospots: the tracks have more than \(TrackArchive.maximumPointCount) points; the rest \
        is ignored. Name fewer folders.
        """)
    }
  }
}

extension TrackInference.SeriesClock {
  private var name: String {
    let parts = [camera?.make, camera?.model].compactMap { $0 }
    // Most models begin with the maker's name.
    if parts.count == 2, parts[1].lowercased().hasPrefix(parts[0].lowercased()) { return parts[1] }
    return parts.isEmpty ? "unknown camera" : parts.joined(separator: " ")
  }

  private var seconds: Double { Double(clock.zoneMinutes) * 60 + clock.errorSeconds }

  /// The series as a line of text.
  fileprivate var text: String {
    let (first, last) = (
      times.lowerBound.iso8601.prefix(10), times.upperBound.iso8601.prefix(10)
    )
    let days = first == last ? "\(first)" : "\(first) to \(last)"
    let reason =
      switch clock.basis {
      case .stated: "its photos state the zone"
      case .given: "as given"
      case .otherPhotos: "as other photos of those days"
      case .machineZone: "as the machine's time zone"
      case .tracks: "which fits the tracks best"
      }
    let ahead =
      clock.basis == .stated && clock.errorSeconds == 0
      ? "clock right" : "clock \(ClockText.signed(seconds))"
    let fast =
      clock.errorSeconds == 0 ? "" : ", \(ClockText.signed(clock.errorSeconds)) of it an error"
    let rivals = clock.rivalMinutes.prefix(3).map { ClockText.signed(Double($0) * 60) }
    guard rivals.isEmpty else {
      let all = ([ClockText.signed(seconds)] + rivals).joined(separator: " or ")
      let count = clock.rivalMinutes.count + 1
      return """
        \(name.escaped), \(days): \(count == 2 ? "two" : "\(count)") clocks fit: \(all)\
        \(count > 4 ? " …" : ""); --camera-clock decides
        """
    }
    return """
      \(name.escaped), \(days): \(ahead)\(fast) (\(reason)); \(clock.coveredCount) of \
      \(clock.photoCount) on tracks
      """
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("make", camera?.make)
      writer.member("model", camera?.model)
      writer.member("from", times.lowerBound.iso8601)
      writer.member("to", times.upperBound.iso8601)
      writer.member("aheadOfUTC", seconds)
      writer.member("error", clock.errorSeconds)
      writer.member("basis", clock.basis.rawValue)
      writer.array("alsoFitting") { writer in
        for minutes in clock.rivalMinutes { writer.integer(minutes * 60) }
      }
      writer.member("photos", clock.photoCount)
      writer.member("onTracks", clock.coveredCount)
    }
  }
}
