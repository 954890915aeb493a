public import CivilTime
public import PhotoLibrary
public import Spatial
import Storage
public import SystemPackage

/// A place of the user's own, in its mergeable form: each field has the time at which it was
/// written.
///
/// Merging two states of a place takes the later value of each field. The result depends neither on
/// the order in which states are merged nor on repetitions.
public struct KeptPlace: Equatable, Sendable, Identifiable {
  /// The id. It never changes.
  public let id: PlaceID
  /// The earliest known time of the place, in milliseconds since 1970.
  var created: Int64
  var removal: Register<Bool>
  /// The fields; `nil` where the place was removed long ago, and only its removal is still known.
  var contents: Contents?

  struct Contents: Equatable, Sendable {
    var position: Register<Position>
    var name: Register<ByteText>
    var kind: Register<ByteText>
    /// Metres; zero where the place has no radius of its own.
    var radius: Register<Double>
    /// The id of a spot; empty where the place is not pinned to one.
    var spot: Register<ByteText>
    /// The notes by their ids.
    var notes = ElementSet<ByteText, NoteContent>()
    var photos = ElementSet<PathBytes, Bool>()
    var collections = ElementSet<ByteText, Bool>()
  }
}

/// A position rounded to 1e-7°.
struct Position: MergedValue {
  let coordinate: Coordinate

  /// Rounds to the nearest position that can be written.
  init(_ coordinate: Coordinate) {
    // Adding zero removes the sign of a negative zero, which would be lost in text.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 + 0 }
    self.coordinate = Coordinate(
      uncheckedLatitude: rounded(coordinate.latitude), longitude: rounded(coordinate.longitude))
  }

  /// Returns whether this is the other way to write a position on the antimeridian: formats have
  /// 180° or −180°.
  func isWrittenOtherwise(than other: Position) -> Bool {
    self != other && coordinate.latitude == other.coordinate.latitude
      && abs(coordinate.longitude) == 180 && abs(other.coordinate.longitude) == 180
  }

  func prevails(over other: Position) -> Bool {
    coordinate.latitude != other.coordinate.latitude
      ? coordinate.latitude > other.coordinate.latitude
      : coordinate.longitude > other.coordinate.longitude
  }
}

extension KeptPlace {
  /// Creates a place whose fields were all written at one time.
  init(id: PlaceID, _ fields: PlaceFields, time: Int64) {
    self.id = id
    created = time
    removal = Register(value: false, time: time)
    var contents = Contents(
      position: Register(value: Position(fields.coordinate), time: time),
      name: Register(value: ByteText(""), time: time),
      kind: Register(value: ByteText(""), time: time), radius: Register(value: 0, time: time),
      spot: Register(value: ByteText(""), time: time))
    contents.name.value = ByteText(fields.name)
    contents.kind.value = ByteText(fields.kind)
    contents.radius.value = fields.alertRadiusMeters ?? 0
    contents.spot.value = ByteText(fields.spotID ?? "")
    contents.writeElements(fields, now: time)
    self.contents = contents
  }

  /// Whether the place exists: it is neither removed nor reduced to its removal.
  var isPresent: Bool { !removal.value && contents != nil }

  // MARK: - Values

  /// The current values of the fields.
  public var fields: PlaceFields {
    PlaceFields(
      coordinate: coordinate, name: name, kind: kind, alertRadiusMeters: alertRadiusMeters,
      spotID: spotID, notes: notes, photos: photos, collections: collections)
  }

