/// The positions of an index in its storage order, in blocks of sixteen, with 28 bytes per
/// position.
///
/// This is a view of memory owned by the caller. A block consists of sixteen latitudes, as many
/// longitudes, and as many cosines of the latitudes, as Double, followed by the indices of the
/// positions in the array that the spatial index was created from, as Int32. So a query can compare
/// several positions at once, in one place of memory. All numbers are little-endian. Unused places
/// of the last block have NaN, which is close to nothing, and the index −1.
///
/// The memory may be corrupt without causing an access outside it: block numbers are checked, and
/// an index that is not below the number of positions is omitted from every result.
struct PositionStore: BitwiseCopyable {
  static let blockSize = 16
  static let bytesInBlock = 3 * blockSize * 8 + blockSize * 4

  let count: Int
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// Creates a view of the blocks of a number of positions.
  ///
  /// - Precondition: `bytes` has ``byteCount(_:)`` bytes and outlives the view.
  init(count: Int, bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == Self.byteCount(count))
    self.count = count
    guard let start = bytes.baseAddress else { preconditionFailure() }
    self.start = start
  }

  /// Returns the number of blocks needed for a number of positions.
  static func blocks(_ count: Int) -> Int { (count + blockSize - 1) / blockSize }

  /// Returns the size in bytes of the blocks of a number of positions.
  static func byteCount(_ count: Int) -> Int { blocks(count) * bytesInBlock }

  /// Writes the blocks of positions in a given order.
  ///
  /// - Precondition: `bytes` has ``byteCount(_:)`` bytes.
  static func write(
    _ positions: [Coordinate], order: ContiguousArray<CurveOrder.Entry>,
    to bytes: UnsafeMutableRawBufferPointer
  ) {
    precondition(bytes.count == byteCount(order.count))
    for place in 0..<blocks(order.count) * blockSize {
      let (block, lane) = place.quotientAndRemainder(dividingBy: blockSize)
      let numbers = block * bytesInBlock + 8 * lane
      let index = block * bytesInBlock + indexOffset + 4 * lane
      guard place < order.count else {
        for column in 0..<3 {
          bytes.storeBytes(of: .nan, toByteOffset: numbers + column * columnBytes, as: Double.self)
        }
        bytes.storeBytes(of: -1, toByteOffset: index, as: Int32.self)
        continue
      }
      let position = positions[Int(order[place].index)]
      let cosine = Haversine.cosine(latitude: position.latitude)
      bytes.storeBytes(of: position.latitude, toByteOffset: numbers, as: Double.self)
      bytes.storeBytes(of: position.longitude, toByteOffset: numbers + columnBytes, as: Double.self)
      bytes.storeBytes(of: cosine, toByteOffset: numbers + 2 * columnBytes, as: Double.self)
      bytes.storeBytes(of: order[place].index, toByteOffset: index, as: Int32.self)
    }
  }

  private static let columnBytes = 8 * blockSize
  private static let indexOffset = 3 * columnBytes

  var blocks: Int { Self.blocks(count) }

  @inline(__always)
  private func bytes(of block: Int) -> UnsafeRawPointer {
    precondition(UInt(bitPattern: block) < UInt(bitPattern: blocks))
    return start + block * Self.bytesInBlock
  }

  /// Calls a closure with each position of a block that may be in a circle, and its exact haversine
  /// from the centre.
  ///
  /// The closure receives all positions in the circle and a few that are not.
  ///
  /// - Parameters:
  ///   - block: The block's number.
  ///   - circle: The circle.
  ///   - body: A closure that receives a position's index in the array that the spatial index was
  ///     created from, and its haversine.
  @inline(__always)
  func forEach(
    in block: Int, near circle: Circle, _ body: (_ index: Int32, _ haversine: Double) -> Void
  ) {
    forEachStandpoint(in: block, near: circle) { index, haversine, _ in body(index, haversine) }
  }

  /// Like ``forEach(in:near:_:)``, but also passes the position itself.
  @inline(__always)
  func forEachStandpoint(
    in block: Int, near circle: Circle,
    _ body: (_ index: Int32, _ haversine: Double, _ position: Standpoint) -> Void
  ) {
    let bytes = bytes(of: block)
    var near = Self.places(in: bytes, near: circle)
    guard near != 0 else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.blockSize) { haversines in
      if circle.isFlat { Self.writeHaversines(of: bytes, from: circle, to: haversines) }
      while near != 0 {
        let place = near.trailingZeroBitCount
        near &= near - 1
        let position = Self.standpoint(in: bytes, place)
        let haversine =
          circle.isFlat
          ? haversines[place]
          : Haversine.haversine(
            latitudeDegrees: position.coordinate.latitude - circle.center.latitude,
            longitudeDegrees: Haversine.turn(
              from: circle.center.longitude, to: position.coordinate.longitude),
            cosines: position.cosine * circle.cosine)
        let index = Self.index(in: bytes, place)
        if isPlace(index) { body(index, haversine, position) }
      }
    }
  }

  /// Computes the haversines of all positions of a block; they are exact for positions in the
  /// circle.
  @inline(never)
  private static func writeHaversines(
    of bytes: UnsafeRawPointer, from circle: Circle,
    to haversines: UnsafeMutableBufferPointer<Double>
  ) {
    precondition(haversines.count == blockSize)
    for place in 0..<blockSize {
      let position = standpoint(in: bytes, place)
      haversines[place] = Haversine.lowerBound(
        latitudeDegrees: position.coordinate.latitude - circle.center.latitude,
        longitudeDegrees: Haversine.turn(
          from: circle.center.longitude, to: position.coordinate.longitude),
        cosines: position.cosine * circle.cosine)
    }
  }

  /// Returns the positions of a block that may be in a circle, as a bit mask.
  @inline(__always)
  private static func places(in bytes: UnsafeRawPointer, near circle: Circle) -> UInt32 {
    if circle.isFlat { return places(in: bytes, nearFlat: circle) }
    return circle.isGlobe ? UInt32(UInt16.max) : places(in: bytes, nearRound: circle)
  }

  /// Returns the positions that may be in a flat circle, by comparing squared differences in
  /// degrees.
  ///
  /// Not inlined, because the compiler then splits the vectors into scalars.
  @inline(never)
  private static func places(in bytes: UnsafeRawPointer, nearFlat circle: Circle) -> UInt32 {
    var near = SIMD8<Int64>()
    let limit = SIMD8(repeating: circle.flatLimit)
    for half in 0..<2 {
      func column(_ number: Int) -> SIMD8<Double> {
        bytes.loadUnaligned(
          fromByteOffset: number * columnBytes + 64 * half, as: SIMD8<Double>.self)
      }
      let latitudes = column(0) - circle.center.latitude
      let longitudes = column(1) - circle.center.longitude
      let cosines = column(2) * circle.cosine
      let squares = latitudes * latitudes + cosines * (longitudes * longitudes)
      let bits: SIMD8<Int64> =
        half == 0
        ? SIMD8(0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80)
        : SIMD8(0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000)
      near.replace(with: near | bits, where: squares .<= limit)
    }
    return UInt32(truncatingIfNeeded: near.wrappedSum())
  }

  @inline(never)
  private static func places(in bytes: UnsafeRawPointer, nearRound circle: Circle) -> UInt32 {
    var near: UInt32 = 0
    for place in 0..<blockSize {
      let position = standpoint(in: bytes, place)
      let bound = Haversine.lowerBound(
        latitudeDegrees: position.coordinate.latitude - circle.center.latitude,
        longitudeDegrees: Haversine.turn(
          from: circle.center.longitude, to: position.coordinate.longitude),
        cosines: position.cosine * circle.cosine)
      near |= (bound <= circle.haversineLimit ? 1 : 0) << UInt32(place)
    }
    return near
  }

  /// Calls a closure with each position of a block and its index in the array that the spatial
  /// index was created from.
  @inline(__always)
  func forEach(in block: Int, _ body: (_ index: Int32, _ position: Coordinate) -> Void) {
    let bytes = bytes(of: block)
    for place in 0..<Self.blockSize {
      let index = Self.index(in: bytes, place)
      if isPlace(index) { body(index, Self.standpoint(in: bytes, place).coordinate) }
    }
  }

  @inline(__always)
  private func isPlace(_ index: Int32) -> Bool {
    UInt(truncatingIfNeeded: UInt32(bitPattern: index)) < UInt(bitPattern: count)
  }

  @inline(__always)
  private static func standpoint(in bytes: UnsafeRawPointer, _ place: Int) -> Standpoint {
    func number(_ column: Int) -> Double {
      bytes.loadUnaligned(fromByteOffset: column * columnBytes + 8 * place, as: Double.self)
    }
    return Standpoint(
      Coordinate(unvalidatedLatitude: number(0), longitude: number(1)), cosine: number(2))
  }

  @inline(__always)
  private static func index(in bytes: UnsafeRawPointer, _ place: Int) -> Int32 {
    bytes.loadUnaligned(fromByteOffset: indexOffset + 4 * place, as: Int32.self)
  }

  /// Returns the bounding box of a block.
  func box(_ block: Int) -> BoxTree.Box {
    var box = BoxTree.Box()
    forEach(in: block) { _, position in box.formUnion(BoxTree.Box(position)) }
    return box
  }
}
