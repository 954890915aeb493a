import Encodings
package import IndexUpdates
package import PhotoLibrary
package import SystemPackage

/// Reports of `photospots index --watch` on standard output and standard error.
package final class IndexUpdateText: IndexUpdateReports {
  private let asJSON: Bool
  private let commands: OfferedCommands
  /// The problems of files and folders that have been reported.
  private var toldProblems: Set<ScanReport.Problem> = []

  package init(asJSON: Bool, _ commands: OfferedCommands) {
    (self.asJSON, self.commands) = (asJSON, commands)
  }

  package func willScan(_ folders: [FilePath], _ monitor: ScanMonitor) {}

  package func didPostpone() {}

  package func didScan(_ outcome: IndexRun.Outcome?, isFirst: Bool) throws {
    guard let outcome else { return }
    var summary = ScanSummary(outcome)
    summary.listsKnownProblems = isFirst
    summary.commands = commands
    if asJSON {
      if isFirst || outcome.isSaved { try StandardOutput.write(json: summary.json(.compact)) }
    } else if isFirst {
      if !StandardError.isQuiet { try StandardOutput.write(summary.text) }
    } else if !outcome.report.foundNothingNew {
      StandardError.note(summary.line)
    }
    ScanSummary.offer(outcome.counterparts, commands)
    let problems = outcome.report.problems.filter { $0.isNew && !toldProblems.contains($0) }
    toldProblems.formUnion(problems)
    ScanSummary.report(problems)
  }
}
