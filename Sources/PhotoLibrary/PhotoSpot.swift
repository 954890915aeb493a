public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A place where photos were taken: a cluster of photos around an anchor.
public struct PhotoSpot: Hashable, Sendable, Identifiable {
  /// Twelve characters of base32 that stay the same as long as the earliest photo does, wherever its
  /// file is moved.
  public let id: String
  /// The centre: the normalised mean of the members' unit vectors.
  public let coordinate: Coordinate
  /// The position of the earliest photo, within the cluster radius of every member.
  public let anchor: Coordinate
  /// The distance in metres from the centre to the member farthest from it.
  public let radiusMeters: Double
  /// How many photos were taken here; the files of one shot count once.
  public let photoCount: Int
  /// How many of them are favourites.
  public let favoriteCount: Int
  /// How many of them have no capture time.
  public let undatedCount: Int
  /// The earliest capture; `nil` where no photo is dated.
  public let firstCaptured: CaptureTime?
  /// The latest capture; `nil` where no photo is dated.
  public let lastCaptured: CaptureTime?
  /// The absolute path of the file that stands for the spot: that of the best rated shot, of those one with
  /// a picture that is neither RAW nor a movie, of those the latest.
  public let cover: FilePath
  /// The places in their ``PhotoIndex`` of the photos that stand for the shots, earliest first; empty for a spot that was made
  /// without one.
  public let members: [Int32]

  /// Creates a spot from what is known of its photos.
  public init(
    id: String, coordinate: Coordinate, anchor: Coordinate, radiusMeters: Double, photoCount: Int,
    favoriteCount: Int = 0, undatedCount: Int = 0, firstCaptured: CaptureTime?,
    lastCaptured: CaptureTime?, cover: FilePath, members: [Int32] = []
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
    self.members = members
  }
}
