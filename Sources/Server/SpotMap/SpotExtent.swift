import Spatial

/// The outermost spots of a set, which define the box around all of them.
///
/// Spots are identified by their indices in the arrays of coordinates passed with them.
struct SpotExtent {
  /// The spots at the edges of the box. If the western one is farther east than the eastern one,
  /// the box crosses the 180° meridian.
  struct Edges: BitwiseCopyable {
    let south: Int32
    let north: Int32
    let west: Int32
    let east: Int32
  }

  private var south: Int32
  private var north: Int32
  private var west: Int32
  private var east: Int32
  /// The westernmost spot of the eastern hemisphere and the easternmost of the western hemisphere:
  /// the edges of a box across the 180° meridian; −1 if there is none.
  private var turnedWest: Int32 = -1
  private var turnedEast: Int32 = -1

  /// The extent of an empty set.
  static let none = SpotExtent()

  private init() {
    (south, north, west, east) = (-1, -1, -1, -1)
  }

  /// Adds a spot.
  @inline(__always)
  mutating func add(_ spot: Int32, _ latitudes: [Double], _ longitudes: [Double]) {
    let (latitude, longitude) = (latitudes[Int(spot)], longitudes[Int(spot)])
    if south < 0 {
      (south, north, west, east) = (spot, spot, spot, spot)
    } else {
      if latitude < latitudes[Int(south)] { south = spot }
      if latitude > latitudes[Int(north)] { north = spot }
      if longitude < longitudes[Int(west)] { west = spot }
      if longitude > longitudes[Int(east)] { east = spot }
    }
    if longitude >= 0 {
      if turnedWest < 0 || longitude < longitudes[Int(turnedWest)] { turnedWest = spot }
    } else {
      if turnedEast < 0 || longitude > longitudes[Int(turnedEast)] { turnedEast = spot }
    }
  }

  /// Returns the edges of the narrowest box; `nil` without spots.
  func edges(_ longitudes: [Double]) -> Edges? {
    guard south >= 0 else { return nil }
    if turnedWest >= 0, turnedEast >= 0 {
      let turned = longitudes[Int(turnedEast)] + 360 - longitudes[Int(turnedWest)]
      if turned < longitudes[Int(east)] - longitudes[Int(west)] {
        return Edges(south: south, north: north, west: turnedWest, east: turnedEast)
      }
    }
    return Edges(south: south, north: north, west: west, east: east)
  }
}
