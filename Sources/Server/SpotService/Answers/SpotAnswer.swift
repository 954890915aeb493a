import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap
import Storage
import SystemPackage
import Towns

/// Writes the descriptions of spots.
struct SpotAnswer {
  let library: ServedLibrary
  /// The spots that pass the filter of the request.
  let mapped: MappedSpots
  let mutes: MuteAnswer
  /// The times of the latest recreations, by spot id.
  let recreated: [String: Instant]
  let places: ServedPlaces

  /// The distance and direction of a spot.
  struct Approach {
    let distanceMeters: Double
    let bearingDegrees: Double
  }

  /// Writes a spot with the known members of `id latitude longitude photoCount radiusMeters
  /// firstCaptured lastCaptured years lastRecreated cover heading place title ownPlace muted
  /// mutedUntil`, and if requested `distance bearing photos`.
  ///
  /// - Parameters:
  ///   - place: The spot's index.
  ///   - approach: The distance and direction of the spot.
  ///   - distinction: What tells it apart from others of its title in the list.
  ///   - hasPhotos: Whether the photos are included.
  ///   - writer: Receives the object.
  func write(
    _ place: Int, approach: Approach? = nil, distinction: SpotDistinction? = nil,
    hasPhotos: Bool = false, to writer: inout JSONWriter
  ) {
    let spot = library.spots.spots[place]
    let photos = mapped.photos(ofPlace: place)
    writer.object { writer in
      writer.member("id", spot.id)
      writer.member("latitude", degrees: spot.coordinate.latitude)
      writer.member("longitude", degrees: spot.coordinate.longitude)
      writer.member("photoCount", mapped.photoCount(ofPlace: place))
      writer.member("radiusMeters", spot.radiusMeters.decimeters)
      let times = photos.compactMap { library.photos?.captured(of: $0) }
      writer.member("firstCaptured", times.first?.localISO8601)
      writer.member("lastCaptured", times.last?.localISO8601)
      writer.member("lastRecreated", recreated[spot.id]?.iso8601)
      writer.array("years") { writer in
        for year in Set(times.compactMap(\.year)).sorted() { writer.integer(year) }
      }
      writer.member("cover", library.coverName(ofPlace: place, in: mapped))
      writer.member("heading", heading(of: photos))
      let pinned = places.place(pinnedToSpotAt: place)
      PlaceAnswer.write(spot, of: pinned, to: &writer)
      distinction?.write(to: &writer)
      OwnPlaceAnswer.writePin(pinned, to: &writer)
      mutes.write(spot, to: &writer)
      writer.member("distance", approach?.distanceMeters.decimeters)
      writer.member("bearing", approach.map { $0.bearingDegrees.decimeters })
      guard hasPhotos else { return }
      writer.array("photos") { writer in
        for photo in photos {
          PhotoAnswer(library: library).write(photo, spotID: spot.id, to: &writer)
        }
      }
    }
  }

  /// Returns what tells each of some spots apart from the others of its title, by the index of the
  /// spot.
  func distinctions(_ indices: [Int]) -> [Int: SpotDistinction] {
    let all = indices.map { library.spots.spots[$0] }
    let titles = zip(indices, all).map { index, spot in
      PlaceAnswer.title(of: spot, places.place(pinnedToSpotAt: index))
    }
    return Dictionary(
      uniqueKeysWithValues: zip(indices, SpotDistinction.among(all, titled: titles))
        .compactMap { index, found in found.map { (index, $0) } })
  }

  /// Writes a place of the user's own in the form of a spot: `id latitude longitude place title
  /// ownPlace photoCount`.
  func write(_ place: PhotoSpot, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", place.id)
      writer.member("latitude", degrees: place.coordinate.latitude)
      writer.member("longitude", degrees: place.coordinate.longitude)
      PlaceAnswer.write(place, to: &writer)
      OwnPlaceAnswer.writePin(place.place, to: &writer)
      writer.member("photoCount", place.photoCount)
    }
  }

  /// Returns the mean direction of the camera in whole degrees; `nil` where no photo has one.
  func heading(of photos: [Int32]) -> Int? {
    CircularMean.degrees(photos.compactMap { library.photos?.headingDegrees(of: $0) })
      .map { Int(saturating: $0.rounded()) % 360 }
  }
}

/// Writes the descriptions of photos.
struct PhotoAnswer {
  let library: ServedLibrary

