import CivilTime
import Encodings
import GeoDocuments
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as comma-separated values, with a header line.
  ///
  /// There is one line per spot, with columns named as in ``writeJSON(_:to:)``. If photos are
  /// included, there is one line per photo, which begins with the values of its spot; if a photo
  /// has several files, their paths are separated by `|`. If the list contains any of the user's
  /// places, further columns are the place's name, its kind and its notes, newest first, one per
  /// line. The last columns are the spot's name and its label, which occurs once; new columns go to
  /// the end, since programs read columns by number. Unknown values are empty. Names that are not
  /// UTF-8 are written as `NameText`, as are a `|` and a backslash in one of several paths. An
  /// apostrophe is put before a text that spreadsheets would interpret as a formula.
  public static func csv(_ listings: [SpotListing]) -> String {
    let hasPhotos = listings.contains { $0.photos != nil }
    let hasPlaces = listings.contains { $0.spot.place != nil }
    let names =
      spotColumns + (hasPhotos ? photoColumns : []) + (hasPlaces ? placeColumns : [])
      + ["name", "label"]
    let rows = listings.flatMap { listing -> [[CSVCell]] in
      let end =
        (hasPlaces ? listing.placeCells : []) + [
          .text(listing.name ?? ""), .text(listing.label),
        ]
      guard hasPhotos else { return [listing.cells + end] }
      let photos = listing.photos ?? []
      if photos.isEmpty, listing.spot.place != nil {
        return [listing.cells + photoColumns.map { _ in .empty } + end]
      }
      return photos.map { listing.cells + Self.cells(of: $0) + end }
    }
    return CSVRow.text(header: names) + rows.map(CSVRow.text).joined()
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

  private var placeCells: [CSVCell] {
    guard let place = spot.place else { return Self.placeColumns.map { _ in .empty } }
    return [.text(place.name), .text(place.kind), .text(notes ?? "")]
  }

  private var cells: [CSVCell] {
    [
      .plain(spot.id), .plain(Degrees.text(spot.coordinate.latitude)),
      .plain(Degrees.text(spot.coordinate.longitude)),
      .plain("\(spot.photoCount)"), .plain(Self.meters(spot.radiusMeters)),
      .plain(spot.firstCaptured?.localISO8601 ?? ""), .plain(spot.lastCaptured?.localISO8601 ?? ""),
      .plain(approach.map { Self.meters($0.distanceMeters) } ?? ""),
      .plain(approach.map { Degrees.text($0.bearingDegrees) } ?? ""),
    ]
  }

  private static func cells(of shot: PhotoShot) -> [CSVCell] {
    let photo = shot.photo
    return [
      .text(NameText.text(of: photo.path.shown)), .plain(Degrees.text(photo.coordinate.latitude)),
      .plain(Degrees.text(photo.coordinate.longitude)), .plain(photo.captured?.localISO8601 ?? ""),
      .text(photo.camera?.make ?? ""), .text(photo.camera?.model ?? ""),
      .plain(photo.rating.map(String.init) ?? ""),
      shot.otherFiles.isEmpty ? .empty : .paths(shot.files.map(\.shown)),
    ]
  }

  /// Metres, with at most six decimals.
  private static func meters(_ meters: Double) -> String { PlainNumber.text(meters, decimals: 6) }
}
