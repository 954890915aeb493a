import FeedSources
import Geotagging
import LocationFeeds
import PhotoLibrary
import ProcessControl
import SystemPackage

/// The tracks read from recordings.
struct TrackReading {
  /// The tracks.
  private(set) var archive = TrackArchive()
  /// The number of files with positions.
  private(set) var fileCount = 0
  /// The number of files without a position that counts, or that cannot be read.
  private(set) var unreadCount = 0
  /// Files and folders that cannot be read, with the reason.
  private(set) var problems: [(path: FilePath, reason: String)] = []

  /// Reads folders or files, until the process is asked to stop. Those named as the owner decide
  /// where tracks contradict each other.
  init(_ roots: [TrackRoot], owner: String?, orUntil interruption: Interruption) {
    for root in roots {
      let listed = TrackFolder(root.path)
      problems += listed.problems
      unreadCount += listed.unreadCount
      if let reason = listed.absence { problems.append((root.path, reason)) }
      if listed.isCut {
        problems.append((root.path, "only \(TrackFolder.maximumCount) files in it are read"))
      }
      let isOwners = owner != nil && root.name == owner
      for file in listed.files where !interruption.isRequested {
        read(file, isOwners: isOwners, orUntil: interruption)
      }
    }
    archive.finish()
  }

  private mutating func read(
    _ path: FilePath, isOwners: Bool, orUntil interruption: Interruption
  ) {
    let recording = fileCount
    let before = archive.pointCount
    let ignored = archive.ignored
    var reader = FeedReader(isRecorded: true)
    do throws(FeedSourceError) {
      var source = try FeedSource(file: path)
      var isAtEnd = false
      while !isAtEnd, !interruption.isRequested {
        switch try source.read(upTo: .seconds(3600), orUntil: nil) {
        case .bytes(let bytes): add(reader.consume(bytes), recording, isOwners)
        case .end:
          add(reader.finish(), recording, isOwners)
          isAtEnd = true
        default: break
        }
      }
      if isAtEnd {
        let reason =
          TrackFolder.problem(of: path, reader)
          ?? (archive.pointCount > before ? nil : archive.ignored.reason(since: ignored))
        if let reason { problems.append((path, reason)) }
      }
    } catch {
      // What comes before the damage counts.
      add(reader.finish(), recording, isOwners)
      problems.append((path, error.description))
    }
    if archive.pointCount > before { fileCount += 1 } else { unreadCount += 1 }
  }

  private mutating func add(_ fixes: [LocationFix], _ recording: Int, _ isOwners: Bool) {
    for fix in fixes { archive.append(fix, ofRecording: recording, isOwners: isOwners) }
  }
}
