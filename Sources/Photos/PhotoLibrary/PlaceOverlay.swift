import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage

/// The user's places merged into the spots of an index, which are not copied.
///
/// Spots of photos are identified by row. Spots and places together are identified by number, in
/// the order of all ids.
final class PlaceOverlay: Sendable {
  /// The photos attached to a place.
  struct Photos: Sendable {
    /// The number of shots.
    var count = 0
    var favoriteCount = 0
    var undatedCount = 0
    var firstCaptured: CaptureTime?
    var lastCaptured: CaptureTime?
    /// The representative photos of the shots, earliest first.
    var members: [Int32] = []
  }

  /// The entry with a number: a spot of photos or a place.
  enum Entry {
    case row(Int)
    case own(Int)
  }

  /// Places with similar alert radii, grouped so that each group is searched with its own maximum
  /// radius rather than the overall maximum.
  private struct AlertClass: Sendable {
    let maximumRadiusMeters: Double
    let centers: SpatialIndex
    let numbers: [Int]
    let radii: [Double]
  }

  /// The places that are pinned to no spot, sorted by id.
  let places: [OwnPlace]
  /// The numbers of these places among spots and places.
  let numbers: [Int]
  /// The positions of these places.
  let centers: SpatialIndex
  /// The places pinned to spots, by the row of the spot.
  let pins: [Int: OwnPlace]
  /// The rows of the spots with pinned places, ascending.
  let pinRows: [Int]
  /// The pinned places' own positions, in the order of ``pinRows``.
  let pinPositions: SpatialIndex
  private let alertClasses: [AlertClass]
  /// The photos of the places that have any.
  private let photosByPlace: [Int: Photos]

  /// Merges places into the spots of an index.
  ///
  /// - Parameters:
  ///   - all: The places in any order.
  ///   - base: The spots of photos.
  ///   - radiusMeters: The maximum distance at which a place is pinned to another spot if its own
  ///     no longer exists.
  init(_ all: [OwnPlace], over base: SpotIndex, clusterRadius radiusMeters: Double) {
    let sorted = Self.sorted(all)
    let pins = Self.pins(of: sorted, base, radiusMeters)
    self.pins = pins
    pinRows = pins.keys.sorted()
    pinPositions = SpatialIndex(pinRows.compactMap { pins[$0]?.coordinate })
    let pinned = Set(pins.values.lazy.map(\.id))
    places = pinned.isEmpty ? sorted : sorted.filter { !pinned.contains($0.id) }
    numbers = Self.numbers(of: places, base.spots)
    centers = SpatialIndex(places.map(\.coordinate))
    photosByPlace = Self.photos(of: places, base.spots.photoTables?.index)
    var classes: [Int: [(number: Int, center: Coordinate, radius: Double)]] = [:]
    func add(_ radius: Double?, _ number: Int, _ center: Coordinate) {
      guard let radius else { return }
      classes[Int(radius.exponent), default: []].append((number, center, radius))
    }
    for (place, number) in zip(places, numbers) {
      add(place.alertRadiusMeters, number, place.coordinate)
    }
    for (row, place) in pins {
      add(
        place.alertRadiusMeters, Self.number(ofRow: row, numbers),
        base.spots.spot(ofRow: row).coordinate)
    }
    alertClasses = classes.values.map { members in
      AlertClass(
        maximumRadiusMeters: members.map(\.radius).max() ?? 0,
        centers: SpatialIndex(members.map(\.center)), numbers: members.map(\.number),
        radii: members.map(\.radius))
    }
  }

  /// The greatest alert radius in metres of any spot or place that has its own; zero if none has.
  var greatestAlertRadius: Double { alertClasses.lazy.map(\.maximumRadiusMeters).max() ?? 0 }

  /// Whether any spot or place has its own alert radius.
  var hasAlertRadii: Bool { !alertClasses.isEmpty }

