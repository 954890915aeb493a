import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage

/// Places of one's own among the spots of photos of an index, which stay as they lie.
///
/// The spots of photos are known by their rows, and spots and places together by their numbers in
/// the order of all ids.
final class PlaceOverlay: Sendable {
  /// The photos of a place.
  struct Photos: Sendable {
    /// How many there are; the files of one shot count once.
    var count = 0
    var favoriteCount = 0
    var undatedCount = 0
    var firstCaptured: CaptureTime?
    var lastCaptured: CaptureTime?
    /// The photos of the index that stand for the shots, earliest first.
    var members: [Int32] = []
  }

  /// A spot of photos or a place, by its number.
  enum Entry {
    case row(Int)
    case own(Int)
  }

  /// Places whose alert radii are about the same, so that a search for them is not as wide as the
  /// widest of all.
  private struct AlertClass: Sendable {
    let maximumRadiusMeters: Double
    let centers: SpatialIndex
    let numbers: [Int]
    let radii: [Double]
  }

  /// The places that are pinned to no spot, in the order of their ids.
  let places: [OwnPlace]
  /// Their numbers among spots and places.
  let numbers: [Int]
  /// Their positions.
  let centers: SpatialIndex
  /// The places that are pinned to spots, by the rows of these.
  let pins: [Int: OwnPlace]
  private let alertClasses: [AlertClass]
  /// The photos of the places that have some.
  private let photosByPlace: [Int: Photos]

  /// Puts places among the spots of an index.
  ///
  /// - Parameters:
  ///   - all: The places in any order.
  ///   - base: The spots of photos.
  ///   - radiusMeters: How near a spot must be to take the place of one that is gone.
  init(_ all: [OwnPlace], over base: SpotIndex, clusterRadius radiusMeters: Double) {
    let sorted = Self.sorted(all)
    pins = Self.pins(of: sorted, base, radiusMeters)
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

  /// Whether a spot or place has an alert radius of its own.
  var hasAlertRadii: Bool { !alertClasses.isEmpty }

  /// The alert radius that a spot or place has of its own.
  func alertRadius(ofNumber number: Int) -> Double? {
    switch entry(at: number) {
    case .own(let place): places[place].alertRadiusMeters
    case .row(let row): pins[row]?.alertRadiusMeters
    }
  }

  /// The photos of a place.
  func photos(of place: Int) -> Photos { photosByPlace[place] ?? Photos() }

  /// The number of a spot of photos.
  func number(ofRow row: Int) -> Int { Self.number(ofRow: row, numbers) }

  private static func number(ofRow row: Int, _ numbers: [Int]) -> Int {
    // A place lies before a row where no more rows lie before it.
    row + numbers.firstPlace { $0 > row + $1 }
  }

  /// The spot or place of a number.
  func entry(at number: Int) -> Entry {
    let place = numbers.firstPlace { found, _ in found >= number }
    return place < numbers.count && numbers[place] == number ? .own(place) : .row(number - place)
  }

  /// Puts rows and places that a search found in one order, nearest first, then by id.
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

  /// Puts rows and places in the order of their numbers.
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

  /// Calls a closure with every spot or place that has an alert radius of its own and may lie
  /// within that radius and some metres of a position.
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

/// How places find their way into the order of ids.
extension PlaceOverlay {
  /// The places in the order of their ids, each id once.
  private static func sorted(_ places: [OwnPlace]) -> [OwnPlace] {
    // Most ids differ in their first bytes, which are sorted as numbers.
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

  /// The first eight bytes of an id as a number, in the order of texts.
  private static func key(of id: String) -> UInt64 {
    var key: UInt64 = 0
    var bits: UInt64 = 64
    for byte in id.utf8.prefix(8) {
      bits -= 8
      key |= UInt64(byte) << bits
    }
    return key
  }

  /// The numbers of places in the order of their ids.
  private static func numbers(of places: [OwnPlace], _ spots: SpotList) -> [Int] {
    // The column alone: a copy of the whole table in each comparison would retain all columns.
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
      // Steps that double, since the next place is mostly not far behind.
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

  /// The places that are pinned to spots, by the rows of these.
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

  /// The photos of places, by the places' numbers among them.
  private static func photos(of places: [OwnPlace], _ index: PhotoIndex?) -> [Int: Photos] {
    var photos: [Int: Photos] = [:]
    for (number, place) in places.enumerated() where !place.photos.isEmpty {
      photos[number] = Photos(of: place.photos, index)
    }
    return photos
  }
}

extension PlaceOverlay.Photos {
  /// The photos of some files, as far as an index has them.
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
  /// The first place from which on something holds of all elements and their places.
  fileprivate func firstPlace(where holds: (Element, Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle], middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
