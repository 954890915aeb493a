import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as comma-separated values (RFC 4180, but with LF line ends), with a header line.
  ///
  /// There is one line per spot, with columns named as in ``writeJSON(_:to:)``. If photos are
  /// included, there is one line per photo, which begins with the values of its spot; if a photo
  /// has several files, their paths are separated by `|`. If the list contains any of the user's
  /// places, the last columns are the place's name, its kind and its notes, newest first, one per
  /// line. Unknown values are empty. Names that are not UTF-8 are written as `NameText`, as is a
  /// `|` in one of several paths.
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

  /// Metres, with at most six decimals.
  private static func meters(_ meters: Double) -> String { PlainNumber.text(meters, decimals: 6) }

  /// Quotes a field that contains a comma, a quotation mark or a line break.
  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
