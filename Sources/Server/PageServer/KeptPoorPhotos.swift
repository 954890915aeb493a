import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotService
import Storage
import SystemPackage

/// The photos that are no covers, because their pictures are cut off or show hardly anything.
///
/// They are found when a picture is made, and kept in a file of the caches: the line
/// `photospots-poor 1`, and a name of sixteen characters per line.
final class KeptPoorPhotos: Sendable {
  private static let header = "photospots-poor 1"
  private static let file = "poor"
  private static let nameLength = 16
  private static let capacityBytes = 4 << 20

  /// The photos.
  let photos: PoorPhotos
  private let cache: CacheFolder

  /// Reads the list from a folder of caches; damaged lines are ignored.
  init(in caches: FilePath, log: MessageLog) {
    cache = CacheFolder(
      caches.appending("covers"), capacityBytes: Self.capacityBytes,
      report: { error in
        log.problem(
          "the list of photos that are no covers cannot be stored in \(caches.escaped): \(error)"
        )
      })
    let bytes = cache.read(Self.file, limit: Self.capacityBytes)?.bytes ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let isKnown = lines.first.map { $0 == Self.header } ?? false
    photos = PoorPhotos(
      isKnown
        ? lines.dropFirst().filter { $0.utf8.count == Self.nameLength }.map(String.init) : [])
  }

  /// Adds a photo; returns whether the list has changed.
  func add(_ name: String) -> Bool {
    guard name.utf8.count == Self.nameLength, photos.add(name) else { return false }
    let lines = [Self.header] + photos.all
    cache.keep(Array((lines.joined(separator: "\n") + "\n").utf8), as: Self.file)
    return true
  }
}
