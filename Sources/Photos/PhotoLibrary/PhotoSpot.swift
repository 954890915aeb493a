public import PhotoMetadata
public import Spatial
import Storage
public import SystemPackage

/// A cluster of photos around an anchor, or one of the user's places, with or without photos.
public struct PhotoSpot: Sendable, Identifiable {
  /// The storage of the properties.
  private enum Source: Sendable {
    /// A row of the spot table of an index.
    case row(Int, SpotIndexTables)
    /// A row of packed spots.
    case packed(Int, PackedSpots)
    /// Values of the spot's own.
    case values(Values)
    /// A spot of photos to which a place is pinned.
    case pinned(Pinned)
    /// A place that is pinned to no spot, by its index in ``PlaceOverlay/places``.
    case own(Int, PlaceOverlay)
  }

  private let source: Source

  /// Creates the spot in a row of an index.
  init(row: Int, of tables: SpotIndexTables) {
    source = .row(row, tables)
  }

  /// Creates the spot in a row of packed spots.
  init(row: Int, of packed: PackedSpots) {
    source = .packed(row, packed)
  }

  /// Creates a spot to which one of the user's places is pinned.
  init(_ spot: PhotoSpot, pinned place: OwnPlace) {
    source = .pinned(Pinned(spot: spot, place: place))
  }

  /// Creates a spot for one of the user's places that is pinned to no spot, by its index in
  /// ``PlaceOverlay/places``.
  init(own number: Int, of overlay: PlaceOverlay) {
    source = .own(number, overlay)
  }

  /// Creates a spot of photos from its properties, without an index.
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

  /// The id: twelve base32 characters that do not change as long as the earliest photo stays the
  /// same, even if its file is moved; for a user's place, the id of the place.
  public var id: String {
    switch source {
    case .row(let row, let tables): tables.spots.id[row].text
    case .packed(let row, let packed): packed.id(of: row)
    case .values(let values): values.id
    case .pinned(let pinned): pinned.spot.id
    case .own(let number, let overlay): overlay.places[number].id
    }
  }

  /// The centre: the normalised mean of the members' unit vectors; for a user's place, its
  /// position.
  public var coordinate: Coordinate {
    switch source {
    case .row(let row, let tables): tables.spots.center(of: row)
    case .packed(let row, let packed): packed.coordinate(of: row)
    case .values(let values): values.coordinate
    case .pinned(let pinned): pinned.spot.coordinate
    case .own(let number, let overlay): overlay.places[number].coordinate
    }
  }

  /// The position of the earliest photo, within the cluster radius of every member; for a user's
  /// place, its position.
  public var anchor: Coordinate {
    switch source {
    case .row(let row, let tables):
      tables.spots.members[row].first.map { tables.index.photos.coordinate(of: $0) }
        ?? tables.spots.center(of: row)
    case .packed(let row, let packed): packed.anchor(of: row)
    case .values(let values): values.anchor
    case .pinned(let pinned): pinned.spot.anchor
    case .own(let number, let overlay): overlay.places[number].coordinate
    }
  }

  /// The distance in metres from the centre to the farthest member; 0 for a user's place.
  public var radiusMeters: Double {
    switch source {
    case .row(let row, let tables): tables.spots.radius[row]
    case .packed(let row, let packed): packed.radius(of: row)
    case .values(let values): values.radiusMeters
    case .pinned(let pinned): pinned.spot.radiusMeters
    case .own: 0
    }
  }

