public import PhotoMetadata
public import Spatial
import Storage
public import SystemPackage

/// A place where photos were taken: a cluster of photos around an anchor; or a place of one's own,
/// with or without photos.
public struct PhotoSpot: Sendable, Identifiable {
  /// What is known of it: a row of an index, or values of its own.
  private enum Source: Sendable {
    case row(Int, SpotIndexTables)
    case values(Values)
    case pinned(Pinned)
    case own(Int, PlaceOverlay)
  }

  private let source: Source

  /// A spot of an index.
  init(row: Int, of tables: SpotIndexTables) {
    source = .row(row, tables)
  }

  /// A spot that a place of one's own is pinned to.
  init(_ spot: PhotoSpot, pinned place: OwnPlace) {
    source = .pinned(Pinned(spot: spot, place: place))
  }

  /// A place of one's own that is not pinned to a spot, by its number in the order of ids.
  init(own number: Int, of overlay: PlaceOverlay) {
    source = .own(number, overlay)
  }

  /// Creates a spot from what is known of its photos.
  public init(
    id: String, coordinate: Coordinate, anchor: Coordinate, radiusMeters: Double, photoCount: Int,
    favoriteCount: Int = 0, undatedCount: Int = 0, firstCaptured: CaptureTime?,
    lastCaptured: CaptureTime?, cover: FilePath?, album: FilePath? = nil, members: [Int32] = []
  ) {
    source = .values(
      Values(
        id: id, coordinate: coordinate, anchor: anchor, radiusMeters: radiusMeters,
        photoCount: photoCount, favoriteCount: favoriteCount, undatedCount: undatedCount,
        firstCaptured: firstCaptured, lastCaptured: lastCaptured, cover: cover, album: album,
        members: members))
  }

  /// Twelve characters of base32 that stay the same as long as the earliest photo does, wherever
  /// its file is moved; of a place of one's own, its id.
  public var id: String {
    switch source {
    case .row(let row, let tables): tables.spots.id[row].text
    case .values(let values): values.id
    case .pinned(let pinned): pinned.spot.id
    case .own(let number, let overlay): overlay.places[number].id
    }
  }

  /// The centre: the normalised mean of the members' unit vectors.
  public var coordinate: Coordinate {
    switch source {
    case .row(let row, let tables): tables.spots.center(of: row)
    case .values(let values): values.coordinate
    case .pinned(let pinned): pinned.spot.coordinate
    case .own(let number, let overlay): overlay.places[number].coordinate
    }
  }

  /// The position of the earliest photo, within the cluster radius of every member.
  public var anchor: Coordinate {
    switch source {
    case .row(let row, let tables):
      tables.spots.members[row].first.map { tables.index.photos.coordinate(of: $0) }
        ?? tables.spots.center(of: row)
    case .values(let values): values.anchor
    case .pinned(let pinned): pinned.spot.anchor
    case .own(let number, let overlay): overlay.places[number].coordinate
    }
  }

  /// The distance in metres from the centre to the member farthest from it.
  public var radiusMeters: Double {
    switch source {
    case .row(let row, let tables): tables.spots.radius[row]
    case .values(let values): values.radiusMeters
    case .pinned(let pinned): pinned.spot.radiusMeters
    case .own: 0
    }
  }

