import ArgumentParser
import Encodings
import FeedSources
import LocationFeeds
import TerminalOutput
import WatchService

/// Reports of feed events on standard error.
enum FeedReports {
  /// Reports an event.
  static func report(_ event: FeedRunEvent) {
    switch event {
    case .source(let label, let event):
      StandardError.writeLine("photospots: \(label.escaped): \(event)")
    case .badLines(let lines): StandardError.writeLine("photospots: \(text(lines))")
    case .listening(let address): StandardError.note("listening at \(address)")
    case .listener(let address, let text):
      StandardError.writeLine("photospots: \(address): \(text)")
    case .failed(let label, let failure):
      StandardError.writeLine("photospots: \(label.escaped): \(failure)")
    }
  }

  /// Reads feeds. If some of several feeds failed, or recorded files end early, their errors have
  /// already been reported, so only the exit status is thrown. A followed file that turns out to be
  /// a document is wrong usage, as one that is known to be a document.
  static func telling(_ read: () throws -> Void) throws {
    do { try read() } catch FeedRunError.someFailed {
      throw ExitCode.failure
    } catch FeedRunError.incomplete {
      throw ExitCode.someUnreadable
    } catch FeedRunError.cannotFollow(let format) {
      StandardError.writeLine("Error: \(FeedRunError.cannotFollow(format))")
      throw ExitCode.validationFailure
    }
  }

  private static func text(_ lines: FeedRunEvent.BadLines) -> String {
    let statistics = lines.statistics
    let bad = statistics.badLines
    let name = lines.label?.escaped ?? "the feed"
    let reason = statistics.latestBadLine.map { ", the last: \($0)" } ?? ""
    guard !lines.isDocument else {
      let records = "\(statistics.lines) \(statistics.lines == 1 ? "record" : "records")"
      return "\(bad) \(bad == 1 ? "error" : "errors") in the \(records) of \(name)\(reason)"
    }
    let all = statistics.lines + statistics.blankLines
    return "\(bad) of \(all) \(all == 1 ? "line" : "lines") of \(name) cannot be read\(reason)"
  }
}