  /// Returns the alert radius of a spot or place; `nil` if it has none of its own.
  func alertRadius(ofNumber number: Int) -> Double? {
    switch entry(at: number) {
    case .own(let place): places[place].alertRadiusMeters
    case .row(let row): pins[row]?.alertRadiusMeters
    }
  }

  /// Returns the photos of a place.
  func photos(of place: Int) -> Photos { photosByPlace[place] ?? Photos() }

  /// Returns the number of a spot of photos.
  func number(ofRow row: Int) -> Int { Self.number(ofRow: row, numbers) }

  private static func number(ofRow row: Int, _ numbers: [Int]) -> Int {
    // A place comes before a row if no more than `row` rows come before the place.
    row + numbers.firstPlace { $0 > row + $1 }
  }

  /// Returns the spot or place with a number.
  func entry(at number: Int) -> Entry {
    let place = numbers.firstPlace { found, _ in found >= number }
    return place < numbers.count && numbers[place] == number ? .own(place) : .row(number - place)
  }

  /// Merges rows and places found by a search, nearest first, then by id.
  func merge(
    _ rows: [SpatialIndex.Neighbor], _ own: [SpatialIndex.Neighbor]
  ) -> [SpatialIndex.Neighbor] {
    func isBefore(_ left: SpatialIndex.Neighbor, _ right: SpatialIndex.Neighbor) -> Bool {
      left.distanceMeters != right.distanceMeters
        ? left.distanceMeters < right.distanceMeters : left.index < right.index
    }
    let rows = rows.map {
      SpatialIndex.Neighbor(index: number(ofRow: $0.index), distanceMeters: $0.distanceMeters)
    }
    let own = own.map {
      SpatialIndex.Neighbor(index: numbers[$0.index], distanceMeters: $0.distanceMeters)
    }
    return Self.merge(rows, own, isBefore)
  }

  /// Merges rows and places by number.
  func merge(_ rows: [Int], _ own: [Int]) -> [Int] {
    Self.merge(rows.map { number(ofRow: $0) }, own.map { numbers[$0] }, <)
  }

  private static func merge<Element>(
    _ left: [Element], _ right: [Element], _ isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    guard !left.isEmpty else { return right }
    guard !right.isEmpty else { return left }
    var merged: [Element] = []
    merged.reserveCapacity(left.count + right.count)
    var next = 0
    for element in left {
      while next < right.count, isBefore(right[next], element) {
        merged.append(right[next])
        next += 1
      }
      merged.append(element)
    }
    return merged + right[next...]
  }

  /// Calls a closure with every spot or place that has its own alert radius and may be within that
  /// radius plus some metres of a position.
  func forEachPlace(
    alertingWithin slackMeters: Double, of center: Coordinate,
    _ body: (_ number: Int, _ center: Standpoint, _ radiusMeters: Double) -> Void
  ) {
    for members in alertClasses {
      members.centers.forEachPosition(
        within: members.maximumRadiusMeters + slackMeters, of: center
      ) { place, position in
        body(members.numbers[place], position, members.radii[place])
      }
    }
  }
}

/// Sorting and numbering of places.
extension PlaceOverlay {
  /// Returns the places sorted by id, without duplicate ids.
  private static func sorted(_ places: [OwnPlace]) -> [OwnPlace] {
    // Most ids differ in their first eight bytes, which are sorted as integers.
    let keys = places.map { Int64(bitPattern: key(of: $0.id) ^ 1 << 63) }
    let order = RadixSort.order(of: keys).map { Int($0) }
    var sorted: [OwnPlace] = []
    sorted.reserveCapacity(places.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, keys[order[end]] == keys[order[start]] { end += 1 }
      if end - start == 1 {
        sorted.append(places[order[start]])
      } else {
        let equal = order[start..<end].sorted { left, right in
          places[left].id != places[right].id
            ? places[left].id < places[right].id : left < right
        }
        for place in equal where sorted.last?.id != places[place].id {
          sorted.append(places[place])
        }
      }
      start = end
    }
    return sorted
  }

