import Geotagging
import PhotoLibrary
import ProcessControl
import SystemPackage

/// The recorded tracks of a library: those kept with its folders, and those of the settings for all
/// other photos.
package struct LibraryTracks {
  /// The tracks and clocks of the settings, with no folders if the settings name none.
  private let settings: TrackInference

  /// Creates the tracks; nothing is read yet.
  package init(settings: TrackInference) { self.settings = settings }

  /// Returns whether there are tracks for an index once options have been given.
  func exist(for index: PhotoIndex, _ change: FolderOptions.Change) -> Bool {
    !settings.roots.isEmpty || !(change.tracks ?? []).isEmpty
      || index.options.values.contains { !$0.tracks.isEmpty }
  }

  /// The tracks and clocks for some of the photos.
  private struct Source: Hashable {
    let roots: [TrackRoot]
    let owner: String?
    /// The clocks kept with a folder; empty for those of the settings.
    let clocks: [String]
  }

  /// Assigns positions to photos that were taken during recorded tracks.
  ///
  /// - Parameters:
  ///   - index: The index, which must not have been loaded for queries only.
  ///   - interruption: Ends the reading of tracks early; nothing is assigned then.
  /// - Returns: The results; `nil` without tracks.
  func place(
    in index: inout PhotoIndex, orUntil interruption: Interruption
  ) -> TrackInference.Report? {
    let options = index.options.filter {
      !$0.value.tracks.isEmpty || !$0.value.cameraClocks.isEmpty
    }
    var sources: [Source] = []
    for path in [nil] + options.keys.sorted(by: { $0.string < $1.string }).map(Optional.some) {
      let source = source(of: path, options)
      if !source.roots.isEmpty, !sources.contains(source) { sources.append(source) }
    }
    // Photos of one folder have the same source.
    var known: [FilePath: Source] = [:]
    let sourceOfPhoto = { (photo: FilePath) in
      let folder = photo.removingLastComponent()
      if let source = known[folder] { return source }
      let source = source(of: photo, options)
      known[folder] = source
      return source
    }
    var report: TrackInference.Report?
    // Of tracks for several folders, the files count once.
    var read: Set<[TrackRoot]> = []
    for own in sources where !interruption.isRequested {
      guard let given = own.clocks.isEmpty ? settings.clocks : GivenClocks(own.clocks) else {
        let paths = options.filter { $0.value.cameraClocks == own.clocks }.keys
        var faulty = TrackInference.Report()
        faulty.problems = paths.map { (path: $0, reason: "its camera clocks cannot be read") }
        report = report?.adding(faulty) ?? faulty
        continue
      }
      let inference = TrackInference(
        own.roots, owner: own.owner, clocks: given, machineClock: settings.machineClock)
      var found = inference.place(
        in: &index, where: { sourceOfPhoto($0) == own }, orUntil: interruption)
      if found.photoCount > 0, !read.insert(own.roots).inserted {
        (found.fileCount, found.unreadCount, found.pointCount) = (0, 0, 0)
      }
      report = report?.adding(found) ?? found
    }
    return report
  }

  /// Returns the tracks and clocks for the photos at or below a path: of the innermost folder that
  /// has them, or of the settings.
  private func source(of path: FilePath?, _ options: FolderOptions.ByFolder) -> Source {
    let own = options.filter { folder, _ in path?.starts(with: folder) ?? false }
    let innermost = own.sorted { $0.key.components.count > $1.key.components.count }.map(\.value)
    let tracks = innermost.first { !$0.tracks.isEmpty }
    return Source(
      roots: tracks?.tracks ?? settings.roots, owner: tracks?.trackOwner,
      clocks: innermost.first { !$0.cameraClocks.isEmpty }?.cameraClocks ?? [])
  }
}

extension TrackInference.Report {
  /// Returns the results of two inferences of different photos.
  fileprivate func adding(_ other: Self) -> Self {
    var sum = self
    sum.photoCount += other.photoCount
    sum.inferredCount += other.inferredCount
    sum.changeCount += other.changeCount
    sum.contradictedCount += other.contradictedCount
    sum.decidedByPhotosCount += other.decidedByPhotosCount
    sum.undecidedCount += other.undecidedCount
    sum.fileCount += other.fileCount
    sum.unreadCount += other.unreadCount
    sum.pointCount += other.pointCount
    sum.isCut = isCut || other.isCut
    sum.clocks += other.clocks
    sum.problems += other.problems.filter { problem in
      !problems.contains { $0.path == problem.path }
    }
    return sum
  }
}
