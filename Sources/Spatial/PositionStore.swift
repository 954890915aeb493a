/// Positions in the order in which an index keeps them, sixteen of them a block: 28 bytes a position, and
/// half a byte for the key of the block.
struct PositionStore {
  static let blockSize = 16
  private static let numbersInBlock = 3 * blockSize

  /// Block by block sixteen latitudes, then as many longitudes and cosines of the latitudes, so that a
  /// query compares several at once and finds all in one place.
  private var numbers: ContiguousArray<Double> = []
  /// The positions' places in the array that the index was made from; negative for none.
  private var indices: ContiguousArray<Int32> = []
  /// For each block the place on the curve of its first position.
  private var firstKeys: ContiguousArray<UInt64> = []

  /// Stores positions in an order. What is left of the last block holds numbers that are not, which are
  /// close to nothing.
  init(_ positions: [Coordinate], order: ContiguousArray<CurveOrder.Entry>) {
    let blocks = (order.count + Self.blockSize - 1) / Self.blockSize
    numbers.reserveCapacity(blocks * Self.numbersInBlock)
    indices.reserveCapacity(blocks * Self.blockSize)
    firstKeys.reserveCapacity(blocks)
    for first in stride(from: 0, to: order.count, by: Self.blockSize) {
      let entries = order[first..<min(first + Self.blockSize, order.count)]
      let rest = Self.blockSize - entries.count
      firstKeys.append(order[first].key)
      for entry in entries { numbers.append(positions[Int(entry.index)].latitude) }
      numbers.append(contentsOf: repeatElement(.nan, count: rest))
      for entry in entries { numbers.append(positions[Int(entry.index)].longitude) }
      numbers.append(contentsOf: repeatElement(.nan, count: rest))
      for entry in entries {
        numbers.append(Haversine.cosine(latitude: positions[Int(entry.index)].latitude))
      }
      numbers.append(contentsOf: repeatElement(.nan, count: rest))
      for entry in entries { indices.append(entry.index) }
      indices.append(contentsOf: repeatElement(-1, count: rest))
    }
  }

  var blocks: Int { firstKeys.count }

  /// The block that would hold a position at a place on the curve.
  func block(at key: UInt64) -> Int {
    var (low, high) = (0, firstKeys.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if firstKeys[middle] <= key { low = middle } else { high = middle }
    }
    return low
  }

  /// Calls a closure with those positions of a block that may lie in a circle, and their exact haversines
  /// from its centre: with all that do, and few that do not.
  ///
  /// - Parameters:
  ///   - block: The block's number.
  ///   - circle: The circle.
  ///   - scratch: Room for a block's numbers.
  ///   - body: Is given a position's place in the array that the index was made from.
  @inline(__always)
  func forEach(
    in block: Int, near circle: Circle, scratch: inout MutableSpan<Double>,
    _ body: (_ index: Int32, _ haversine: Double) -> Void
  ) {
    forEachPlace(in: block, near: circle, scratch: &scratch) { place, haversine in
      body(indices[block * Self.blockSize + place], haversine)
    }
  }

  /// The same with the positions' places in the block.
  @inline(__always)
  func forEachPlace(
    in block: Int, near circle: Circle, scratch: inout MutableSpan<Double>,
    _ body: (_ place: Int, _ haversine: Double) -> Void
  ) {
    let start = block * Self.numbersInBlock
    let numbers = numbers.span.extracting(start..<start + Self.numbersInBlock)
    precondition(scratch.count == Self.blockSize)
    var near: UInt32 = 0
    for place in 0..<Self.blockSize {
      let bound = Haversine.lowerBound(
        latitudeDegrees: numbers[place] - circle.center.latitude,
        longitudeDegrees: Haversine.turn(
          from: circle.center.longitude, to: numbers[place + Self.blockSize]),
        cosines: numbers[place + 2 * Self.blockSize] * circle.cosine)
      scratch[place] = bound
      near |= (bound <= circle.haversineLimit ? 1 : 0) << UInt32(place)
    }
    while near != 0 {
      let place = near.trailingZeroBitCount
      near &= near - 1
      let haversine =
        circle.isSmall
        ? scratch[place]
        : Haversine.haversine(
          latitudeDegrees: numbers[place] - circle.center.latitude,
          longitudeDegrees: Haversine.turn(
            from: circle.center.longitude, to: numbers[place + Self.blockSize]),
          cosines: numbers[place + 2 * Self.blockSize] * circle.cosine)
      body(place, haversine)
    }
  }

  /// Calls a closure with each position of a block and its place in the array that the index was made
  /// from.
  func forEach(in block: Int, _ body: (_ index: Int32, _ position: Standpoint) -> Void) {
    for place in 0..<Self.blockSize {
      let index = indices[block * Self.blockSize + place]
      guard index >= 0 else { return }
      body(index, standpoint(in: block, place))
    }
  }

  /// The position at a place of a block, which holds one.
  @inline(__always)
  func standpoint(in block: Int, _ place: Int) -> Standpoint {
    let start = block * Self.numbersInBlock + place
    return Standpoint(
      Coordinate(uncheckedLatitude: numbers[start], longitude: numbers[start + Self.blockSize]),
      cosine: numbers[start + 2 * Self.blockSize])
  }

  /// The place of the same in the array that the index was made from.
  @inline(__always)
  func index(in block: Int, _ place: Int) -> Int32 { indices[block * Self.blockSize + place] }

  /// The box around a block.
  func box(_ block: Int) -> BoxTree.Box {
    var box = BoxTree.Box()
    forEach(in: block) { _, position in box.formUnion(BoxTree.Box(position.coordinate)) }
    return box
  }
}
