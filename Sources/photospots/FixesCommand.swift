import ArgumentParser
import Interchange
import LocationFeeds

/// `photospots fixes`
struct FixesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixes",
    abstract: "Print the fixes of a GPS feed as NDJSON, one a line.",
    discussion: "What cannot be read in the feed is told on standard error.")

  @OptionGroup var feed: FeedArguments

  func run() throws {
    let interruption = try Interruption.observe()
    var writer = JSONWriter()
    try feed.open(try Settings()).read(orUntil: interruption) { fixes, _ in
      for fix in fixes {
        fix.write(to: &writer)
        writer.newline()
      }
      let lines = writer.takeBytes()
      if !lines.isEmpty { try StandardOutput.write(json: lines) }
    }
  }
}
