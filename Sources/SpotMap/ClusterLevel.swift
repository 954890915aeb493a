public import Spatial

/// The clusters of all spots at a zoom: what pins there are, whatever part of the world is looked
/// at.
///
/// The spots are taken in the order of their photos, the most first, then of their ids. One whose
/// pin would touch none of those before has a pin of its own; each other belongs to the nearest
/// such spot whose pin it would touch. So no two pins overlap, at this zoom or a greater one, and
/// each is at a place where photos were taken.
public struct ClusterLevel: Sendable {
  /// How far apart the middles of pins are at least, to the side or up and down: a pin of 52 pixels
  /// and the room for its badge.
  public static let pinSpacing = 60.0

  /// The zooms that there are levels of.
  public static let zooms = 0.0...22.0

  /// A pin.
  public struct Cluster: Sendable {
    /// The place in the index of the spot that the pin is at: the one with the most photos.
    public let place: Int
    /// How many photos are counted.
    public let photoCount: Int
    /// How many spots.
    public let spotCount: Int
    /// Where the pin is.
    public let coordinate: Coordinate
    /// What the spots lie in.
    public let box: BoundingBox
  }

  /// The zoom, a multiple of a half.
  public let zoom: Double

  private let spots: MappedSpots
  /// The row of each pin's spot, those with the most photos first.
  private let pins: [Int32]
  /// Where the members of each pin begin, and at last where all end.
  private let starts: [Int32]
  /// The rows of the spots of each pin, ascending.
  private let members: [Int32]
  /// How many photos each pin stands for.
  private let photoCounts: [Int32]

  /// The zoom of the level that is shown at a zoom: halves, rounded down.
  public static func level(of zoom: Double) -> Double {
    (min(max(zoom, zooms.lowerBound), zooms.upperBound) * 2).rounded(.down) / 2
  }

  /// Makes the clusters of a zoom.
  ///
  /// - Complexity: O(*n*) for *n* spots.
  public init(_ spots: MappedSpots, zoom: Double) {
    self.spots = spots
    self.zoom = Self.level(of: zoom)
    var grid = PinGrid(spots, worldPixels: Mercator.worldPixels(zoom: self.zoom))
    // Rows have the order of ids, and the sort keeps it.
    let order = RadixSort.order(of: spots.photoCounts.map { -Int64($0) })
    var pins: [Int32] = []
    var pinOfRow = Array(repeating: Int32(-1), count: spots.count)
    for row in order where !grid.touchesPin(row) {
      let pin = Int32(truncatingIfNeeded: pins.count)
      grid.add(pin: pin, at: row)
      pinOfRow[Int(row)] = pin
      pins.append(row)
    }
    var counts = Array(repeating: Int32(0), count: pins.count + 1)
    var photoCounts = Array(repeating: Int32(0), count: pins.count)
    for row in pinOfRow.indices {
      if pinOfRow[row] < 0 {
        pinOfRow[row] = grid.nearestPin(to: Int32(truncatingIfNeeded: row)) ?? 0
      }
      let pin = pinOfRow[row]
      counts[Int(pin) + 1] += 1
      photoCounts[Int(pin)] += spots.photoCounts[row]
    }
    for pin in pins.indices { counts[pin + 1] += counts[pin] }
    starts = counts
    var members = Array(repeating: Int32(0), count: spots.count)
    for (row, pin) in pinOfRow.enumerated() {
      members[Int(counts[Int(pin)])] = Int32(truncatingIfNeeded: row)
      counts[Int(pin)] += 1
    }
    (self.pins, self.members, self.photoCounts) = (pins, members, photoCounts)
  }

  /// How many pins there are in all.
  public var count: Int { pins.count }

  /// The pins in a box, edges included, those at the spots with the most photos first.
  ///
  /// - Complexity: O(*n* + *k*) for *n* pins, some nanoseconds each, and the *k* spots of those
  ///   that are found.
  public func clusters(in box: BoundingBox) -> [Cluster] {
    pins.indices.filter { spots.contains(box, Int(pins[$0])) }.map(cluster)
  }

  /// The places in the index of the spots whose pins lie in a box, edges included, in the order of
  /// their ids.
  public func places(ofPinsIn box: BoundingBox) -> [Int] {
    var rows: [Int32] = []
    for pin in pins.indices where spots.contains(box, Int(pins[pin])) {
      rows += members[range(of: pin)]
    }
    rows.sort()
    return rows.map { Int(spots.places[Int($0)]) }
  }

  private func range(of pin: Int) -> Range<Int> { Int(starts[pin])..<Int(starts[pin + 1]) }

