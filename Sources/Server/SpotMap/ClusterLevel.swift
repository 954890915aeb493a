import CLibrary
import PhotoLibrary
public import Spatial

/// The clusters of all spots at a zoom level: a set of pins that does not depend on the visible
/// part of the map.
///
/// Spots are processed in descending order of their photo counts, then by id. A spot whose pin
/// would touch none of the earlier pins gets a pin of its own; every other spot joins the nearest
/// pin that its own would touch. So no two pins overlap, at this zoom or a greater one, and each
/// pin is at a spot.
///
/// A level stores one bit per spot, and 28 bytes per pin of several spots. The members of a pin are
/// found again on demand.
public struct ClusterLevel: Sendable {
  /// The minimum distance in pixels between the centres of two pins, horizontally or vertically: a
  /// pin of 52 pixels and space for its badge.
  public static let pinSpacing = 60.0

  /// The range of zooms with levels.
  public static let zooms = 0.0...22.0

  /// A pin.
  public struct Cluster: Sendable {
    /// The index in the ``PhotoLibrary/SpotIndex`` of the spot at the pin: the one with the most
    /// photos.
    public let place: Int
    /// The number of counted photos.
    public let photoCount: Int
    /// The number of spots.
    public let spotCount: Int
    /// The position of the pin.
    public let coordinate: Coordinate
    /// The box around the spots.
    public let box: BoundingBox
  }

  /// A pin of several spots.
  private struct Group: BitwiseCopyable {
    /// The row of the spot at the pin.
    let row: Int32
    let photoCount: Int32
    let spotCount: Int32
    /// The rows of the spots at the edges of the box around the members.
    let edges: SpotExtent.Edges
  }

  /// The zoom, a multiple of a half.
  public let zoom: Double

  private let spots: MappedSpots
  /// The rows of the spots with a pin.
  private let pins: RowSet
  /// The pins of several spots, in the order of their rows.
  private let groups: [Group]

  /// Returns the zoom of the level to show at a zoom: a multiple of a half, rounded down.
  public static func level(of zoom: Double) -> Double {
    (min(max(zoom, zooms.lowerBound), zooms.upperBound) * 2).rounded(.down) / 2
  }

  /// Calculates the clusters at a zoom.
  ///
  /// - Complexity: O(*n*), where *n* is the number of spots.
  public init(_ spots: MappedSpots, zoom: Double) {
    self.spots = spots
    self.zoom = Self.level(of: zoom)
    let worldPixels = Mercator.worldPixels(zoom: self.zoom)
    let (latitudes, longitudes) = spots.coordinates()
    let xs = longitudes.map { Self.pixels(longitude: $0, worldPixels) }
    let ys = spots.mapLines(worldPixels: worldPixels)
    var grid = PinGrid(worldPixels: worldPixels)
    var pins = RowSet(below: spots.count)
    // The number in the grid of each row's own pin; -1 for rows without one.
    var pinOfRow = Array(repeating: Int32(-1), count: spots.count)
    let photoCounts = spots.photoCounts()
    // Rows are ordered by id, and the radix sort is stable.
    for row in RadixSort.order(of: photoCounts.map { -Int64($0) }) {
      let row = Int(row)
      guard !grid.touchesPin(x: xs[row], y: ys[row]) else { continue }
      pinOfRow[row] = Int32(truncatingIfNeeded: grid.count)
      grid.add(x: xs[row], y: ys[row])
      pins.insert(row)
    }
    var tallies = Array(repeating: Tally(), count: grid.count)
    for row in pinOfRow.indices {
      let pin =
        pinOfRow[row] >= 0 ? pinOfRow[row] : grid.nearestPin(x: xs[row], y: ys[row]) ?? 0
      tallies[Int(pin)].photoCount &+= photoCounts[row]
      tallies[Int(pin)].spotCount += 1
      tallies[Int(pin)].extent.add(
        Int32(truncatingIfNeeded: row), latitudes, longitudes)
    }
    var groups: [Group] = []
    groups.reserveCapacity(tallies.count { $0.spotCount > 1 })
    pins.forEach { row in
      let tally = tallies[Int(pinOfRow[row])]
      guard tally.spotCount > 1, let edges = tally.extent.edges(longitudes) else { return }
      groups.append(
        Group(
          row: Int32(truncatingIfNeeded: row), photoCount: tally.photoCount,
          spotCount: tally.spotCount, edges: edges))
    }
    (self.pins, self.groups) = (pins, groups)
  }

  /// The sums over the members of a pin.
  private struct Tally {
    var photoCount: Int32 = 0
    var spotCount: Int32 = 0
    var extent = SpotExtent.none
  }

  /// The total number of pins.
  public var count: Int { pins.count }

  /// Returns the pins in a box, edges included, in descending order of the photo count of the spot
  /// at the pin.
  ///
  /// - Complexity: O(*s* + *k* log *k*), where *k* is the number of returned pins and *s* the
  ///   number of spots in the box or of all pins, whichever takes less time.
  public func clusters(in box: BoundingBox) -> [Cluster] {
    inOrder(rowsOfPins(in: box)).map(cluster)
  }

