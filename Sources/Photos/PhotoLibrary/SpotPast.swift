public import CivilTime
public import PhotoMetadata
import Storage
import SystemPackage
public import Towns

/// Facts about the past photos of a spot that help to take the picture again.
public struct SpotPast: Hashable, Sendable {
  /// The distinct days on which photos were taken, by the camera's local time, earliest first.
  public let days: [CivilDay]
  /// The direction that the camera faced in the cover photo.
  public let coverHeading: Heading?
  /// The focal length of the cover photo. A missing 35 mm equivalent is computed if the camera's
  /// sensor is known.
  public let coverFocalLength: FocalLength?
  /// The name of the place: that of the album with most of its photos, else that of the nearest
  /// town.
  public let place: String?

  /// Creates the past of a spot.
  ///
  /// - Parameters:
  ///   - days: The days in any order; duplicates are removed.
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

/// The pasts of spots, each computed on access, since only alerts use them.
public struct SpotPasts: Sendable {
  private let spots: SpotIndex?

  /// Creates an empty collection of pasts.
  public init() {
    spots = nil
  }

  /// Creates the pasts of the spots of an index.
  ///
  /// - Parameter spots: The spots; those made without a photo index have no past.
  public init(of spots: SpotIndex) {
    self.spots = spots
  }

  /// The past of the spot with an id; `nil` if there is no such spot.
  ///
  /// The past of a user's place is that of its attached photos, as far as the index contains them.
  ///
  /// - Complexity: O(*k* log *k* + log *n*) for the *k* photos of the spot among *n* spots.
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
  /// Returns the past of a spot from the representative photos of its shots and its cover file.
  fileprivate func past(
    ofMembers members: some Collection<PhotoID>, cover: FileID, place: String?
  ) -> SpotPast {
    // A copy may have lost metadata, so each value is from the first file of the shot that has it.
    let ofCover = files(ofShotOf: cover).compactMap { files.photo[$0.row] }.map { photos[$0] }
    return SpotPast(
      days: members.lazy.compactMap { photos.captured(of: $0) }
        .map(\.day),
      coverHeading: ofCover.lazy.compactMap(\.heading).first,
      coverFocalLength: ofCover.lazy.compactMap { focalLength(of: $0.facts) }.first,
      place: place)
  }

  /// Returns the focal length of a photo, with the 35 mm equivalent if the camera's sensor is
  /// known.
  func focalLength(of photo: PhotoFacts) -> FocalLength? {
    photo.focalLength.map { id in
      photo.camera.map { focalLengths[id].equivalent(on: cameras[$0]) } ?? focalLengths[id]
    }
  }
}

extension PhotoSpot {
  /// The name of the place: that of the user's place, else of the album with most of the photos,
  /// else of the nearest town, with the distance if it is far; `nil` if there is none.
  public var placeName: String? {
    if let name = place.flatMap({ PlaceName.line($0.name) }) { return name }
    return album.flatMap(PlaceName.name(ofFolder:)) ?? town?.placeName
  }

  /// The nearest town, as in `Gazetteer.nearest(to:)`.
  public var town: Town.Neighbor? { Gazetteer.world.nearest(to: coordinate) }

  /// The title of the spot: the name of its place, else its position.
  public var title: String { placeName ?? PlaceName.text(of: coordinate) }
}

extension FocalLength {
  /// Returns the focal length with its 35 mm equivalent added, if that is missing and the camera's
  /// sensor is known.
  fileprivate func equivalent(on camera: Camera) -> FocalLength {
    guard millimetersOn35mmFilm == nil, let millimeters,
      let factor = SensorTable.cropFactor(of: camera)
    else { return self }
    let film = Int(saturating: (millimeters * factor).rounded())
    return FocalLength(millimeters: millimeters, millimetersOn35mmFilm: film) ?? self
  }
}