  private func cluster(_ pin: Int) -> Cluster {
    let row = Int(pins[pin])
    let coordinate = spots.coordinate(row)
    let rows = members[range(of: pin)]
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    return Cluster(
      place: Int(spots.places[row]), photoCount: Int(photoCounts[pin]), spotCount: rows.count,
      coordinate: coordinate,
      box: spots.box(around: rows.lazy.map { Int($0) })
        ?? BoundingBox(south: latitude, west: longitude, north: latitude, east: longitude)
        ?? .world)
  }
}

extension BoundingBox {
  /// The whole globe.
  public static let world: BoundingBox = {
    guard let box = BoundingBox(south: -90, west: -180, north: 90, east: 180) else {
      preconditionFailure("the globe is a box")
    }
    return box
  }()
}

/// The pins that there are so far, in squares as wide as they are apart: no square has two.
private struct PinGrid {
  private let xs: [Double]
  private let ys: [Double]
  private let worldPixels: Double
  private let columns: Int
  /// The squares that have a pin, with open addressing: the square's number, or zero. Squares
  /// beside each other in a line have places beside each other.
  private var keys: [Int]
  /// The pin of each such square.
  private var pins: [Int32]
  /// The row of the spot of each pin.
  private var rows: [Int32] = []
  private let mask: Int
  private let spacing = ClusterLevel.pinSpacing

  init(_ spots: MappedSpots, worldPixels: Double) {
    self.worldPixels = worldPixels
    xs = spots.longitudes.map { ($0 + 180) / 360 * worldPixels }
    ys = spots.mapLines.map { $0 * worldPixels }
    columns = Int(saturating: worldPixels / ClusterLevel.pinSpacing) + 8
    // At most a quarter full.
    var size = 16
    while size < spots.count * 4 { size *= 2 }
    mask = size - 1
    keys = Array(repeating: 0, count: size)
    pins = Array(repeating: 0, count: size)
  }

  mutating func add(pin: Int32, at row: Int32) {
    let (column, line) = (square(xs[Int(row)]), square(ys[Int(row)]))
    let key = key(column, line)
    var slot = slot(column, line)
    while keys[slot] != 0 { slot = (slot + 1) & mask }
    (keys[slot], pins[slot]) = (key, pin)
    rows.append(row)
  }

  /// Whether the pin of a spot would touch one that there is.
  func touchesPin(_ row: Int32) -> Bool {
    var isFound = false
    forEachTouched(by: row) { _, _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// The nearest pin that the pin of a spot would touch, of those equally near the first; `nil`
  /// where it would touch none.
  func nearestPin(to row: Int32) -> Int32? {
    var best: (pin: Int32, square: Double)?
    forEachTouched(by: row) { pin, square in
      if let known = best, (known.square, known.pin) <= (square, pin) { return true }
      best = (pin, square)
      return true
    }
    return best?.pin
  }

  /// Calls a closure with the pins that the pin of a spot would touch, and the squares of their
  /// distances in pixels, as long as it returns true.
  @inline(__always)
  private func forEachTouched(by row: Int32, _ body: (Int32, Double) -> Bool) {
    let (x, y) = (xs[Int(row)], ys[Int(row)])
    guard forEachTouched(x, y, body) else { return }
    // The world goes on at its edges.
    if x < spacing, !forEachTouched(x + worldPixels, y, body) { return }
    if x > worldPixels - spacing { _ = forEachTouched(x - worldPixels, y, body) }
  }

  @inline(__always)
  private func forEachTouched(
    _ x: Double, _ y: Double, _ body: (Int32, Double) -> Bool
  ) -> Bool {
    let (column, line) = (square(x), square(y))
    for line in line - 1...line + 1 {
      for column in column - 1...column + 1 {
        let key = key(column, line)
        var slot = slot(column, line)
        while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
        guard keys[slot] == key else { continue }
        let row = Int(rows[Int(pins[slot])])
        let (across, down) = (abs(xs[row] - x), abs(ys[row] - y))
        guard across < spacing, down < spacing else { continue }
        guard body(pins[slot], across * across + down * down) else { return false }
      }
    }
    return true
  }

  private func square(_ pixels: Double) -> Int {
    Int(saturating: (pixels / spacing).rounded(.down))
  }

  /// A number above zero for squares of the world and those beside it.
  private func key(_ column: Int, _ line: Int) -> Int { (line + 2) * columns + column + 3 }

  private func slot(_ column: Int, _ line: Int) -> Int {
    let hash = UInt64(truncatingIfNeeded: line) &* 0x9E37_79B9_7F4A_7C15
    return (Int(truncatingIfNeeded: hash >> 24) &+ column) & mask
  }
}
