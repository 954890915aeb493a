import CLibrary
public import CivilTime
import Spatial
public import SystemPackage

/// Two places that are probably one.
public struct PlaceDuplicate: Hashable, Sendable {
  /// The sign that they are one.
  public enum Reason: Hashable, Sendable {
    /// They lie within the radius, so many metres apart, and have the same name.
    case sameName(meters: Double)
    /// They lie within the radius, so many metres apart, and one of them has no name.
    case noOtherName(meters: Double)
    /// They have a photo in common.
    case samePhoto(FilePath)
  }

  /// The place that stays.
  public let older: PlaceID
  /// The place that is joined to it.
  public let newer: PlaceID
  /// The sign that they are one.
  public let reason: Reason
}

extension PlaceDocument {
  /// Finds places that are probably the same: within a radius of each other with the same name or
  /// where one has no name, or with a photo in common.
  ///
  /// Places are looked at from the oldest on; each is a duplicate of the oldest one before it that
  /// is none itself.
  ///
  /// - Complexity: O(*n*) in the places, but for those of other names within the radius of one
  ///   without a name, of which a thousand are looked at.
  public func duplicates(within radiusMeters: Double) -> [PlaceDuplicate] {
    var search = DuplicateSearch(radiusMeters: radiusMeters)
    let oldestFirst = places.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    return oldestFirst.compactMap { search.add($0) }
  }

  /// Joins two places: the older one gets the notes, photos and collections of the newer one, and
  /// what it has no value for; the newer one is removed.
  ///
  /// - Returns: The older place as it is then.
  /// - Throws: ``PlaceError`` where one of them is not there, or the older one would have too much.
  @discardableResult
  public mutating func join(
    _ newer: PlaceID, to older: PlaceID, now: Instant
  ) throws(PlaceError) -> KeptPlace {
    guard newer != older, let other = self[newer]?.fields else { throw .missing(newer) }
    let joined = try change(older, now: now) { fields throws(PlaceError) in
      if fields.name.isEmpty { fields.name = other.name }
      if fields.kind == KeptPlace.usualKind { fields.kind = other.kind }
      fields.alertRadiusMeters = fields.alertRadiusMeters ?? other.alertRadiusMeters
      fields.spotID = fields.spotID ?? other.spotID
      let known = Set(fields.notes.map(\.id))
      fields.notes += other.notes.filter { !known.contains($0.id) }
      fields.photos += other.photos
      fields.collections += other.collections
    }
    try remove(newer, now: now)
    return joined
  }
}

/// The places that are no duplicates so far.
private struct DuplicateSearch {
  /// A place that stays.
  private struct Kept {
    let id: PlaceID
    let coordinate: Coordinate
    let name: String
  }

  /// A cube of space with sides of the radius; straight lines are shorter than great circles, so
  /// whatever is within the radius is in it or beside it.
  private struct Cell: Hashable {
    let x: Int32
    let y: Int32
    let z: Int32
  }

  /// The places of a cell by name, and all of them.
  private struct Content {
    var named: [String: [Int]] = [:]
    var all: [Int] = []
  }

  private static let maximumLooks = 1000

  private let radiusMeters: Double
  private var kept: [Kept] = []
  private var cells: [Cell: Content] = [:]
  private var photos: [FilePath: Int] = [:]

  init(radiusMeters: Double) {
    self.radiusMeters = max(radiusMeters, 1)
  }

  /// Takes the next place: it is a duplicate of one before it, or stays.
  mutating func add(_ place: KeptPlace) -> PlaceDuplicate? {
    let name = Self.folded(place.name)
    let paths = place.photos
    let shared = paths.compactMap { path in photos[path].map { ($0, path) } }
      .min { $0.0 < $1.0 }
    let near = nearest(to: place.coordinate, name: name)
    if let shared, shared.0 <= near?.place ?? .max {
      note(paths, shared.0)
      return PlaceDuplicate(
        older: kept[shared.0].id, newer: place.id, reason: .samePhoto(shared.1))
    }
    if let near {
      note(paths, near.place)
      let hasSameName = !name.isEmpty && kept[near.place].name == name
      return PlaceDuplicate(
        older: kept[near.place].id, newer: place.id,
        reason: hasSameName
          ? .sameName(meters: near.meters) : .noOtherName(meters: near.meters))
    }
    note(paths, kept.count)
    let cell = cell(of: place.coordinate)
    cells[cell, default: Content()].named[name, default: []].append(kept.count)
    cells[cell, default: Content()].all.append(kept.count)
    kept.append(Kept(id: place.id, coordinate: place.coordinate, name: name))
    return nil
  }

  private mutating func note(_ paths: [FilePath], _ place: Int) {
    for path in paths where photos[path] == nil { photos[path] = place }
  }

  /// The oldest place within the radius whose name is no other one.
  private func nearest(
    to coordinate: Coordinate, name: String
  ) -> (place: Int, meters: Double)? {
    let middle = cell(of: coordinate)
    var found: (place: Int, meters: Double)?
    for x in -1...1 as ClosedRange<Int32> {
      for y in -1...1 as ClosedRange<Int32> {
        for z in -1...1 as ClosedRange<Int32> {
          let cell = Cell(x: middle.x + x, y: middle.y + y, z: middle.z + z)
          guard let content = cells[cell] else { continue }
          let candidates =
            name.isEmpty
            ? [content.all] : [content.named[name] ?? [], content.named[""] ?? []]
          for candidates in candidates {
            for place in candidates.prefix(Self.maximumLooks) where place < found?.place ?? .max {
              let meters = kept[place].coordinate.distance(to: coordinate)
              if meters <= radiusMeters { found = (place, meters) }
            }
          }
        }
      }
    }
    return found
  }

  private func cell(of coordinate: Coordinate) -> Cell {
    let radians = Double.pi / 180
    let (latitude, longitude) = (coordinate.latitude * radians, coordinate.longitude * radians)
    let scale = Earth.meanRadiusMeters / radiusMeters
    func cell(_ value: Double) -> Int32 { Int32(saturating: (value * scale).rounded(.down)) }
    return Cell(
      x: cell(cos(latitude) * cos(longitude)), y: cell(cos(latitude) * sin(longitude)),
      z: cell(sin(latitude)))
  }

  /// A name without what people write one way or the other.
  private static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
