import ArgumentParser
import Encodings
import LocationFeeds
import ProgramSettings
import TerminalOutput
import WatchService

/// The command `photospots fixes`.
struct FixesCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "fixes",
    abstract: "Print the fixes of a GPS feed as NDJSON, one per line.",
    discussion: "Unreadable parts of the feed are reported on standard error.")

  @OptionGroup var feed: FeedArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let interruption = try StopSignal.observe()
    var writer = JSONWriter()
    var (count, untimed) = (0, 0)
    let feeds = try feed.open(
      SettingsArguments.settings([]), phonesIn: Paths.state, report: FeedReports.report)
    try FeedReports.telling {
      try feeds.read(orUntil: interruption) { reading in
        for fix in reading.fixes {
          count += 1
          if fix.time == nil { untimed += 1 }
          fix.write(to: &writer)
          writer.newline()
        }
        let lines = writer.takeBytes()
        if lines.isEmpty { return true }
        try StandardOutput.write(json: lines)
        return true
      }
    }
    if untimed > 0 {
      StandardError.note(
        """
        \(Count.text(untimed)) of \(Count.text(count)) \
        \(count == 1 ? "position has" : "positions have") no time
        """)
    }
    if count == 0, !StopSignal.isRequested { StandardError.note("the feed contains no position") }
  }
}