  /// Writes a photo with the known members of `id name url album files caption latitude longitude
  /// altitude horizontalAccuracy heading captured make model focalLength focalLength35mm rating
  /// favorite source spot`.
  ///
  /// No path is written. Names that are not UTF-8 are written as `NameText`.
  func write(_ number: Int32, spotID: String?, to writer: inout JSONWriter) {
    let shot = library.index.shot(at: Int(number))
    let photo = shot.photo
    let focalLength = library.photos?.focalLength(of: number)
    writer.object { writer in
      writer.member("id", library.name(ofPhoto: number))
      writer.member("name", name: photo.path.name)
      writer.member("url", shot.webAddress)
      if let album = photo.album { writer.member("album", name: album.bytes) }
      writer.array("files") { writer in
        for file in shot.files { writer.string(name: file.name) }
      }
      writer.member("caption", photo.caption)
      writer.member("latitude", degrees: photo.coordinate.latitude)
      writer.member("longitude", degrees: photo.coordinate.longitude)
      writer.member("altitude", photo.altitudeMeters?.decimeters)
      writer.member("horizontalAccuracy", photo.horizontalAccuracyMeters?.decimeters)
      writer.member("heading", photo.heading?.degrees.decimeters)
      writer.member("captured", photo.captured?.localISO8601)
      writer.member("capturedSource", photo.captured?.isFromName == true ? "name" : nil)
      writer.member("make", photo.camera?.make)
      writer.member("model", photo.camera?.model)
      writer.member("focalLength", focalLength?.millimeters)
      writer.member("focalLength35mm", focalLength?.millimetersOn35mmFilm)
      writer.member("rating", photo.rating)
      writer.member("favorite", photo.isFavorite)
      writer.member("source", photo.positionSource.rawValue)
      writer.member("spot", spotID)
    }
  }
}

/// Writes the description of a location: its town as `place`, and a usual name as `title`.
enum PlaceAnswer {
  /// Writes the location of a spot. The title is the name of the place of the user's own that is
  /// pinned to it, if there is one.
  static func write(
    _ spot: PhotoSpot, of place: OwnPlace? = nil, to writer: inout JSONWriter
  ) {
    write(spot.town, title: title(of: spot, place), to: &writer)
  }

  /// Returns the title of a spot: the name of the place that is pinned to it, if there is one.
  static func title(of spot: PhotoSpot, _ place: OwnPlace?) -> String {
    place.flatMap { PlaceName.line($0.name) } ?? spot.title
  }

  /// Writes the location of a spot that no longer exists.
  static func write(_ place: Coordinate, to writer: inout JSONWriter) {
    write(
      Gazetteer.world.nearest(to: place), title: PlaceName.title(of: place), to: &writer)
  }

  private static func write(
    _ town: Town.Neighbor?, title: String, to writer: inout JSONWriter
  ) {
    writer.key("place")
    if let town {
      writer.object { writer in
        writer.member("name", town.town.name)
        writer.member("country", town.town.country)
        writer.member("distance", town.distanceMeters.decimeters)
      }
    } else {
      writer.null()
    }
    writer.member("title", title)
  }
}

extension SpotDistinction {
  /// Writes the member `distinction`: `by`, and the values of that kind.
  func write(to writer: inout JSONWriter) {
    writer.object("distinction") { writer in
      switch self {
      case .town(let name):
        writer.member("by", "town")
        writer.member("town", name)
      case .away(let meters, let bearing, let town):
        writer.member("by", "way")
        writer.member("distance", meters)
        writer.member("bearing", bearing)
        writer.member("town", town)
      case .years(let first, let last):
        writer.member("by", "years")
        writer.member("first", first)
        writer.member("last", last)
      case .number(let number):
        writer.member("by", "number")
        writer.member("number", number)
      }
    }
  }
}

extension FilePath {
  /// The bytes of the last component.
  var name: [UInt8] { shownName }
}

extension CaptureTime {
  /// The year in the camera's local time.
  var year: Int? { CivilDateTime(instant, utcOffsetMinutes: utcOffsetMinutes ?? 0)?.year }
}

extension Double {
  /// The number rounded to one decimal.
  var decimeters: Double {
    let tenths = (self * 10).rounded()
    return tenths.isFinite ? tenths / 10 : self
  }
}
