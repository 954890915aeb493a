public import CivilTime
public import PhotoLibrary

/// All places of a person, those removed lately too.
///
/// Two documents are merged into one that has the later value of each field of each place: any
/// order and repetition of merges gives the same document. Clocks need not agree: what is changed
/// here is always later than what it replaces.
public struct PlaceDocument: Equatable, Sendable {
  /// How long removed places can be restored, in seconds.
  public static let removalSeconds = 30.0 * 86_400

  private(set) var table = PlaceTable()
  /// Whether the document differs from the file that it was read from.
  var isChanged = false

  /// Creates a document without places.
  public init() {}

  /// Whether both hold the same places, whatever files they are of.
  public static func == (left: PlaceDocument, right: PlaceDocument) -> Bool {
    left.table == right.table
  }

  // MARK: - Places

  /// The places, in the order of their ids.
  public var places: [KeptPlace] {
    table.order.lazy.map { table.rows[$0] }.filter(\.isPresent)
  }

  /// The places as the index, the watcher and alerts need them, in no order.
  public var ownPlaces: [OwnPlace] {
    table.rows.lazy.filter(\.isPresent).map { OwnPlace($0) }
  }

  /// The number of places.
  public var count: Int { table.rows.count(where: \.isPresent) }

  /// The place with an id; `nil` where there is none, or it was removed.
  public subscript(id: PlaceID) -> KeptPlace? {
    table[id].flatMap { $0.isPresent ? $0 : nil }
  }

  /// The removed place with an id; `nil` where there is none, or its time is over.
  public func removedPlace(_ id: PlaceID, now: Instant) -> KeptPlace? {
    table[id].flatMap { Self.isRestorable($0, now) ? $0 : nil }
  }

  /// The places that were removed and can be restored, in the order of their ids.
  public func removedPlaces(now: Instant) -> [KeptPlace] {
    table.rows.filter { Self.isRestorable($0, now) }.sorted { $0.id < $1.id }
  }

  private static func isRestorable(_ place: KeptPlace, _ now: Instant) -> Bool {
    place.removal.value && place.contents != nil && place.removal.time > limit(now)
  }

  /// The time before which a removal is final.
  private static func limit(_ now: Instant) -> Int64 {
    now.advanced(bySeconds: -removalSeconds).millisecondsSince1970
  }

