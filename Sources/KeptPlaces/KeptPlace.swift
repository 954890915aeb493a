public import CivilTime
public import PhotoLibrary
public import Spatial
import Storage
public import SystemPackage

/// A place of one's own as it is kept: each field with the time at which it was written.
///
/// Merging two states of a place takes the later value of each field, so that it does not matter in
/// which order states come, or how often.
public struct KeptPlace: Equatable, Sendable, Identifiable {
  /// The id, which never changes.
  public let id: PlaceID
  /// The earliest time that is known of the place, in milliseconds since 1970.
  var created: Int64
  var removal: Register<Bool>
  /// `nil` where the place was removed long ago, and only that is still known.
  var contents: Contents?

  struct Contents: Equatable, Sendable {
    var position: Register<Position>
    var name: Register<ByteText>
    var kind: Register<ByteText>
    /// Zero where the place has none of its own.
    var radius: Register<Double>
    /// Empty where the place is not pinned.
    var spot: Register<ByteText>
    /// By the ids of the notes.
    var notes = ElementSet<ByteText, NoteContent>()
    var photos = ElementSet<PathBytes, Bool>()
    var collections = ElementSet<ByteText, Bool>()
  }
}

/// A position to 1e-7°.
struct Position: MergedValue {
  let coordinate: Coordinate

  /// Takes the nearest position that can be written.
  init(_ coordinate: Coordinate) {
    // No negative zero, which no text tells from zero.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 + 0 }
    self.coordinate = Coordinate(
      uncheckedLatitude: rounded(coordinate.latitude), longitude: rounded(coordinate.longitude))
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

  /// Whether the place is there: neither removed nor forgotten.
  var isPresent: Bool { !removal.value && contents != nil }

  // MARK: - Values

  /// The fields as they are.
  public var fields: PlaceFields {
    PlaceFields(
      coordinate: coordinate, name: name, kind: kind, alertRadiusMeters: alertRadiusMeters,
      spotID: spotID, notes: notes, photos: photos, collections: collections)
  }

  /// The position.
  public var coordinate: Coordinate {
    contents?.position.value.coordinate ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// The name; empty where it has none.
  public var name: String { contents?.name.value.text ?? "" }
  /// The kind, in the person's own words.
  public var kind: String { contents?.kind.value.text ?? "" }
  /// The radius in metres within which the place alerts; `nil` for the watcher's own.
  public var alertRadiusMeters: Double? {
    contents.flatMap { $0.radius.value > 0 ? $0.radius.value : nil }
  }
  /// The id of the spot that the place is pinned to.
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

  /// When the place was made, as far as is known: the epoch where a file that it came with had no
  /// time.
  public var createdTime: Instant { Instant(millisecondsSince1970: created) }

  /// When a field was written last, the removal among them.
  public var changedTime: Instant { Instant(millisecondsSince1970: latest) }

  /// When the place was removed; `nil` where it is there.
  public var removedTime: Instant? {
    removal.value ? Instant(millisecondsSince1970: removal.time) : nil
  }

  /// The latest time of all fields.
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

  /// Takes another state of the same place in.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult
  mutating func merge(_ other: KeptPlace) -> Bool {
    var isChanged = removal.merge(other.removal)
    if other.created < created {
      created = other.created
      isChanged = true
    }
    guard let theirs = other.contents else { return isChanged }
    guard contents?.merge(theirs) == nil else { return isChanged }
    contents = theirs
    return true
  }

  /// Writes the fields that differ from those that are there.
  ///
  /// - Returns: Whether any does.
  mutating func write(_ fields: PlaceFields, now: Int64) -> Bool {
    contents?.write(fields, now: now) ?? false
  }

  /// Marks the place as removed, later than everything that is known of it.
  mutating func remove(now: Int64) {
    removal.write(true, now: PlaceTime.after(latest, now: now))
  }

  /// Whether the place was removed so long ago that its contents are of no use.
  func isFinallyRemoved(before limit: Int64) -> Bool {
    removal.value && removal.time <= limit && contents != nil
  }

  /// Leaves the contents out of a place that was removed long ago.
  ///
  /// - Returns: Whether there were any.
  mutating func drop(before limit: Int64) -> Bool {
    guard isFinallyRemoved(before: limit) else { return false }
    contents = nil
    return true
  }
}

extension KeptPlace.Contents {
  fileprivate mutating func merge(_ other: Self) -> Bool {
    let changes = [
      position.merge(other.position), name.merge(other.name), kind.merge(other.kind),
      radius.merge(other.radius), spot.merge(other.spot), notes.merge(other.notes),
      photos.merge(other.photos), collections.merge(other.collections),
    ]
    return changes.contains(true)
  }

  fileprivate mutating func write(_ fields: PlaceFields, now: Int64) -> Bool {
    let changes = [
      position.write(Position(fields.coordinate), now: now),
      name.write(ByteText(fields.name), now: now),
      kind.write(ByteText(fields.kind), now: now),
      radius.write(fields.alertRadiusMeters ?? 0, now: now),
      spot.write(ByteText(fields.spotID ?? ""), now: now), writeElements(fields, now: now),
    ]
    return changes.contains(true)
  }

  @discardableResult
  fileprivate mutating func writeElements(_ fields: PlaceFields, now: Int64) -> Bool {
    let notes = Dictionary(fields.notes.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values
    let changes = [
      self.notes.write(
        notes.map { note in
          let content = NoteContent(
            date: note.time.millisecondsSince1970, text: ByteText(note.text), isPresent: true)
          return (ByteText(note.id), content)
        }.sorted { $0.0 < $1.0 }, now: now),
      photos.write(Self.keys(fields.photos.map { PathBytes(bytes: $0.bytes) }), now: now),
      collections.write(Self.keys(fields.collections.map { ByteText($0) }), now: now),
    ]
    return changes.contains(true)
  }

  /// Keys in their order, each once.
  private static func keys<Key: ElementKey>(_ keys: [Key]) -> [(key: Key, value: Bool)] {
    keys.sorted().reduce(into: []) { elements, key in
      if elements.last?.key != key { elements.append((key, true)) }
    }
  }
}

extension OwnPlace {
  /// Creates the description of a kept place that the index and alerts use; the name of one without
  /// is that of its town.
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