  /// How many photos were taken here; the files of one shot count once.
  public var photoCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.photoCount[row])
    case .values(let values): values.photoCount
    case .pinned(let pinned): pinned.spot.photoCount
    case .own(let number, let overlay): overlay.photos(of: number).count
    }
  }

  /// How many of them are favourites.
  public var favoriteCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.favoriteCount[row])
    case .values(let values): values.favoriteCount
    case .pinned(let pinned): pinned.spot.favoriteCount
    case .own(let number, let overlay): overlay.photos(of: number).favoriteCount
    }
  }

  /// How many of them have no capture time.
  public var undatedCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.undatedCount[row])
    case .values(let values): values.undatedCount
    case .pinned(let pinned): pinned.spot.undatedCount
    case .own(let number, let overlay): overlay.photos(of: number).undatedCount
    }
  }

  /// The earliest capture; `nil` where no photo is dated.
  public var firstCaptured: CaptureTime? {
    switch source {
    case .row(let row, let tables): tables.spots.firstCaptured(of: row)
    case .values(let values): values.firstCaptured
    case .pinned(let pinned): pinned.spot.firstCaptured
    case .own(let number, let overlay): overlay.photos(of: number).firstCaptured
    }
  }

  /// The latest capture; `nil` where no photo is dated.
  public var lastCaptured: CaptureTime? {
    switch source {
    case .row(let row, let tables): tables.spots.lastCaptured(of: row)
    case .values(let values): values.lastCaptured
    case .pinned(let pinned): pinned.spot.lastCaptured
    case .own(let number, let overlay): overlay.photos(of: number).lastCaptured
    }
  }

  /// The absolute path of the file that stands for the spot: that of the best rated shot, of those
  /// one with a picture that is neither RAW nor a movie, of those the latest. Of a place of one's
  /// own it is the first photo, and `nil` where there is none.
  public var cover: FilePath? {
    switch source {
    case .row(let row, let tables): tables.index.path(of: tables.spots.cover[row])
    case .values(let values): values.cover
    case .pinned(let pinned): pinned.spot.cover
    case .own(let number, let overlay): overlay.places[number].photos.first
    }
  }

  /// The absolute path of the folder that most of its photos are in; `nil` where that is not known.
  public var album: FilePath? {
    switch source {
    case .row(let row, let tables):
      FilePath(bytes: tables.index.folder(tables.spots.album[row]))
    case .values(let values): values.album
    case .pinned(let pinned): pinned.spot.album
    case .own: nil
    }
  }

  /// The place of one's own that is pinned to the spot, or that it is; `nil` for a spot of photos
  /// alone.
  public var place: OwnPlace? {
    switch source {
    case .row, .values: nil
    case .pinned(let pinned): pinned.place
    case .own(let number, let overlay): overlay.places[number]
    }
  }

  /// Whether it is a place of one's own rather than a cluster of photos.
  public var isOwnPlace: Bool {
    if case .own = source { true } else { false }
  }

  /// The places in their ``PhotoIndex`` of the photos that stand for the shots, earliest first;
  /// empty for a spot that was made without one.
  public var members: [Int32] {
    switch source {
    case .row(let row, let tables): tables.spots.members[row].map(\.number)
    case .values(let values): values.members
    case .pinned(let pinned): pinned.spot.members
    case .own(let number, let overlay): overlay.photos(of: number).members
    }
  }

  /// A spot of photos, and the place that is pinned to it.
  private final class Pinned: Sendable {
    let spot: PhotoSpot
    let place: OwnPlace

    init(spot: PhotoSpot, place: OwnPlace) {
      self.spot = spot
      self.place = place
    }
  }

  /// What is known of a spot.
  private final class Values: Sendable {
    let id: String
    let coordinate: Coordinate
    let anchor: Coordinate
    let radiusMeters: Double
    let photoCount: Int
    let favoriteCount: Int
    let undatedCount: Int
    let firstCaptured: CaptureTime?
    let lastCaptured: CaptureTime?
    let cover: FilePath?
    let album: FilePath?
    let members: [Int32]

    init(
      id: String, coordinate: Coordinate, anchor: Coordinate, radiusMeters: Double,
      photoCount: Int, favoriteCount: Int, undatedCount: Int, firstCaptured: CaptureTime?,
      lastCaptured: CaptureTime?, cover: FilePath?, album: FilePath?, members: [Int32]
    ) {
      self.id = id
      self.coordinate = coordinate
      self.anchor = anchor
      self.radiusMeters = radiusMeters
      self.photoCount = photoCount
      self.favoriteCount = favoriteCount
      self.undatedCount = undatedCount
      self.firstCaptured = firstCaptured
      self.lastCaptured = lastCaptured
      self.cover = cover
      self.album = album
      self.members = members
    }
  }
}

/// Spots are equal where all that is known of them is.
extension PhotoSpot: Hashable {
  /// Whether all is the same that is known of two spots.
  public static func == (left: PhotoSpot, right: PhotoSpot) -> Bool {
    left.id == right.id && left.coordinate == right.coordinate && left.anchor == right.anchor
      && left.radiusMeters == right.radiusMeters && left.photoCount == right.photoCount
      && left.favoriteCount == right.favoriteCount && left.undatedCount == right.undatedCount
      && left.firstCaptured == right.firstCaptured && left.lastCaptured == right.lastCaptured
      && left.cover == right.cover && left.members == right.members && left.place == right.place
  }

  /// Adds the id to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