  /// The names of the collections with the number of places in each, by name.
  public var collections: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for place in table.rows where place.isPresent {
      for name in place.collections { counts[name, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: - Changes

  /// Keeps a new place.
  ///
  /// - Throws: ``PlaceError`` where a field is out of bounds, or a place has the id.
  @discardableResult
  public mutating func add(
    _ fields: PlaceFields, id: PlaceID = .random(), now: Instant
  ) throws(PlaceError) -> KeptPlace {
    let fields = try fields.checked()
    guard table.index(of: id) == nil else { throw .exists(id) }
    let place = KeptPlace(id: id, fields, time: Self.time(now))
    table.append(place)
    isChanged = true
    return place
  }

  /// Changes fields of a place.
  ///
  /// - Parameters:
  ///   - id: The place.
  ///   - now: The machine's clock.
  ///   - change: Changes the fields; those that differ afterwards are written.
  /// - Returns: The place as it is then.
  /// - Throws: ``PlaceError`` where there is no such place, or a field is out of bounds.
  @discardableResult
  public mutating func change(
    _ id: PlaceID, now: Instant, _ change: (inout PlaceFields) throws(PlaceError) -> Void
  ) throws(PlaceError) -> KeptPlace {
    guard let row = table.index(of: id), table.rows[row].isPresent else { throw .missing(id) }
    let before = table.rows[row].fields
    var fields = before
    try change(&fields)
    fields = try fields.checked(since: before)
    if table.change(at: row, { $0.write(fields, now: Self.time(now)) }) { isChanged = true }
    return table.rows[row]
  }

  /// Removes a place, which can be restored for 30 days.
  ///
  /// - Throws: ``PlaceError/missing(_:)``.
  public mutating func remove(_ id: PlaceID, now: Instant) throws(PlaceError) {
    guard let row = table.index(of: id), table.rows[row].isPresent else { throw .missing(id) }
    table.change(at: row) { $0.remove(now: Self.time(now)) }
    isChanged = true
  }

  /// Brings a removed place back with everything that it had.
  ///
  /// - Throws: ``PlaceError/notRemoved(_:)`` where there is none, or its time is over.
  @discardableResult
  public mutating func restore(_ id: PlaceID, now: Instant) throws(PlaceError) -> KeptPlace {
    guard let row = table.index(of: id), Self.isRestorable(table.rows[row], now) else {
      throw .notRemoved(id)
    }
    table.change(at: row) { _ = $0.removal.write(false, now: Self.time(now)) }
    isChanged = true
    return table.rows[row]
  }

  /// The outcome of an import of a place.
  public enum Upsert: Sendable {
    /// The place is new.
    case added
    /// The place was there, and a field of it is another now.
    case changed
    /// The place was there, with all that was to be imported or later changes.
    case unchanged
    /// The place was there and was removed, and stays so.
    case removed
  }

  /// Takes a place in that a file has, as it was at the time of the file: what was changed later
  /// stays, and the same file again changes nothing.
  ///
  /// - Parameters:
  ///   - fields: The place. Texts that are too long are cut; a field without a value leaves that
  ///     of a known place as it is.
  ///   - id: The id, always the same for the same record: ``PlaceID/init(hashing:)``.
  ///   - time: When the record was written; `nil` for the epoch, so that every other write is
  ///     later.
  ///   - now: The machine's clock, which no record is later than.
  /// - Returns: The change of the document.
  /// - Throws: ``PlaceError`` where the id of a spot or the path of a photo is none.
  @discardableResult
  public mutating func upsert(
    _ fields: PlaceFields, id: PlaceID, time: Instant?, now: Instant
  ) throws(PlaceError) -> Upsert {
    let time = min(time.map(Self.time) ?? 0, Self.time(now))
    var place = KeptPlace(id: id, try fields.checked(cutsTexts: true), time: time)
    guard let row = table.index(of: id) else {
      table.append(place)
      isChanged = true
      return .added
    }
    let known = table.rows[row]
    guard known.isPresent, let contents = known.contents else { return .removed }
    // The record says nothing of these.
    place.removal = known.removal
    if fields.name.isEmpty { place.contents?.name = contents.name }
    if fields.kind == OwnPlace.unnamedKind { place.contents?.kind = contents.kind }
    if fields.alertRadiusMeters == nil { place.contents?.radius = contents.radius }
    if fields.spotID == nil { place.contents?.spot = contents.spot }
    guard table.change(at: row, { $0.merge(place) }) else { return .unchanged }
    isChanged = true
    return .changed
  }

  /// Takes all places of another document in.
  ///
  /// - Complexity: O(*n*) in the places of the other document.
  public mutating func merge(_ other: PlaceDocument) {
    for place in other.table.rows { merge(place) }
  }

  mutating func merge(_ place: KeptPlace) {
    if let row = table.index(of: place.id) {
      if table.change(at: row, { $0.merge(place) }) { isChanged = true }
    } else {
      table.append(place)
      isChanged = true
    }
  }

  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// Leaves the contents out of places that were removed more than 30 days ago. Their ids stay, so
  /// that no other copy brings them back.
  ///
  /// That is not seen: such places cannot be restored, and a place that another machine restored in
  /// time comes back with the contents that it has there.
  public mutating func dropRemoved(now: Instant) {
    let limit = Self.limit(now)
    for row in table.rows.indices where table.rows[row].isFinallyRemoved(before: limit) {
      if table.change(at: row, { $0.drop(before: limit) }) { isChanged = true }
    }
  }

  /// A time within those that can be written.
  private static func time(_ instant: Instant) -> Int64 {
    min(max(instant.millisecondsSince1970, PlaceTime.range.lowerBound), PlaceTime.range.upperBound)
  }
}
