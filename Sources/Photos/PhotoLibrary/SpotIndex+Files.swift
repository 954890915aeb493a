import Spatial
import Storage
public import SystemPackage

extension SpotIndex {
  /// The maximum distance of a photo from its spot's centre, in metres: both are within the maximum
  /// cluster radius of the anchor.
  private static let reachMeters = 100.0

  /// Returns the id of the spot that contains the photo in a file.
  ///
  /// - Parameter path: The absolute path of the file, as in the index.
  /// - Returns: The id; `nil` if the index does not contain the file, or the photo has no position.
  /// - Complexity: O(log *n* + *k*) for *n* files and the *k* photos of the spots nearby.
  public func spotID(ofFileAt path: FilePath) -> String? {
    guard let tables = spots.photoTables, let photo = tables.index.shot(ofFileAt: path) else {
      return nil
    }
    let center = tables.index.photos.coordinate(of: photo)
    return centers.neighbors(within: Self.reachMeters, of: center)
      .first { tables.spots.members[$0.index].contains { $0 == photo } }
      .map { spots.spot(ofRow: $0.index).id }
  }
}

extension PhotoIndex {
  /// Returns the representative photo of a file's shot; `nil` if the index does not contain the
  /// file, or the shot has no position.
  func shot(ofFileAt path: FilePath) -> PhotoID? {
    file(at: path).flatMap { files(ofShotOf: $0).first.flatMap { files.photo[$0.row] } }
  }

  /// Returns the file at a path; `nil` if the index does not contain it.
  ///
  /// - Complexity: O(log *n*) for *n* files.
  func file(at path: FilePath) -> FileID? {
    let path = path.bytes[...]
    guard let name = FilePath.lastName(of: path) else { return nil }
    let parent = FilePath.parent(of: path)
    let folder = folders.indices.firstPlace { !folders[$0].lexicographicallyPrecedes(parent) }
    guard folder < folders.count, folders[folder].elementsEqual(parent) else { return nil }
    let first = files.indices.firstPlace { files.folder[$0].row >= folder }
    let end = files.indices.firstPlace { files.folder[$0].row > folder }
    let file = (first..<end).firstPlace { !files.name[$0].lexicographicallyPrecedes(name) }
    guard file < end, files.name[file].elementsEqual(name) else { return nil }
    return FileID(file)
  }
}

extension Range<Int> {
  /// Returns the first integer for which a condition holds, or the upper bound if there is none. If
  /// the condition holds for an integer, it must hold for all greater ones in the range.
  fileprivate func firstPlace(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