  /// The number of photos; the files of one shot count once.
  public var photoCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.photoCount[row])
    case .packed(let row, let packed): packed.photoCount(of: row)
    case .values(let values): values.photoCount
    case .pinned(let pinned): pinned.spot.photoCount
    case .own(let number, let overlay): overlay.photos(of: number).count
    }
  }

  /// The number of favourites among the photos.
  public var favoriteCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.favoriteCount[row])
    case .packed(let row, let packed): packed.favoriteCount(of: row)
    case .values(let values): values.favoriteCount
    case .pinned(let pinned): pinned.spot.favoriteCount
    case .own(let number, let overlay): overlay.photos(of: number).favoriteCount
    }
  }

  /// The number of photos without a capture time.
  public var undatedCount: Int {
    switch source {
    case .row(let row, let tables): Int(tables.spots.undatedCount[row])
    case .packed(let row, let packed): packed.undatedCount(of: row)
    case .values(let values): values.undatedCount
    case .pinned(let pinned): pinned.spot.undatedCount
    case .own(let number, let overlay): overlay.photos(of: number).undatedCount
    }
  }

  /// The earliest capture time; `nil` if no photo is dated.
  public var firstCaptured: CaptureTime? {
    switch source {
    case .row(let row, let tables): tables.spots.firstCaptured(of: row)
    case .packed(let row, let packed): packed.firstCaptured(of: row)
    case .values(let values): values.firstCaptured
    case .pinned(let pinned): pinned.spot.firstCaptured
    case .own(let number, let overlay): overlay.photos(of: number).firstCaptured
    }
  }

  /// The latest capture time; `nil` if no photo is dated.
  public var lastCaptured: CaptureTime? {
    switch source {
    case .row(let row, let tables): tables.spots.lastCaptured(of: row)
    case .packed(let row, let packed): packed.lastCaptured(of: row)
    case .values(let values): values.lastCaptured
    case .pinned(let pinned): pinned.spot.lastCaptured
    case .own(let number, let overlay): overlay.photos(of: number).lastCaptured
    }
  }

  /// The absolute path of the representative file of the spot: the highest rated; among equals an
  /// image rather than a RAW file or movie; among those the latest. For a user's place, the first
  /// attached photo; `nil` if there is none.
  public var cover: FilePath? {
    switch source {
    case .row(let row, let tables): tables.index.path(of: tables.spots.cover[row])
    case .packed(let row, let packed): packed.cover(of: row)
    case .values(let values): values.cover
    case .pinned(let pinned): pinned.spot.cover
    case .own(let number, let overlay): overlay.places[number].photos.first
    }
  }

  /// The absolute path of the folder with most of the photos; `nil` if unknown, and for a user's
  /// place.
  public var album: FilePath? {
    switch source {
    case .row(let row, let tables):
      FilePath(bytes: tables.index.folder(tables.spots.album[row]))
    case .packed(let row, let packed): packed.album(of: row)
    case .values(let values): values.album
    case .pinned(let pinned): pinned.spot.album
    case .own: nil
    }
  }

  /// The user's place that is pinned to the spot, or that the spot represents; `nil` for a spot of
  /// photos alone.
  public var place: OwnPlace? {
    switch source {
    case .row, .packed, .values: nil
    case .pinned(let pinned): pinned.place
    case .own(let number, let overlay): overlay.places[number]
    }
  }

  /// Whether the spot is a user's place rather than a cluster of photos.
  public var isOwnPlace: Bool {
    if case .own = source { true } else { false }
  }

  /// The numbers of the shots' representative photos in their ``PhotoIndex``, earliest first; empty
  /// for a spot created without an index.
  public var members: [Int32] {
    switch source {
    case .row(let row, let tables): tables.spots.members[row].map(\.number)
    case .packed: []
    case .values(let values): values.members
    case .pinned(let pinned): pinned.spot.members
    case .own(let number, let overlay): overlay.photos(of: number).members
    }
  }

  /// A spot of photos and the place that is pinned to it.
  private final class Pinned: Sendable {
    let spot: PhotoSpot
    let place: OwnPlace

    init(spot: PhotoSpot, place: OwnPlace) {
      self.spot = spot
      self.place = place
    }
  }

  /// The properties of a spot that is not in an index.
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

/// Spots are equal if all their properties except the album are equal.
extension PhotoSpot: Hashable {
  /// Returns whether all properties of two spots except the album are equal.
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
