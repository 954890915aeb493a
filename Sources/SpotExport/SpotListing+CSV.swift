import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as comma-separated values (RFC 4180, but lines end in LF), with a line of names
  /// first.
  ///
  /// A line a spot, named as in ``writeJSON(_:to:)``; where the photos are known, a line a photo
  /// with its spot's values before its own, and where several files are of it, their paths with `|`
  /// between them. The last columns are of a place of one's own: its name, its kind and its notes,
  /// newest first, a line each; they are there where the list has such a place. What is not known
  /// is empty. Names that are not UTF-8 are written as `NameText`, and so is a `|` in one of
  /// several paths.
  public static func csv(_ listings: [SpotListing]) -> String {
    let hasPhotos = listings.contains { $0.photos != nil }
    let hasPlaces = listings.contains { $0.spot.place != nil }
    let names =
      spotColumns + (hasPhotos ? photoColumns : []) + (hasPlaces ? placeColumns : [])
    let lines = listings.flatMap { listing -> [[String]] in
      let place = hasPlaces ? listing.placeValues : []
      guard hasPhotos else { return [listing.values + place] }
      let photos = listing.photos ?? []
      if photos.isEmpty, listing.spot.place != nil {
        return [listing.values + photoColumns.map { _ in "" } + place]
      }
      return photos.map { listing.values + listing.values(of: $0) + place }
    }
    return ([names] + lines).map { $0.map(field).joined(separator: ",") + "\n" }.joined()
  }

  private static let spotColumns = [
    "id", "latitude", "longitude", "photoCount", "radiusMeters", "firstCaptured", "lastCaptured",
    "distance", "bearing",
  ]
  private static let photoColumns = [
    "path", "photoLatitude", "photoLongitude", "captured", "make", "model", "rating",
    "files",
  ]

  private static let placeColumns = ["placeName", "placeKind", "placeNotes"]

  private var placeValues: [String] {
    guard let place = spot.place else { return Self.placeColumns.map { _ in "" } }
    return [place.name, place.kind, notes ?? ""]
  }

  private var values: [String] {
    [
      spot.id, Degrees.text(spot.coordinate.latitude), Degrees.text(spot.coordinate.longitude),
      "\(spot.photoCount)", Self.meters(spot.radiusMeters), spot.firstCaptured?.iso8601 ?? "",
      spot.lastCaptured?.iso8601 ?? "", approach.map { Self.meters($0.distanceMeters) } ?? "",
      approach.map { Degrees.text($0.bearingDegrees) } ?? "",
    ]
  }

  private func values(of shot: PhotoShot) -> [String] {
    let photo = shot.photo
    return [
      NameText.text(of: photo.path.shown), Degrees.text(photo.coordinate.latitude),
      Degrees.text(photo.coordinate.longitude),
      photo.captured?.iso8601 ?? "", photo.camera?.make ?? "", photo.camera?.model ?? "",
      photo.rating.map(String.init) ?? "",
      shot.otherFiles.isEmpty ? "" : shot.files.map(Self.part).joined(separator: "|"),
    ]
  }

  private static func part(_ path: FilePath) -> String {
    NameText.text(of: path.shown) { $0 == UInt8(ascii: "|") }
  }

  /// Metres to a micrometre.
  private static func meters(_ meters: Double) -> String { PlainNumber.text(meters, decimals: 6) }

  /// Quotes a field that holds a comma, a quote or a line break.
  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
