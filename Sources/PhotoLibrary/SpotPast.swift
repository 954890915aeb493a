public import CivilTime
public import PhotoMetadata
import Storage
import SystemPackage
public import Towns

/// What the photos of a spot say of the past, as far as it helps to take the picture again.
public struct SpotPast: Hashable, Sendable {
  /// The days on which photos were taken, on the clock of the camera: each once, the earliest
  /// first.
  public let days: [CivilDay]
  /// The direction that the camera faced in the photo that stands for the spot.
  public let coverHeading: Heading?
  /// The focal length of the photo that stands for the spot; that on 35 mm film is worked out where
  /// the photo does not say it and the camera's sensor is known.
  public let coverFocalLength: FocalLength?
  /// The name of the place: of the album that most of its photos lie in, else of the nearest town.
  public let place: String?

  /// Creates a past.
  ///
  /// - Parameters:
  ///   - days: In any order, and any number of times.
  ///   - coverHeading: The direction that the camera faced.
  ///   - coverFocalLength: The focal length.
  ///   - place: The name of the place.
  public init(
    days: some Sequence<CivilDay>, coverHeading: Heading? = nil,
    coverFocalLength: FocalLength? = nil, place: String? = nil
  ) {
    self.days = Set(days).sorted()
    self.coverHeading = coverHeading
    self.coverFocalLength = coverFocalLength
    self.place = place
  }
}

/// The past of each spot, worked out when it is asked for: only alerts ask.
public struct SpotPasts: Sendable {
  private let spots: SpotIndex?

  /// Creates the pasts of no spots.
  public init() {
    spots = nil
  }

  /// Creates the pasts of the spots of an index.
  ///
  /// - Parameter spots: What the spots were asked from; those that were made without an index have
  ///   no past.
  public init(of spots: SpotIndex) {
    self.spots = spots
  }

  /// The past of a spot by its id; `nil` where there is no such spot.
  ///
  /// A place of one's own has that of its photos, as far as the index has them.
  ///
  /// - Complexity: O(*k* log *k* + log *n*) for the *k* photos of the spot, of *n*.
  public subscript(spotID: String) -> SpotPast? {
    guard let spots, let number = spots.place(ofID: spotID) else { return nil }
    let spot = spots.spots[number]
    guard let tables = spots.spots.photoTables else {
      return spot.isOwnPlace ? SpotPast(days: [], place: spot.placeName) : nil
    }
    let members = spot.members.map { PhotoID(number: $0) }
    guard !members.isEmpty else { return SpotPast(days: [], place: spot.placeName) }
    let cover =
      SpotID(text: spotID).flatMap { tables.spots.row(of: $0) }.map { tables.spots.cover[$0] }
      ?? tables.index.photos.file[members[0].row]
    return tables.index.past(ofMembers: members, cover: cover, place: spot.placeName)
  }
}

extension PhotoIndex {
  /// The past of a spot, by the photos that stand for its shots and the file that stands for it.
  fileprivate func past(
    ofMembers members: some Collection<PhotoID>, cover: FileID, place: String?
  ) -> SpotPast {
    // A copy may have lost what the camera wrote, and so the first file that has it tells.
    let ofCover = files(ofShotOf: cover).compactMap { files.photo[$0.row] }.map { photos[$0] }
    return SpotPast(
      days: members.lazy.compactMap { photos.captured(of: $0) }
        .map { CivilDay($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0) },
      coverHeading: ofCover.lazy.compactMap(\.heading).first,
      coverFocalLength: ofCover.first { $0.focalLength != nil }.flatMap(focalLength),
      place: place)
  }

  /// The focal length of a photo, with the equivalent on 35 mm film where the camera's sensor is
  /// known.
  func focalLength(of photo: PhotoTable.Photo) -> FocalLength? {
    photo.focalLength.map { id in
      photo.camera.map { focalLengths[id].equivalent(on: cameras[$0]) } ?? focalLengths[id]
    }
  }
}

extension PhotoSpot {
  /// The name of the place: that of the place of one's own, else of the album that most of the
  /// photos lie in, else of the town that it belongs to; `nil` where none names one.
  public var placeName: String? {
    if let name = place.flatMap({ PlaceName.line($0.name) }) { return name }
    return album?.lastComponent.flatMap { PlaceName.name(ofAlbum: $0.bytes) } ?? town?.town.name
  }

  /// The town that the spot belongs to, as ``Towns/Gazetteer/nearest(to:)``.
  public var town: Town.Neighbor? { Gazetteer.world.nearest(to: coordinate) }

  /// What the spot is called: the name of its place, else its position.
  public var title: String { placeName ?? PlaceName.text(of: coordinate) }
}

extension FocalLength {
  /// The same with the equivalent on 35 mm film, where that is missing and the camera's sensor is
  /// known.
  fileprivate func equivalent(on camera: Camera) -> FocalLength {
    guard millimetersOn35mmFilm == nil, let millimeters,
      let factor = SensorTable.cropFactor(of: camera)
    else { return self }
    let film = Int(saturating: (millimeters * factor).rounded())
    return FocalLength(millimeters: millimeters, millimetersOn35mmFilm: film) ?? self
  }
}
