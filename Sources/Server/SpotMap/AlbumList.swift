public import PhotoLibrary
public import PhotoMetadata
public import Spatial

/// The albums of a library: the folders of photos at spots, those of one name together.
public struct AlbumList: Sendable {
  /// An album.
  public struct Album: Sendable {
    /// The name of the folder as ``Encodings/NameText`` writes it.
    public let name: String
    /// The number of photos.
    public let photoCount: Int
    /// The times of the first and last photo; `nil` if none is dated.
    public let captured: (first: CaptureTime, last: CaptureTime)?
    /// The narrowest box around the photos.
    public let box: BoundingBox
    /// The number of a photo for display: the earliest favourite, or the earliest photo.
    public let cover: Int32
  }

  /// The albums, that with the latest photo first, then by name; undated ones last.
  public let albums: [Album]

  /// Lists the albums of an index.
  ///
  /// - Complexity: O(*n* + *m* log *m*), where *n* is the number of photos and *m* of folders.
  public init(_ index: SpotIndex) {
    guard let photos = SpotPhotos(of: index) else {
      albums = []
      return
    }
    var numbers: [String: Int] = [:]
    let ofFolders = (0..<photos.folderCount).map { folder -> Int? in
      guard let name = photos.name(ofFolder: Int32(truncatingIfNeeded: folder)) else { return nil }
      let number = numbers[name] ?? numbers.count
      numbers[name] = number
      return number
    }
    var sums = Array(repeating: Sum(), count: numbers.count)
    for spot in index.withoutPlaces.spots.indices {
      photos.forEachPhoto(ofSpotAt: spot) { photo in
        var known: [Int] = []
        photos.forEachFolder(of: photo) { folder in
          guard let number = ofFolders[Int(folder)], !known.contains(number) else { return }
          known.append(number)
          sums[number].add(photo, photos)
        }
      }
    }
    let found = numbers.compactMap { name, number in sums[number].album(name) }
    albums = found.sorted { left, right in
      let ends = (left.captured?.last.instant, right.captured?.last.instant)
      if let left = ends.0, let right = ends.1, left != right { return left > right }
      if (ends.0 == nil) != (ends.1 == nil) { return ends.0 != nil }
      return left.name < right.name
    }
  }

  /// The photos of an album so far.
  private struct Sum {
    private var count = 0
    private var south = 90.0
    private var north = -90.0
    // The longitudes from -180 to 180, and those from 0 to 360: the narrower span is the album's.
    private var west = 180.0
    private var east = -180.0
    private var westOfTurn = 360.0
    private var eastOfTurn = 0.0
    private var first: CaptureTime?
    private var last: CaptureTime?
    private var cover: Int32 = 0
    private var isFavorite = false

    mutating func add(_ photo: Int32, _ photos: SpotPhotos) {
      let place = photos.coordinate(of: photo)
      let turned = place.longitude < 0 ? place.longitude + 360 : place.longitude
      (south, north) = (min(south, place.latitude), max(north, place.latitude))
      (west, east) = (min(west, place.longitude), max(east, place.longitude))
      (westOfTurn, eastOfTurn) = (min(westOfTurn, turned), max(eastOfTurn, turned))
      let time = photos.captured(of: photo)
      let isEarlier = time.map { time in first.map { time.instant < $0.instant } ?? true } ?? false
      let favorite = photos.isFavorite(photo)
      if count == 0 || favorite && !isFavorite || favorite == isFavorite && isEarlier {
        (cover, isFavorite) = (photo, favorite)
      }
      count += 1
      guard let time else { return }
      if isEarlier { first = time }
      if last.map({ time.instant > $0.instant }) ?? true { last = time }
    }

    func album(_ name: String) -> Album? {
      guard count > 0 else { return nil }
      let isTurned = eastOfTurn - westOfTurn < east - west
      let edges = isTurned ? (westOfTurn, eastOfTurn) : (west, east)
      func wrapped(_ longitude: Double) -> Double { longitude > 180 ? longitude - 360 : longitude }
      guard
        let box = BoundingBox(
          south: south, west: wrapped(edges.0), north: north, east: wrapped(edges.1))
      else { return nil }
      let captured = first.flatMap { first in last.map { (first: first, last: $0) } }
      return Album(name: name, photoCount: count, captured: captured, box: box, cover: cover)
    }
  }
}
