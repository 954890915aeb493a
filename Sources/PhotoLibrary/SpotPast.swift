public import Interchange
public import PhotoMetadata

/// What the photos of a spot say of the past, as far as it helps to take the picture again.
public struct SpotPast: Hashable, Sendable {
  /// The days on which photos were taken, on the clock of the camera: each once, the earliest
  /// first.
  public let days: [CivilDay]
  /// The direction that the camera faced in the photo that stands for the spot.
  public let coverHeading: Heading?
  /// The focal length of the photo that stands for the spot.
  public let coverFocalLength: FocalLength?

  /// Creates a past.
  ///
  /// - Parameters:
  ///   - days: In any order, and any number of times.
  ///   - coverHeading: The direction that the camera faced.
  ///   - coverFocalLength: The focal length.
  public init(
    days: some Sequence<CivilDay>, coverHeading: Heading? = nil,
    coverFocalLength: FocalLength? = nil
  ) {
    self.days = Set(days).sorted()
    self.coverHeading = coverHeading
    self.coverFocalLength = coverFocalLength
  }
}

/// The past of each spot, worked out when it is asked for: only alerts ask.
public struct SpotPasts: Sendable {
  private let tables: SpotIndexTables?

  /// Creates the pasts of no spots.
  public init() {
    tables = nil
  }

  /// Creates the pasts of the spots of an index.
  ///
  /// - Parameters:
  ///   - spots: What the spots were asked from; those that were made without an index have no past.
  public init(of spots: SpotIndex) {
    tables = spots.spots.tables
  }

  /// The past of a spot by its id; `nil` where there is no such spot.
  ///
  /// - Complexity: O(*k* log *k* + log *n*) for the *k* photos of the spot, of *n*.
  public subscript(spotID: String) -> SpotPast? {
    guard let tables, let id = SpotID(text: spotID), let row = tables.spots.row(of: id) else {
      return nil
    }
    return tables.index.past(
      ofMembers: tables.spots.members[row], cover: tables.spots.cover[row])
  }
}

extension PhotoIndex {
  /// The past of a spot, by the photos that stand for its shots and the file that stands for it.
  fileprivate func past(
    ofMembers members: some Collection<PhotoID>, cover: FileID
  ) -> SpotPast {
    // A copy may have lost what the camera wrote, and so the first file that has it tells.
    let ofCover = files(ofShotOf: cover).compactMap { files.photo[$0.row] }.map { photos[$0] }
    return SpotPast(
      days: members.lazy.compactMap { photos.captured(of: $0) }
        .map { CivilDay($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0) },
      coverHeading: ofCover.lazy.compactMap(\.heading).first,
      coverFocalLength: ofCover.lazy.compactMap(\.focalLength).first.map { focalLengths[$0] })
  }
}