  /// Returns the first eight bytes of an id as an integer with the same order.
  private static func key(of id: String) -> UInt64 {
    var key: UInt64 = 0
    var bits: UInt64 = 64
    for byte in id.utf8.prefix(8) {
      bits -= 8
      key |= UInt64(byte) << bits
    }
    return key
  }

  /// Returns the numbers of sorted places.
  private static func numbers(of places: [OwnPlace], _ spots: SpotList) -> [Int] {
    // Only this column: copying the whole table in each comparison would retain all columns.
    let ids = spots.photoTables?.spots.id
    let rowCount = spots.rowCount
    var row = 0
    return places.indices.map { place in
      let id = places[place].id
      let key = key(of: id)
      func isBefore(_ row: Int) -> Bool {
        if let ids {
          let rowKey = ids[row].textKey
          if rowKey != key { return rowKey < key }
        }
        return spots.spot(ofRow: row).id < id
      }
      // Galloping search, since the next place is mostly close.
      var (low, step) = (row, 1)
      while low + step <= rowCount, isBefore(low + step - 1) {
        low += step
        step *= 2
      }
      var high = min(low + step, rowCount)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(middle) { low = middle + 1 } else { high = middle }
      }
      row = low
      return row + place
    }
  }

  /// Returns the places pinned to spots, by the row of the spot.
  private static func pins(
    of places: [OwnPlace], _ base: SpotIndex, _ radiusMeters: Double
  ) -> [Int: OwnPlace] {
    var pins: [Int: OwnPlace] = [:]
    var homeless: [OwnPlace] = []
    for place in places {
      guard let id = place.pinnedSpotID else { continue }
      let row =
        if let table = base.spots.photoTables?.spots {
          SpotID(text: id).flatMap { table.row(of: $0) }
        } else {
          base.place(ofID: id)
        }
      if let row {
        if pins[row] == nil { pins[row] = place }
      } else {
        homeless.append(place)
      }
    }
    for place in homeless {
      let near = base.centers.neighbors(within: radiusMeters, of: place.coordinate)
      if let heir = near.first, pins[heir.index] == nil { pins[heir.index] = place }
    }
    return pins
  }

  /// Returns the photos of places, by the index of the place.
  private static func photos(of places: [OwnPlace], _ index: PhotoIndex?) -> [Int: Photos] {
    var photos: [Int: Photos] = [:]
    for (number, place) in places.enumerated() where !place.photos.isEmpty {
      photos[number] = Photos(of: place.photos, index)
    }
    return photos
  }
}

extension PlaceOverlay.Photos {
  /// Collects the photos of files, for files that the index contains.
  fileprivate init(of files: [FilePath], _ index: PhotoIndex?) {
    guard let index else {
      (count, undatedCount) = (files.count, files.count)
      return
    }
    var (shots, unknown) = (Set<Int32>(), Set<FilePath>())
    for file in files {
      if let shot = index.shot(ofFileAt: file) {
        shots.insert(shot.number)
      } else {
        unknown.insert(file)
      }
    }
    func time(_ photo: Int32) -> CaptureTime? { index.photos.captured(of: PhotoID(number: photo)) }
    let latest = Instant(millisecondsSince1970: .max)
    members = shots.sorted { left, right in
      let times = (time(left)?.instant ?? latest, time(right)?.instant ?? latest)
      return times.0 != times.1 ? times.0 < times.1 : left < right
    }
    count = members.count + unknown.count
    favoriteCount = members.count { index.isFavorite(shotOf: PhotoID(number: $0)) }
    let dated = members.compactMap(time)
    undatedCount = count - dated.count
    (firstCaptured, lastCaptured) = (dated.first, dated.last)
  }
}

extension Array {
  /// Returns the first index from which a condition holds for all elements and their indices.
  fileprivate func firstPlace(where holds: (Element, Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle], middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
