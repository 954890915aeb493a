package import SystemPackage

/// The photos that a scan found at another path.
package struct MovedPhotos {
  private let before: PhotoIndex
  private let after: PhotoIndex
  private let rows: [FileID: FileID]

  /// Creates the photos that a scan found at another path.
  ///
  /// - Parameters:
  ///   - report: The result of the scan.
  ///   - before: The index before the scan.
  ///   - after: The index after the scan.
  package init(_ report: ScanReport, from before: PhotoIndex, to after: PhotoIndex) {
    (self.before, self.after) = (before, after)
    rows = Dictionary(
      report.moves.map { ($0.before, $0.after) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the new path of a photo; `nil` if no moved photo had the path.
  ///
  /// - Complexity: O(log *n*) for *n* files.
  package func newPath(of path: FilePath) -> FilePath? {
    before.file(at: path).flatMap { rows[$0] }.map { after.path(of: $0) }
  }

  /// Returns the name on the page of the photo at a new path; `nil` if there is none.
  package func name(ofPhotoAt path: FilePath) -> String? { after.photoName(ofFileAt: path) }
}

/// A photo that a scan found at another path: its rows in the indexes before and after the scan.
struct FileMove: Hashable, Sendable {
  let before: FileID
  let after: FileID
}
