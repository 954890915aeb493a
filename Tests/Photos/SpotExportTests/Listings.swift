import CivilTime
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

@testable import PhotoLibrary
@testable import SpotExport

/// Rows with every value that a spot can have, and texts that are hostile to the formats.
enum Listings {
  static let distant = at(90, 0)

  /// The rows without photos.
  static let spots: [SpotListing] = rows { _ in nil }
  /// The rows with their photos.
  static let photos: [SpotListing] = rows { $0 == tower.id ? shots : [] }

  /// The notes of the places by the ids of their rows, as exported.
  static let notes = [tower.id: "Hohl\nund \"alt\" & <b>\n=1+1"]
  /// The titles by the ids of the rows.
  static let titles = [
    tower.id: "Café \"Tor\" & <b>: 3 photos, 2016–2024", "bbbbbbbbbbbb": "Sydney: 1 photo",
    "cccccccccccc": "14 photos, 2020", "dddddddddddd": "2 photos, 1969–1970",
    "0123456789abcdef": "=1+1, x",
  ]

  private static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)!
  }

  private static func captured(_ text: String, offset minutes: Int? = nil) -> CaptureTime {
    CaptureTime(instant: Instant(iso8601: text)!, utcOffsetMinutes: minutes)
  }

  private static func spot(
    _ id: String, _ coordinate: Coordinate, _ count: Int, radius: Double = 0,
    first: CaptureTime? = nil, last: CaptureTime? = nil
  ) -> PhotoSpot {
    PhotoSpot(
      id: id, coordinate: coordinate, anchor: coordinate, radiusMeters: radius, photoCount: count,
      firstCaptured: first, lastCaptured: last, cover: "/photos/a.jpg")
  }

  private static let tower = spot(
    "aaaaaaaaaaaa", at(48.8583736, 2.2944813), 3, radius: 4.25,
    first: captured("2016-05-01T08:00:00.250Z", offset: 120),
    last: captured("2024-08-01T22:30:00Z", offset: -90))

  private static let places = [
    OwnPlace(
      id: "0123456789abcdeg", name: "Café \"Tor\" & <b>", kind: "café, bar",
      coordinate: tower.coordinate, alertRadiusMeters: 40,
      notes: [
        OwnPlace.Note(time: Instant(secondsSince1970: 0), text: "=1+1"),
        OwnPlace.Note(
          time: Instant(secondsSince1970: 86_400), text: "Hohl\nund \"alt\" & <b>"),
      ],
      collections: ["Trips, 2024", "Bäume"], pinnedSpotID: tower.id),
    OwnPlace(id: "0123456789abcdef", name: "=1+1, x", coordinate: at(-90, 0)),
  ]

  private static func rows(_ photos: (String) -> [PhotoShot]?) -> [SpotListing] {
    let spots = [
      tower, spot("bbbbbbbbbbbb", at(-33.8568, 151.2153), 1),
      spot(
        "cccccccccccc", at(0.0000001, -180), 14, radius: 15,
        first: captured("2020-01-01T00:00:00Z"), last: captured("2020-12-31T23:59:59Z")),
      spot(
        "dddddddddddd", distant, 2, first: captured("1969-12-31T23:59:59.999Z"),
        last: captured("1970-01-01T00:00:00Z")),
    ]
    let index = SpotIndex(spots: spots).joined(with: places, clusterRadius: 15)
    return index.spots.sorted { ($0.isOwnPlace ? 1 : 0, $0.id) < ($1.isOwnPlace ? 1 : 0, $1.id) }
      .map { spot in
        SpotListing(
          spot: spot,
          // At the spot itself, since distances differ in their last digits between machines.
          approach: spot.id == tower.id ? .init(from: spot.coordinate, to: spot) : nil,
          photos: photos(spot.id),
          muting: spot.id == "bbbbbbbbbbbb"
            ? .unlimited
            : spot.id == "cccccccccccc" ? .until(Instant(secondsSince1970: 4_000_000_000)) : nil,
          lastRecreated: spot.id == tower.id ? Instant(secondsSince1970: 1_700_000_000) : nil)
      }
  }

  private static let shots: [PhotoShot] = [
    PhotoShot(
      photo: photo(
        FilePath(bytes: Array("/photos/2016 \"Paris\"/a|b, <c> & ä.jpg".utf8)),
        first: captured("2016-05-01T08:00:00.250Z", offset: 120),
        camera: Camera(make: "Fuji, \"Film\"", model: "X100 & V"), rating: 5),
      otherFiles: [
        FilePath(bytes: Array("/photos/2016 \"Paris\"/a.RAF".utf8)),
        FilePath(bytes: Array("/photos/line\nbreak.jpg".utf8)),
      ]),
    PhotoShot(
      photo: photo(FilePath(bytes: Array("/photos/".utf8) + [0xFF, 0x41])), otherFiles: []),
  ]

  private static func photo(
    _ path: FilePath, first: CaptureTime? = nil, camera: Camera? = nil, rating: Int? = nil
  ) -> PhotoLocation {
    PhotoLocation(
      path: path, coordinate: at(48.85837, 2.29448), positionSource: .exif, captured: first,
      altitudeMeters: first == nil ? nil : 35.5, horizontalAccuracyMeters: first == nil ? nil : 4,
      heading: first == nil ? nil : Heading(degrees: 270.5), camera: camera, rating: rating,
      isFavorite: rating == 5, caption: nil)
  }
}
