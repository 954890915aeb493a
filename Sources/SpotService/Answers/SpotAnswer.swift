import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap
import Storage
import SystemPackage
import Towns

/// What is told of a spot.
struct SpotAnswer {
  let library: ServedLibrary
  /// The spots that the filter of the request leaves.
  let mapped: MappedSpots
  let mutes: MuteAnswer
  /// When spots were taken again last, by their ids.
  let recreated: [String: Instant]
  let places: ServedPlaces

  /// Where a spot is from.
  struct Approach {
    let distanceMeters: Double
    let bearingDegrees: Double
  }

  /// Writes a spot: `id latitude longitude photoCount radiusMeters firstCaptured lastCaptured years
  /// lastRecreated cover heading place title ownPlace muted mutedUntil`, and what is given of
  /// `distance bearing photos`.
  ///
  /// - Parameters:
  ///   - place: The spot's place in the index.
  ///   - approach: How far away it is, and in which direction.
  ///   - hasPhotos: Whether its photos are told, too.
  ///   - writer: Takes the object.
  func write(
    _ place: Int, approach: Approach? = nil, hasPhotos: Bool = false, to writer: inout JSONWriter
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
      writer.member("firstCaptured", times.first?.iso8601)
      writer.member("lastCaptured", times.last?.iso8601)
      writer.member("lastRecreated", recreated[spot.id]?.iso8601)
      writer.array("years") { writer in
        for year in Set(times.compactMap(\.year)).sorted() { writer.integer(year) }
      }
      writer.member("cover", mapped.cover(ofPlace: place).map { library.name(ofPhoto: $0) })
      writer.member("heading", heading(of: photos))
      let pinned = places.place(pinnedToSpotAt: place)
      PlaceAnswer.write(spot, of: pinned, to: &writer)
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

  /// Writes a place of one's own as far as it is like a spot: `id latitude longitude place title
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

  /// The mean direction that the camera faced, in whole degrees; `nil` where no photo says it.
  func heading(of photos: [Int32]) -> Int? {
    CircularMean.degrees(photos.compactMap { library.photos?.headingDegrees(of: $0) })
      .map { Int(saturating: $0.rounded()) % 360 }
  }
}

/// What is told of a photo.
struct PhotoAnswer {
  let library: ServedLibrary

  /// Writes a photo: `id name url album files latitude longitude altitude horizontalAccuracy
  /// heading captured make model focalLength focalLength35mm rating favorite source spot`.
  ///
  /// No path is told; names that are not UTF-8 are written as `NameText`.
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
      writer.member("latitude", degrees: photo.coordinate.latitude)
      writer.member("longitude", degrees: photo.coordinate.longitude)
      writer.member("altitude", photo.altitudeMeters?.decimeters)
      writer.member("horizontalAccuracy", photo.horizontalAccuracyMeters?.decimeters)
      writer.member("heading", photo.heading?.degrees.decimeters)
      writer.member("captured", photo.captured?.iso8601)
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

/// What is told of a place: its town as `place`, and as `title` what people call it.
enum PlaceAnswer {
  /// Writes the place of a spot; its title is the name of a place of one's own that is pinned to
  /// it.
  static func write(
    _ spot: PhotoSpot, of place: OwnPlace? = nil, to writer: inout JSONWriter
  ) {
    let name = place.flatMap { PlaceName.line($0.name) }
    write(spot.town, title: name ?? spot.title, to: &writer)
  }

  /// Writes a place where no spot is known any more.
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

extension FilePath {
  /// The bytes of its last part.
  var name: [UInt8] { shownName }
}

extension CaptureTime {
  /// The year on the clock of the camera.
  var year: Int? { CivilDateTime(instant, utcOffsetMinutes: utcOffsetMinutes ?? 0)?.year }
}

extension Double {
  /// The number to a decimal.
  var decimeters: Double {
    let tenths = (self * 10).rounded()
    return tenths.isFinite ? tenths / 10 : self
  }
}
