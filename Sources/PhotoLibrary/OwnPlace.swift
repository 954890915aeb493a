public import CivilTime
public import Spatial
public import SystemPackage

/// A place that a person keeps, as far as questions, the watcher and alerts need it.
public struct OwnPlace: Hashable, Sendable, Identifiable {
  /// A dated note about a place.
  public struct Note: Hashable, Sendable {
    /// When the note was taken.
    public let time: Instant
    /// The text as it was given; it may have several lines.
    public let text: String

    /// Creates a note.
    public init(time: Instant, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// The kind of a place that was given none.
  public static let unnamedKind = "place"
  /// The radii within which a place may alert, in metres.
  public static let alertRadii = 10.0...5000.0

  /// Sixteen characters of base32; a spot's id has twelve.
  public let id: String
  /// What the place is called.
  public let name: String
  /// What kind of place it is, in the person's own words.
  public let kind: String
  /// Its position.
  public let coordinate: Coordinate
  /// The radius in metres within which the place alerts, 10–5000; `nil` for the watcher's own.
  public let alertRadiusMeters: Double?
  /// The notes, newest first; at the same time, by their texts.
  public let notes: [Note]
  /// The names of the collections that the place belongs to, sorted.
  public let collections: [String]
  /// The absolute paths of the attached photos.
  public let photos: [FilePath]
  /// The id of the spot that the place is pinned to.
  public let pinnedSpotID: String?

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - id: Sixteen characters of base32.
  ///   - name: What the place is called.
  ///   - kind: What kind of place it is.
  ///   - coordinate: The position.
  ///   - alertRadiusMeters: The radius within which the place alerts, brought into its range; `nil`
  ///     for the watcher's own.
  ///   - notes: In any order.
  ///   - collections: In any order, and any number of times.
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
