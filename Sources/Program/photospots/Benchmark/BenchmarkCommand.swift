import ArgumentParser
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput
import Upkeep

/// The command `photospots benchmark`.
struct BenchmarkCommand: PhotoSpotsSubcommand {
  /// The output format of the measurements.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measure how fast this machine indexes and searches your photos.",
    discussion: """
      Indexes the photos into a temporary index, which is removed afterwards; your own index is \
      not changed. Each indexing time is compared with the time to read the first 16 KiB of the \
      same files, which is as fast as the disk allows. Searches are made at your own spots. \
      Without a folder, the folders of the index are used.
      """)

  @Argument(
    help: "The folders to index, with their subfolders.", completion: .directory)
  var folders: [String] = []

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var scan: ScanArguments

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let settings = try settings.resolve()
    let interruption = try StopSignal.observe()
    let (folders, library) = try measured()
    let report = try measure(
      LibraryBenchmark(
        folders: folders, of: library, options: scan.change, jobs: scan.jobs,
        clusterRadiusMeters: try settings.clusterRadiusMeters,
        proximityRadiusMeters: try settings.proximityRadiusMeters,
        orUntil: Interruption(interruption)
      ) { monitor in
        let display = ProgressDisplay(monitor)
        return { display.stop() }
      })
    switch format {
    case .text: try StandardOutput.write(report.text)
    case .json: try StandardOutput.write(json: report.json)
    }
    if report.unreadable > 0 {
      let what = report.unreadable == 1 ? "file or folder" : "files or folders"
      StandardError.writeLine(
        """
        photospots: \(report.unreadable) \(what) could not be read; \
        '\(index.commands().text("index"))' lists them
        """)
      throw ExitCode.someUnreadable
    }
  }

  /// Returns the folders named on the command line, or the folders of the index if none are named,
  /// with an index that holds no files, but the options kept with the folders.
  private func measured() throws -> ([FilePath], PhotoIndex) {
    guard folders.isEmpty else { return (folders.map(Paths.absolute), PhotoIndex()) }
    guard let known = try index.cache.loadForQuestions() else { throw index.missing }
    let roots = known.roots.map(\.path).filter { !$0.isRemote }
    guard !roots.isEmpty else {
      let command = index.commands().text("benchmark", "FOLDER")
      throw ValidationError("name the folder that holds your photos: \(command)")
    }
    return (roots, known.withoutFiles)
  }

  /// Runs the benchmark in a temporary folder, which is removed before the report is written or the
  /// process exits.
  private func measure(_ benchmark: LibraryBenchmark) throws -> BenchmarkReport {
    let scratch = try ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    return try benchmark.run(PhotoIndexCache(path: scratch.path.appending("index.json")))
  }
}
