import ArgumentParser
import Encodings
import Geotagging
import PhotoLibrary
import ProgramSettings
import SpotAlerts
import Storage
import SystemPackage

/// The options of commands that infer the positions of photos from recorded tracks.
struct TrackArguments: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Infer the positions of photos without one from recorded tracks: a folder of GPX, NMEA or \
      other recordings, a file, or 'trail' for the trails of 'watch --keep-trail'; may be \
      repeated. 'anna=FOLDER' names whose they are. Photos are not changed. Kept with the folder \
      of photos for later scans, and replaced when given again.
      """,
      valueName: "folder"),
    completion: .directory)
  var tracks: [String] = []

  @Flag(help: "Use no tracks that --tracks named before; the setting tracks still counts.")
  var noTracks = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      With tracks: the offset of a camera's clock from UTC, 'Canon EOS 70D=+02:00:30', or '*=…' \
      for all cameras (default: estimated and shown). ' from 2025-04-01 to 2025-04-03' after it \
      limits it to those days on the clock. May be repeated; kept with the folder of photos.
      """,
      valueName: "camera=clock"))
  var cameraClock: [String] = []

  @Flag(help: "Use no clocks that --camera-clock gave before.")
  var noCameraClock = false

  func validate() throws {
    try ScanArguments.check("tracks", isGiven: !tracks.isEmpty, isEnded: noTracks)
    try ScanArguments.check("camera-clock", isGiven: !cameraClock.isEmpty, isEnded: noCameraClock)
    for track in tracks { try Paths.checkIsNamed(Self.parts(of: track).path, as: "--tracks") }
    guard GivenClocks(cameraClock) != nil else {
      throw ValidationError(
        """
        --camera-clock: write CAMERA=+HH:MM or CAMERA=-HH:MM:SS, at most a day, \
        and where needed ' from DAY to DAY'
        """)
    }
  }

  /// Checks that the owner's name is among those of the tracks.
  ///
  /// - Parameter owner: The person who took the photos, where given.
  /// - Throws: A `ValidationError` if no track has the name.
  func check(owner: String?) throws {
    guard let owner else { return }
    let names = Set(tracks.compactMap { Self.parts(of: $0).name })
    guard !names.contains(owner) else { return }
    throw ValidationError(
      names.isEmpty
        ? """
        --owner '\(owner.escaped)' names the owner of a store, or of tracks: \
        --tracks '\(owner.escaped)=FOLDER'
        """
        : "--owner '\(owner.escaped)' is none of the names in --tracks: "
          + names.sorted().map(\.escaped).joined(separator: ", "))
  }

  /// Checks that the given folders and files exist, before anything is indexed. The trails of a
  /// watch may not have begun.
  ///
  /// - Throws: A `MessageError` that names the first that does not exist or cannot be looked at.
  func checkExistence() throws {
    for written in tracks {
      let (_, text) = Self.parts(of: written)
      guard text != SettingValue.ownTrails else { continue }
      let path = Paths.absolute(text)
      do throws(Errno) {
        guard try !Disk.hasEntry(Disk.target(of: path)) else { continue }
        throw Errno.noSuchFileOrDirectory
      } catch {
        throw MessageError("--tracks \(path.escaped): \(error). Nothing was indexed.")
      }
    }
  }

  /// The given folders and files.
  var roots: [TrackRoot] {
    tracks.map { written in
      let (name, path) = Self.parts(of: written)
      return TrackRoot(
        path == SettingValue.ownTrails ? Settings.trailFolder : Paths.absolute(path), name: name)
    }
  }

  /// Returns the name before the first equals sign, and the path. Text with a slash is no name, so
  /// that `./a=b` is a path.
  private static func parts(of written: String) -> (name: String?, path: String) {
    let parts = written.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !parts[0].contains("/") else {
      return (nil, written)
    }
    return (String(parts[0]), String(parts[1]))
  }
}

/// The owner of a library in a store, and of tracks.
enum TrackOwnerUse: OwnerUse {
  static var help: String {
    """
    The owner of the library in the store. With --tracks NAME=FOLDER, the person who took the \
    photos: where tracks contradict each other, only those of this name count (default: such \
    photos stay without a position).
    """
  }
  static var needsStore: Bool { false }
}
