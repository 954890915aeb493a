import Spatial

/// A grid of the pins placed so far. Its cells are as wide as the minimum distance of pins, so each
/// contains at most one pin.
///
/// Pins are numbered in the order of their addition. Positions are pixels on the map of the whole
/// world.
struct PinGrid {
  /// An entry of the hash table: a cell with a pin, or unused if the key is zero.
  private struct Slot: BitwiseCopyable {
    var key = 0
    var x = 0.0
    var y = 0.0
    var pin: Int32 = 0
  }

  private let worldPixels: Double
  private let columns: Int
  /// A hash table of the cells with a pin, with open addressing. Adjacent cells of a row have
  /// adjacent entries.
  private var slots = Array(repeating: Slot(), count: 64)
  private var mask = 63
  /// The number of pins.
  private(set) var count = 0

  private static let spacing = ClusterLevel.pinSpacing

  init(worldPixels: Double) {
    self.worldPixels = worldPixels
    columns = Int(saturating: worldPixels / Self.spacing) + 8
  }

  /// Adds a pin, which must touch none of the others.
  mutating func add(x: Double, y: Double) {
    // The table is kept at most half full.
    if count * 2 >= slots.count { grow() }
    let (column, line) = (square(x), square(y))
    let pin = Int32(truncatingIfNeeded: count)
    insert(Slot(key: key(column, line), x: x, y: y, pin: pin), column, line)
    count += 1
  }

  private mutating func insert(_ new: Slot, _ column: Int, _ line: Int) {
    var place = place(column, line)
    while slots[place].key != 0 { place = (place + 1) & mask }
    slots[place] = new
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 4)
    mask = slots.count - 1
    for slot in old where slot.key != 0 { insert(slot, square(slot.x), square(slot.y)) }
  }

  /// Returns whether a pin at a position would touch an existing one.
  func touchesPin(x: Double, y: Double) -> Bool {
    var isFound = false
    forEachTouched(x, y) { _, _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Returns the nearest pin that a pin at a position would touch, of equally near ones the first;
  /// `nil` if it would touch none.
  func nearestPin(x: Double, y: Double) -> Int32? {
    var best: (pin: Int32, square: Double)?
    forEachTouched(x, y) { pin, square in
      if let known = best, (known.square, known.pin) <= (square, pin) { return true }
      best = (pin, square)
      return true
    }
    return best?.pin
  }

  /// Calls a closure with each pin that a pin at a position would touch, and the square of its
  /// distance in pixels, until the closure returns `false`.
  @inline(__always)
  private func forEachTouched(_ x: Double, _ y: Double, _ body: (Int32, Double) -> Bool) {
    guard forEachTouchedHere(x, y, body) else { return }
    // The map wraps around at the 180° meridian.
    if x < Self.spacing, !forEachTouchedHere(x + worldPixels, y, body) { return }
    if x > worldPixels - Self.spacing { _ = forEachTouchedHere(x - worldPixels, y, body) }
  }

  /// Calls a closure with each touched pin in the nine cells around a position, without wrapping
  /// around; returns `false` if the closure did.
  @inline(__always)
  private func forEachTouchedHere(
    _ x: Double, _ y: Double, _ body: (Int32, Double) -> Bool
  ) -> Bool {
    let (column, line) = (square(x), square(y))
    for line in line - 1...line + 1 {
      for column in column - 1...column + 1 {
        let key = key(column, line)
        var place = place(column, line)
        while slots[place].key != 0, slots[place].key != key { place = (place + 1) & mask }
        let slot = slots[place]
        guard slot.key == key else { continue }
        let (across, down) = (abs(slot.x - x), abs(slot.y - y))
        guard across < Self.spacing, down < Self.spacing else { continue }
        guard body(slot.pin, across * across + down * down) else { return false }
      }
    }
    return true
  }

  /// Returns the cell of a pixel coordinate, which is at most one pin outside of the world.
  private func square(_ pixels: Double) -> Int {
    let number = pixels / Self.spacing
    let cut = Int(bounded: number)
    return Double(cut) > number ? cut - 1 : cut
  }

  /// Returns a positive key for a cell inside of the world or adjacent to it.
  private func key(_ column: Int, _ line: Int) -> Int { (line + 2) * columns + column + 3 }

  private func place(_ column: Int, _ line: Int) -> Int {
    let hash = UInt64(truncatingIfNeeded: line) &* 0x9E37_79B9_7F4A_7C15
    return (Int(truncatingIfNeeded: hash >> 24) &+ column) & mask
  }
}
