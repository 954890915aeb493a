import Storage
package import SystemPackage

/// A quick look at how many photos a folder holds, before it is indexed.
///
/// Only names are read. Links, hidden names and the folders of programs are skipped, as by a scan.
package struct FolderLook: Hashable, Sendable {
  /// The number of files with names of photos that were found.
  package let photoCount: Int
  /// Whether the whole tree was looked at; otherwise it may hold more photos.
  package let isWhole: Bool
  /// The error if the folder itself cannot be read.
  package let problem: Errno?

  /// The most folders that a look visits.
  package static let maximumFolderCount = 20_000
  /// The most photos that a look counts.
  package static let maximumPhotoCount = 1_000_000

  /// Looks at a folder tree, the folders nearest to its top first.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder, which is not followed if it is a link.
  ///   - isOver: Returns whether the time for the look is over; asked before each folder.
  package init(at folder: FilePath, orUntil isOver: () -> Bool) {
    let patterns = ExcludePatterns([], root: folder.bytes)
    var waiting = [folder.bytes]
    var (next, photos) = (0, 0)
    var problem: Errno?
    while next < waiting.count, next < Self.maximumFolderCount,
      photos < Self.maximumPhotoCount, !isOver()
    {
      let listing = FolderListing(
        path: waiting[next], followsLink: false, needsStatus: false, excludes: patterns)
      if next == 0 { problem = listing.problem }
      photos += listing.files.count(where: \.claimsToBePhoto)
      let room = Self.maximumFolderCount + 1 - waiting.count
      waiting += listing.subfolders.prefix(max(0, room))
      next += 1
    }
    (photoCount, self.problem) = (photos, problem)
    isWhole = next == waiting.count
  }
}
