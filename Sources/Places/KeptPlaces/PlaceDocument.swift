public import CivilTime
public import PhotoLibrary

/// All places of a user, including removed ones.
///
/// Merging two documents takes the later value of each field of each place; the result depends
/// neither on the order of merges nor on repetitions. Clocks need not agree: a change always has a
/// later time than the value that it replaces.
public struct PlaceDocument: Equatable, Sendable {
  /// The time in seconds for which a removed place can be restored: 30 days.
  public static let removalSeconds = 30.0 * 86_400

  var table = PlaceTable()

  /// A number that changes with the places: documents with the same revision hold the same places.
  var revision: Int { table.revision }

  /// Creates a document without places.
  public init() {}

  /// Returns whether two documents hold the same places, regardless of their files.
  public static func == (left: PlaceDocument, right: PlaceDocument) -> Bool {
    left.table == right.table
  }

  // MARK: - Places

  /// The places, in the order of their ids.
  public var places: [KeptPlace] {
    table.order.lazy.map { table.rows[$0] }.filter(\.isPresent)
  }

  /// All places with the removed ones, in the order of their ids.
  package var allPlaces: [KeptPlace] { table.order.map { table.rows[$0] } }

  /// The places in the form for the index, the watcher and alerts, in no particular order.
  public var ownPlaces: [OwnPlace] {
    table.rows.lazy.filter(\.isPresent).map { OwnPlace($0) }
  }

  /// The number of places.
  public var count: Int { table.rows.count(where: \.isPresent) }

  /// The place with an id; `nil` where there is none or it was removed.
  public subscript(id: PlaceID) -> KeptPlace? {
    table[id].flatMap { $0.isPresent ? $0 : nil }
  }

  /// Returns the removed place with an id; `nil` where there is none or it can no longer be
  /// restored.
  public func removedPlace(_ id: PlaceID, now: Instant) -> KeptPlace? {
    table[id].flatMap { Self.isRestorable($0, now) ? $0 : nil }
  }

  /// Returns the removed places that can be restored, in the order of their ids.
  public func removedPlaces(now: Instant) -> [KeptPlace] {
    table.rows.filter { Self.isRestorable($0, now) }.sorted { $0.id < $1.id }
  }

  private static func isRestorable(_ place: KeptPlace, _ now: Instant) -> Bool {
    place.removal.value && place.contents != nil && place.removal.time > limit(now)
  }

  /// Returns the time at or before which a removal is final, in milliseconds since 1970.
  private static func limit(_ now: Instant) -> Int64 {
    now.advanced(bySeconds: -removalSeconds).millisecondsSince1970
  }

  /// The names of the collections and the number of places in each, ordered by name.
  public var collections: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for place in table.rows where place.isPresent {
      for name in place.collections { counts[name, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: - Changes

  /// Adds a new place.
  ///
  /// - Throws: ``PlaceError`` where a field exceeds a limit, or the id is in use.
  @discardableResult
  public mutating func add(
    _ fields: PlaceFields, id: PlaceID = .random(), now: Instant
  ) throws(PlaceError) -> KeptPlace {
    let fields = try fields.checked()
    guard table.index(of: id) == nil else { throw .exists(id) }
    let place = KeptPlace(id: id, fields, time: Self.time(now))
    table.append(place)
    return place
  }

  /// Changes fields of a place.
  ///
  /// - Parameters:
  ///   - id: The id of the place.
  ///   - now: The current time.
  ///   - change: Changes the fields; only fields that differ afterwards are written.
  /// - Returns: The place after the change.
  /// - Throws: ``PlaceError`` where there is no such place, or a field exceeds a limit.
  @discardableResult
  public mutating func change(
    _ id: PlaceID, now: Instant, _ change: (inout PlaceFields) throws(PlaceError) -> Void
  ) throws(PlaceError) -> KeptPlace {
    guard let row = table.index(of: id), table.rows[row].isPresent else { throw .missing(id) }
    let before = table.rows[row].fields
    var fields = before
    try change(&fields)
    fields = try fields.checked(since: before)
    table.change(at: row) { $0.write(fields, now: Self.time(now)) }
    return table.rows[row]
  }

  /// Removes a place. It can be restored for 30 days.
  ///
  /// - Throws: ``PlaceError/missing(_:)`` where there is no such place.
  public mutating func remove(_ id: PlaceID, now: Instant) throws(PlaceError) {
    guard let row = table.index(of: id), table.rows[row].isPresent else { throw .missing(id) }
    table.change(at: row) { $0.remove(now: Self.time(now)) }
  }

  /// Restores a removed place with all its fields.
  ///
  /// - Throws: ``PlaceError/notRemoved(_:)`` where there is no such place, or it can no longer be
  ///   restored.
  @discardableResult
  public mutating func restore(_ id: PlaceID, now: Instant) throws(PlaceError) -> KeptPlace {
    guard let row = table.index(of: id), Self.isRestorable(table.rows[row], now) else {
      throw .notRemoved(id)
    }
    table.change(at: row) { $0.removal.write(false, now: Self.time(now)) }
    return table.rows[row]
  }

  /// Returns whether a record of a file can have been written at a time: at most one day, the
  /// largest error of a clock by a wrong time zone, after the current time.
  public static func isPlausible(_ time: Instant, now: Instant) -> Bool {
    time <= now.advanced(bySeconds: 86_400)
  }

  /// Merges all places of another document into this one.
  ///
  /// - Complexity: O(*m* log *n*), where *m* is the number of places in the other document and *n*
  ///   the number in this one.
  public mutating func merge(_ other: PlaceDocument) {
    for place in other.table.rows { merge(place) }
  }

  mutating func merge(_ place: KeptPlace) {
    if let row = table.index(of: place.id) {
      table.change(at: row) { $0.merge(place) }
    } else {
      table.append(place)
    }
  }

  mutating func reserveCapacity(_ count: Int) { table.reserveCapacity(count) }

  /// Drops the contents of places that were removed more than 30 days ago. Their ids and removals
  /// remain, so that no copy of the document brings them back.
  ///
  /// The change is not visible: such places cannot be restored, and a place that another machine
  /// restored in time comes back with the contents that it has there.
  public mutating func dropRemoved(now: Instant) {
    let limit = Self.limit(now)
    for row in table.rows.indices where table.rows[row].isFinallyRemoved(before: limit) {
      table.change(at: row) { $0.drop(before: limit) }
    }
  }

  /// Returns an instant in milliseconds, limited to the range of valid times.
  static func time(_ instant: Instant) -> Int64 {
    min(max(instant.millisecondsSince1970, PlaceTime.range.lowerBound), PlaceTime.range.upperBound)
  }
}
