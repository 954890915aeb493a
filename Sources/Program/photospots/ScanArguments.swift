import ArgumentParser
import PhotoLibrary

/// The options of every command that reads photos.
struct ScanArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The number of photos read at the same time, 1–256.", valueName: "n"))
  var jobs = PhotoIndexer.Settings.defaultJobs

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Skip files and folders of this name, '*.tmp' or 'thumbs'; may be repeated.",
      valueName: "glob"))
  var exclude: [String] = []

  func validate() throws {
    if !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is out of range 1–256")
    }
  }
}
