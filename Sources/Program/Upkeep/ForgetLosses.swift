import KeptPlaces
import PageServer
package import PhotoLibrary
import PhotoMetadata
package import ProcessControl
package import ProgramSettings
package import SystemPackage

/// The losses if folders are forgotten.
package struct ForgetLosses {
  /// The number of positions imported from other programs, which only they know.
  package let importedCount: Int
  /// The number of photos of places.
  package let placePhotoCount: Int

  /// Counts the losses.
  package init(
    _ folders: [FilePath], of index: PhotoIndex, stateFolder: FilePath, settings: Settings,
    log: MessageLog
  ) throws {
    func isForgotten(_ path: FilePath) -> Bool { folders.contains { path.starts(with: $0) } }
    importedCount = index.unlocatedPhotos.count {
      $0.given?.source == .imported && isForgotten($0.path)
    }
    let places = try settings.placeStore(stateFolder: stateFolder, log: log).load().places
    placePhotoCount = places.reduce(0) { $0 + $1.photos.count(where: isForgotten) }
  }

  /// The losses in words; `nil` if there are none.
  package var text: String? {
    let parts = [
      (importedCount, "imported position", "imported positions"),
      (placePhotoCount, "photo of a place", "photos of places"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}
