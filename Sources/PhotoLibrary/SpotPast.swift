public import Interchange
public import PhotoMetadata
import Storage

/// What the photos of a spot say of the past, as far as it helps to take the picture again.
public struct SpotPast: Hashable, Sendable {
  /// The days on which photos were taken, on the clock of the camera: each once, the earliest first.
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

/// The past of each spot, kept apart from the spots, since only alerts ask for it.
public struct SpotPasts: Sendable {
  private struct Entry {
    var days: Range<Int32>
    var coverHeading: Heading?
    var coverFocalLength: FocalLength?
  }

  /// The days of all spots, one spot after another.
  private var days: [CivilDay] = []
  private var entries: [String: Entry] = [:]

  /// Creates the pasts of no spots.
  public init() {}

  /// Creates the pasts of spots.
  ///
  /// - Parameters:
  ///   - spots: Spots of the index.
  ///   - index: What the spots were made of.
  /// - Complexity: O(*n* log *n*) for *n* photos.
  public init(of spots: [PhotoSpot], in index: PhotoIndex) {
    entries.reserveCapacity(spots.count)
    for spot in spots {
      let past = index.past(of: spot)
      let start = Int32(days.count)
      days += past.days
      entries[spot.id] = Entry(
        days: start..<Int32(days.count), coverHeading: past.coverHeading,
        coverFocalLength: past.coverFocalLength)
    }
  }

  /// The past of a spot by its id; `nil` where there is no such spot.
  public subscript(spotID: String) -> SpotPast? {
    entries[spotID].map { entry in
      SpotPast(
        days: days[Int(entry.days.lowerBound)..<Int(entry.days.upperBound)],
        coverHeading: entry.coverHeading, coverFocalLength: entry.coverFocalLength)
    }
  }
}

extension PhotoIndex {
  fileprivate func past(of spot: PhotoSpot) -> SpotPast {
    // A copy may have lost what the camera wrote, and so the first file that has it tells.
    let cover = photosOfCover(of: spot)
    return SpotPast(
      days: spot.members.lazy.compactMap { photos[Int($0)].captured }
        .map { CivilDay($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0) },
      coverHeading: cover.lazy.compactMap(\.heading).first,
      coverFocalLength: cover.first { $0.focalLength >= 0 }
        .map { focalLengths[Int32($0.focalLength)] })
  }

  /// The photos of the shot of which the cover is a file.
  private func photosOfCover(of spot: PhotoSpot) -> [Photo] {
    let cover = spot.cover.bytes
    for member in spot.members {
      let file = photos[Int(member)].file
      let shot = files[Int(file)].shot
      let members = shot < 0 ? [file] : Array(shots[shot])
      guard members.contains(where: { pathBytes(of: files[Int($0)]) == cover }) else { continue }
      return members.map { files[Int($0)].photo }.filter { $0 >= 0 }.map { photos[Int($0)] }
    }
    return []
  }
}