  /// Returns the indices of the members of all pins in a box, edges included, in the order of their
  /// ids.
  ///
  /// - Complexity: O(*s* log *s*), where *s* is the number of spots in the box and within a pin's
  ///   size around it.
  public func places(ofPinsIn box: BoundingBox) -> [Int] {
    guard spots.counts(in: box).spots > 0 else { return [] }
    let worldPixels = Mercator.worldPixels(zoom: zoom)
    var grid = PinGrid(worldPixels: worldPixels)
    // A spot may be nearer to a pin outside of the box. The additional pixels are far more than any
    // rounding error.
    let near = inOrder(rowsOfPins(in: around(box, pixels: 2 * Self.pinSpacing + 2)))
    for row in near { grid.add(x: x(row, worldPixels), y: y(row, worldPixels)) }
    return spots.rows(in: around(box, pixels: Self.pinSpacing + 1)).filter { row in
      guard !pins.contains(row) else { return spots.contains(box, row) }
      let pin = grid.nearestPin(x: x(row, worldPixels), y: y(row, worldPixels))
      return pin.map { spots.contains(box, near[Int($0)]) } ?? false
    }.map(spots.place(ofRow:))
  }

  /// Returns the indices of the members of a pin, in the order of their ids.
  public func places(ofPin cluster: Cluster) -> [Int] {
    guard cluster.spotCount > 1 else { return [cluster.place] }
    let (latitude, longitude) = (cluster.coordinate.latitude, cluster.coordinate.longitude)
    let at = BoundingBox(south: latitude, west: longitude, north: latitude, east: longitude)
    return at.map(places(ofPinsIn:)) ?? [cluster.place]
  }

  // MARK: - Pins

  /// Returns the rows of the spots with a pin in a box, ascending.
  private func rowsOfPins(in box: BoundingBox) -> [Int] {
    // Finding a spot by the tree takes longer than testing a pin.
    guard spots.counts(in: box).spots * 16 > pins.count else {
      return spots.rows(in: box).filter(pins.contains)
    }
    var rows: [Int] = []
    pins.forEach { row in if spots.contains(box, row) { rows.append(row) } }
    return rows
  }

  /// Sorts ascending rows by their photo counts, descending.
  private func inOrder(_ rows: [Int]) -> [Int] {
    RadixSort.order(of: rows.map { -Int64(spots.photoCount(ofRow: $0)) }).map { rows[Int($0)] }
  }

  private func cluster(_ row: Int) -> Cluster {
    let coordinate = spots.coordinate(ofRow: row)
    guard let group = group(atRow: row) else {
      return Cluster(
        place: spots.place(ofRow: row), photoCount: spots.photoCount(ofRow: row), spotCount: 1,
        coordinate: coordinate, box: spots.box(of: nil, or: coordinate))
    }
    return Cluster(
      place: spots.place(ofRow: row), photoCount: Int(group.photoCount),
      spotCount: Int(group.spotCount), coordinate: coordinate,
      box: spots.box(of: group.edges, or: coordinate))
  }

  private func group(atRow row: Int) -> Group? {
    var (low, high) = (0, groups.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(groups[middle].row) < row { low = middle + 1 } else { high = middle }
    }
    return low < groups.count && Int(groups[low].row) == row ? groups[low] : nil
  }

  // MARK: - The map

  private static func pixels(longitude: Double, _ worldPixels: Double) -> Double {
    (longitude + 180) / 360 * worldPixels
  }

  private func x(_ row: Int, _ worldPixels: Double) -> Double {
    Self.pixels(longitude: spots.coordinate(ofRow: row).longitude, worldPixels)
  }

  private func y(_ row: Int, _ worldPixels: Double) -> Double {
    spots.mapLine(ofRow: row) * worldPixels
  }

  /// Returns a box that extends at least a number of pixels beyond another on each side.
  private func around(_ box: BoundingBox, pixels: Double) -> BoundingBox {
    let margin = pixels / Mercator.worldPixels(zoom: zoom)
    func line(_ latitude: Double) -> Double {
      Mercator.point(of: Coordinate(uncheckedLatitude: latitude, longitude: 0)).y
    }
    func latitude(_ line: Double, beyond pole: Double) -> Double {
      // Positions beyond the edge of the map are projected onto it, so the box extends to the pole.
      guard line > 0, line < 1 else { return pole }
      return Mercator.coordinate(x: 0.5, y: line)?.latitude ?? pole
    }
    let west = box.west - margin * 360
    let east = (box.west <= box.east ? box.east : box.east + 360) + margin * 360
    let isAllAround = east - west >= 360
    return BoundingBox(
      south: latitude(line(box.south) + margin, beyond: -90),
      west: isAllAround ? -180 : west < -180 ? west + 360 : west,
      north: latitude(line(box.north) - margin, beyond: 90),
      east: isAllAround ? 180 : east > 180 ? east - 360 : east) ?? .world
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
