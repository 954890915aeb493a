public import CivilTime
public import Spatial
public import SystemPackage

/// One of the user's places, with the properties that queries, the watcher and alerts use.
public struct OwnPlace: Hashable, Sendable, Identifiable {
  /// A dated note about a place.
  public struct Note: Hashable, Sendable {
    /// The time of the note.
    public let time: Instant
    /// The text as entered; it may have several lines.
    public let text: String

    /// Creates a note.
    public init(time: Instant, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// The default kind of a place.
  public static let unnamedKind = "place"
  /// The range of a place's alert radius in metres.
  public static let alertRadii = 10.0...5000.0

  /// The id: sixteen characters of base32, whereas a spot's id has twelve.
  public let id: String
  /// The name of the place.
  public let name: String
  /// The kind of the place, in the user's own words.
  public let kind: String
  /// The position.
  public let coordinate: Coordinate
  /// The alert radius of the place in metres, 10–5000; `nil` for the watcher's proximity radius.
  public let alertRadiusMeters: Double?
  /// The notes, newest first; notes of the same time are ordered by their text.
  public let notes: [Note]
  /// The names of the place's collections, sorted.
  public let collections: [String]
  /// The absolute paths of the attached photos.
  public let photos: [FilePath]
  /// The id of the spot that the place is pinned to; `nil` if it is not pinned.
  public let pinnedSpotID: String?

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - id: Sixteen characters of base32.
  ///   - name: The name of the place.
  ///   - kind: The kind of the place.
  ///   - coordinate: The position.
  ///   - alertRadiusMeters: The alert radius of the place, clamped to its range; `nil` for the
  ///     watcher's proximity radius.
  ///   - notes: The notes in any order.
  ///   - collections: The names of collections in any order; duplicates are removed.
  ///   - photos: The absolute paths of the attached photos.
  ///   - pinnedSpotID: The id of the spot that the place is pinned to.
  public init(
    id: String, name: String, kind: String = unnamedKind, coordinate: Coordinate,
    alertRadiusMeters: Double? = nil, notes: [Note] = [], collections: [String] = [],
    photos: [FilePath] = [], pinnedSpotID: String? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
    self.alertRadiusMeters = alertRadiusMeters.flatMap { meters in
      meters.isNaN
        ? nil : min(max(meters, Self.alertRadii.lowerBound), Self.alertRadii.upperBound)
    }
    self.notes = notes.sorted { left, right in
      left.time != right.time ? left.time > right.time : left.text < right.text
    }
    self.collections = collections.count > 1 ? Set(collections).sorted() : collections
    self.photos = photos
    self.pinnedSpotID = pinnedSpotID
  }
}
