import CivilTime
import PhotoMetadata
import Spatial

/// The photos with a position, in the order of their files.
struct PhotoTable: DeclaredTable, Equatable {
  var file = Column<FileID>()
  var latitude = Column<Double>()
  var longitude = Column<Double>()
  var altitude = Column<Double?>()
  var horizontalAccuracy = Column<Double?>()
  var heading = Column<Double?>()
  var magnetic = Column<Bool>()
  var captured = Column<Instant?>()
  var utcOffset = Column<OffsetMinutes?>()
  var camera = Column<CameraID?>()
  var rating = Column<Stars?>()
  var favorite = Column<Bool>()
  var source = Column<PositionSource>()
  var focalLength = Column<FocalLengthID?>()
  var caption = Column<CaptionID?>()

  typealias Row = Rows.Photos

  static let columns: [ColumnSchema<PhotoTable>] = [
    .init("file", { $1(&$0.file) }, "its file, as an index into files"),
    .init("latitude", { $1(&$0.latitude) }, "degrees north"),
    .init("longitude", { $1(&$0.longitude) }, "degrees east"),
    .init("altitude", { $1(&$0.altitude) }, "metres above sea level"),
    .init("horizontalAccuracy", { $1(&$0.horizontalAccuracy) }, "metres"),
    .init("heading", { $1(&$0.heading) }, "degrees clockwise from north"),
    .init("magnetic", { $1(&$0.magnetic) }, "whether the heading is from magnetic north"),
    .init("captured", { $1(&$0.captured) }, "ms since 1970"),
    .init("utcOffset", { $1(&$0.utcOffset) }, OffsetMinutes.meaning),
    .init("camera", { $1(&$0.camera) }, "an index into cameras"),
    .init("rating", { $1(&$0.rating) }, "0–5 stars, or −1 for rejected"),
    .init("favorite", { $1(&$0.favorite) }, "whether it has five stars"),
    .init("source", { $1(&$0.source) }, "the source of the position"),
    .init(
      "focalLength", { $1(&$0.focalLength) }, "an index into focalLengths", mayBeMissing: true),
    .init("caption", { $1(&$0.caption) }, "an index into captions", mayBeMissing: true),
  ]

  /// A photo with a position.
  struct Photo: Equatable {
    var facts: PhotoFacts
    var coordinate: Coordinate
    var altitudeMeters: Double?
    var horizontalAccuracyMeters: Double?
    var heading: Heading?
    var source: PositionSource
  }

  var count: Int { file.count }

  subscript(photo: PhotoID) -> Photo {
    @inline(__always) get {
      let row = photo.row
      return Photo(
        facts: PhotoFacts(
          file: file[row], captured: captured(of: photo),
          hasPartialDate: OffsetMinutes.isOfPartialDate(captured[row], utcOffset[row]),
          camera: camera[row], rating: rating[row]?.stored, isFavorite: favorite[row],
          focalLength: focalLength[row], caption: caption[row]),
        coordinate: coordinate(of: photo), altitudeMeters: altitude[row],
        horizontalAccuracyMeters: horizontalAccuracy[row],
        heading: heading[row].flatMap { Heading(degrees: $0, isMagnetic: magnetic[row]) },
        source: source[row])
    }
  }

  /// Returns the position of a photo; 0°, 0° if a damaged mapped file contains an invalid one.
  @inline(__always)
  func coordinate(of photo: PhotoID) -> Coordinate {
    Coordinate(latitude: latitude[photo.row], longitude: longitude[photo.row])
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// Returns the capture time of a photo.
  @inline(__always)
  func captured(of photo: PhotoID) -> CaptureTime? {
    captured[photo.row].map {
      CaptureTime(instant: $0, storedOffset: utcOffset[photo.row].map { Int($0.stored) })
    }
  }

  mutating func append(_ photo: Photo) {
    let facts = photo.facts
    file.append(facts.file)
    latitude.append(photo.coordinate.latitude)
    longitude.append(photo.coordinate.longitude)
    altitude.append(photo.altitudeMeters)
    horizontalAccuracy.append(photo.horizontalAccuracyMeters)
    heading.append(photo.heading?.degrees)
    magnetic.append(photo.heading?.isMagnetic ?? false)
    captured.append(facts.captured?.instant)
    utcOffset.append(OffsetMinutes(facts.captured, hasPartialDate: facts.hasPartialDate))
    camera.append(facts.camera)
    rating.append(facts.rating.map { Stars(stored: $0) })
    favorite.append(facts.isFavorite)
    source.append(photo.source)
    focalLength.append(facts.focalLength)
    caption.append(facts.caption)
  }
}
