import CLibrary
public import CivilTime
import Spatial
public import SystemPackage

/// Two places that are probably the same.
public struct PlaceDuplicate: Hashable, Sendable {
  /// A reason for which two places are considered the same.
  public enum Reason: Hashable, Sendable {
    /// They have the same name and are within the radius, at a distance in metres.
    case sameName(meters: Double)
    /// At least one of them has no name, and they are within the radius, at a distance in metres.
    case noOtherName(meters: Double)
    /// They share a photo.
    case samePhoto(FilePath)
  }

  /// The place to keep.
  public let older: PlaceID
  /// The place to join to it.
  public let newer: PlaceID
  /// The reason for which they are considered the same.
  public let reason: Reason
}

extension PlaceDocument {
  /// Finds places that are probably the same: places within a radius of each other that have the
  /// same name or of which one has no name, and places that share a photo.
  ///
  /// Places are compared in the order of their creation. Each duplicate is reported with the oldest
  /// matching place that is not a duplicate itself.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of places, as long as the grid cells
  ///   around a place hold few places to compare it with. At most a thousand places are compared
  ///   per cell.
  public func duplicates(within radiusMeters: Double) -> [PlaceDuplicate] {
    var search = DuplicateSearch(radiusMeters: radiusMeters)
    let oldestFirst = places.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    return oldestFirst.compactMap { search.add($0) }
  }

  /// Joins two places: the older one receives the notes, photos and collections of the newer one,
  /// and the values of fields that it has no value for. The newer one is removed.
  ///
  /// - Returns: The older place after the change.
  /// - Throws: ``PlaceError`` where one of them does not exist, or the older one would exceed a
  ///   limit.
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

/// The places found so far that are not duplicates.
private struct DuplicateSearch {
  /// A place that is not a duplicate.
  private struct Kept {
    let id: PlaceID
    let coordinate: Coordinate
    let name: String
  }

  /// A cube of space whose sides are as long as the radius. A chord is shorter than its
  /// great-circle arc, so every place within the radius is in the same cube or an adjacent one.
  private struct Cell: Hashable {
    let x: Int32
    let y: Int32
    let z: Int32
  }

  /// The places in a cell, by name and in total, as indices into `kept`.
  private struct Content {
    var named: [String: [Int]] = [:]
    var all: [Int] = []
  }

  /// The maximum number of places in a cell that a place is compared with.
  private static let maximumComparisons = 1000

  private let radiusMeters: Double
  private var kept: [Kept] = []
  private var cells: [Cell: Content] = [:]
  private var photos: [FilePath: Int] = [:]

  init(radiusMeters: Double) {
    self.radiusMeters = max(radiusMeters, 1)
  }

  /// Adds the next place. Returns the older place of which it is a duplicate, with the reason;
  /// `nil` if it is none and is kept.
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

  /// Returns the oldest place within the radius whose name does not differ; an empty name matches
  /// every name.
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
            for place in candidates.prefix(Self.maximumComparisons)
            where place < found?.place ?? .max {
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

  /// Returns a name in lower case with single spaces, for comparison.
  private static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
