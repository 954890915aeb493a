import ArgumentParser
import Geotagging
import PhotoLibrary

/// The options of every command that reads photos.
struct ScanArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The number of photos read at the same time, 1–256.", valueName: "n"))
  var jobs = PhotoIndexer.Settings.defaultJobs

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Skip files and folders of this name, '*.tmp' or 'thumbs', or of this path in the indexed \
      folder, 'scans/Drafts'; may be repeated. Kept with the folder for later scans, and replaced \
      when given again.
      """,
      valueName: "glob"))
  var exclude: [String] = []

  @Flag(help: "Skip nothing that --exclude named before.")
  var noExclude = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Scan folders of this name although they are hidden, bins or thumbnails of programs, such as \
      '#recycle'; may be repeated. Kept with the folder.
      """,
      valueName: "glob"))
  var include: [String] = []

  @Flag(help: "Scan nothing that --include named before.")
  var noInclude = false

  func validate() throws {
    if !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is out of range 1–256")
    }
    try Self.check("exclude", isGiven: !exclude.isEmpty, isEnded: noExclude)
    try Self.check("include", isGiven: !include.isEmpty, isEnded: noInclude)
    guard !(exclude + include).contains("") else {
      throw ValidationError("--exclude and --include need a name")
    }
  }

  /// Checks that an option is not given together with its end.
  static func check(_ name: String, isGiven: Bool, isEnded: Bool) throws {
    guard isGiven, isEnded else { return }
    throw ValidationError("--\(name) and --no-\(name) cannot be used together")
  }

  /// The options of folders that are given here.
  var change: FolderOptions.Change {
    var change = FolderOptions.Change()
    if !exclude.isEmpty || noExclude { change.excludes = exclude }
    if !include.isEmpty || noInclude { change.includes = include }
    return change
  }

  /// Returns the options of folders that are given here, with those of tracks and the name of
  /// their owner.
  func change(_ tracks: TrackArguments, owner: String?) -> FolderOptions.Change {
    var change = change
    if !tracks.tracks.isEmpty || tracks.noTracks {
      (change.tracks, change.trackOwner) = (tracks.roots, owner)
    }
    if !tracks.cameraClock.isEmpty || tracks.noCameraClock {
      change.cameraClocks = GivenClocks(tracks.cameraClock)?.texts
    }
    return change
  }
}
