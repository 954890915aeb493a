import CivilTime
import KeptPlaces
package import PhotoLibrary
package import ProcessControl
package import ProgramSettings
import Recreations
package import SystemPackage

/// The paths of photos in the state: those of places, and those of pictures taken again.
package struct PhotoReferences: Sendable {
  private let stateFolder: FilePath
  private let settings: Settings
  private let log: MessageLog

  /// Creates access to the paths; nothing is read yet.
  package init(stateFolder: FilePath, settings: Settings, log: MessageLog) {
    (self.stateFolder, self.settings, self.log) = (stateFolder, settings, log)
  }

  /// Lets the paths follow photos that were moved, and reports how many did.
  package func follow(_ photos: MovedPhotos) {
    let placePhotos = moving("photos of places") { try movePlacePhotos(photos.newPath) }
    let recreations = moving("pictures taken again") {
      try moveRecreations(photos.newPath, name: photos.name)
    }
    let counts = [
      (placePhotos, "photo of a place", "photos of places"),
      (recreations, "picture taken again", "pictures taken again"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    guard !counts.isEmpty else { return }
    log.note("moved with their files: \(counts.joined(separator: ", "))")
  }

  /// Makes a change, and reports if it fails.
  ///
  /// - Returns: The number of changed paths.
  private func moving(_ what: String, _ change: () throws -> Int) -> Int {
    do { return try change() } catch {
      log.problem("\(error)")
      log.problem("\(what) keep the paths of before, although files were moved")
      return 0
    }
  }

  /// Moves the paths of photos of places.
  ///
  /// - Parameter moved: Returns a path at the new place; `nil` for a path that stays.
  /// - Returns: The number of photos with another path.
  /// - Throws: The error of the setting, or of the file of places, which is then unchanged.
  package func movePlacePhotos(_ moved: (FilePath) -> FilePath?) throws -> Int {
    let store = try settings.placeStore(stateFolder: stateFolder, log: log)
    let ids = try store.load().places.filter { place in
      place.photos.contains { moved($0) != nil }
    }.map(\.id)
    guard !ids.isEmpty else { return 0 }
    let now = Instant.now
    return try store.update(now: now) { document throws(PlaceError) in
      var count = 0
      for id in ids where document[id] != nil {
        try document.change(id, now: now) { fields throws(PlaceError) in
          var photos: [FilePath] = []
          for photo in fields.photos {
            let moved = moved(photo)
            if moved != nil { count += 1 }
            if !photos.contains(moved ?? photo) { photos.append(moved ?? photo) }
          }
          fields.photos = photos
        }
      }
      return count
    }
  }

  /// Moves the paths of pictures taken again and of their old photos.
  ///
  /// - Parameters:
  ///   - moved: Returns a path at the new place; `nil` for a path that stays.
  ///   - name: Returns the name on the page of the photo at a new path; `nil` if it is unknown.
  /// - Returns: The number of pictures with another path.
  /// - Throws: The error of the list of these pictures.
  package func moveRecreations(
    _ moved: (FilePath) -> FilePath?, name: (FilePath) -> String?
  ) throws -> Int {
    try RecreationStore(stateFolder: stateFolder).relocate(moved, name: name)
  }
}