  /// The position.
  public var coordinate: Coordinate {
    contents?.position.value.coordinate ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// The name; empty where the place has none.
  public var name: String { contents?.name.value.text ?? "" }
  /// The kind, in the user's own words.
  public var kind: String { contents?.kind.value.text ?? "" }
  /// The radius in metres within which the place alerts; `nil` for the watcher's radius.
  public var alertRadiusMeters: Double? {
    contents.flatMap { $0.radius.value > 0 ? $0.radius.value : nil }
  }
  /// The id of the spot that the place is pinned to; `nil` where it is not pinned.
  public var spotID: String? {
    contents.flatMap { $0.spot.value.text.isEmpty ? nil : $0.spot.value.text }
  }

  /// The notes, newest first, then by id.
  public var notes: [PlaceNote] {
    guard let contents, !contents.notes.elements.isEmpty else { return [] }
    return contents.notes.present.map { element in
      PlaceNote(
        id: element.key.text,
        time: Instant(millisecondsSince1970: element.register.value.date),
        text: element.register.value.text.text)
    }.sorted(by: PlaceNote.comesFirst)
  }

  /// The absolute paths of the attached photos, in the order of their bytes.
  public var photos: [FilePath] {
    guard let contents, !contents.photos.elements.isEmpty else { return [] }
    return contents.photos.present.map { FilePath(bytes: $0.key.bytes) }
  }

  /// The names of the collections that the place belongs to, in the order of their bytes.
  public var collections: [String] {
    guard let contents, !contents.collections.elements.isEmpty else { return [] }
    return contents.collections.present.map(\.key.text)
  }

  /// The creation time as far as known: the epoch for a place from a file without times.
  public var createdTime: Instant { Instant(millisecondsSince1970: created) }

  /// The time of the last write to any field or to the removal.
  public var changedTime: Instant { Instant(millisecondsSince1970: latest) }

  /// The time of the removal; `nil` where the place is not removed.
  public var removedTime: Instant? {
    removal.value ? Instant(millisecondsSince1970: removal.time) : nil
  }

  /// The latest time of all fields, in milliseconds since 1970.
  var latest: Int64 {
    var latest = removal.time
    guard let contents else { return latest }
    for time in [
      contents.position.time, contents.name.time, contents.kind.time, contents.radius.time,
      contents.spot.time,
    ] {
      latest = max(latest, time)
    }
    latest = contents.notes.latest(latest)
    latest = contents.photos.latest(latest)
    return contents.collections.latest(latest)
  }

  // MARK: - Changes

  /// Merges another state of the same place into this one.
  mutating func merge(_ other: KeptPlace) {
    removal.merge(other.removal)
    created = min(created, other.created)
    guard let theirs = other.contents else { return }
    if contents == nil { contents = theirs } else { contents?.merge(theirs) }
  }

  /// Writes the fields that differ from the current ones.
  mutating func write(_ fields: PlaceFields, now: Int64) { contents?.write(fields, now: now) }

  /// Marks the place as removed, at a time later than that of any of its fields.
  mutating func remove(now: Int64) {
    removal.write(true, now: PlaceTime.after(latest, now: now))
  }

  /// Returns whether the contents of the place can be dropped: it was removed at or before a time
  /// limit.
  func isFinallyRemoved(before limit: Int64) -> Bool {
    removal.value && removal.time <= limit && contents != nil
  }

  /// Drops the contents of a place that was removed at or before a time limit.
  mutating func drop(before limit: Int64) {
    if isFinallyRemoved(before: limit) { contents = nil }
  }
}

extension KeptPlace.Contents {
  fileprivate mutating func merge(_ other: Self) {
    position.merge(other.position)
    name.merge(other.name)
    kind.merge(other.kind)
    radius.merge(other.radius)
    spot.merge(other.spot)
    notes.merge(other.notes)
    photos.merge(other.photos)
    collections.merge(other.collections)
  }

  fileprivate mutating func write(_ fields: PlaceFields, now: Int64) {
    position.write(Position(fields.coordinate), now: now)
    name.write(ByteText(fields.name), now: now)
    kind.write(ByteText(fields.kind), now: now)
    radius.write(fields.alertRadiusMeters ?? 0, now: now)
    spot.write(ByteText(fields.spotID ?? ""), now: now)
    writeElements(fields, now: now)
  }

  fileprivate mutating func writeElements(_ fields: PlaceFields, now: Int64) {
    let notes = Dictionary(fields.notes.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values
    self.notes.write(
      notes.map { note in
        let content = NoteContent(
          date: note.time.millisecondsSince1970, text: ByteText(note.text), isPresent: true)
        return (ByteText(note.id), content)
      }.sorted { $0.0 < $1.0 }, now: now)
    photos.write(Self.keys(fields.photos.map { PathBytes(bytes: $0.bytes) }), now: now)
    collections.write(Self.keys(fields.collections.map { ByteText($0) }), now: now)
  }

  /// Returns keys as sorted elements without duplicates.
  private static func keys<Key: ElementKey>(_ keys: [Key]) -> [(key: Key, value: Bool)] {
    keys.sorted().reduce(into: []) { elements, key in
      if elements.last?.key != key { elements.append((key, true)) }
    }
  }
}

extension OwnPlace {
  /// Creates the description of a place for the index and alerts. A place without a name is named
  /// after its town.
  public init(_ place: KeptPlace) {
    self.init(
      id: place.id.description,
      name: place.name.isEmpty ? PlaceName.title(of: place.coordinate) : place.name,
      kind: place.kind.isEmpty ? Self.unnamedKind : place.kind, coordinate: place.coordinate,
      alertRadiusMeters: place.alertRadiusMeters,
      notes: place.notes.map { Note(time: $0.time, text: $0.text) },
      collections: place.collections, photos: place.photos, pinnedSpotID: place.spotID)
  }
}
