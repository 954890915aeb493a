/// How far away the blocks of a node are. Only their order counts, so 32 bits do.
extension BoxTree {
  /// A place from which boxes are seen.
  struct Viewpoint {
    fileprivate let latitude: Int32
    fileprivate let longitude: Int32
    fileprivate let cosine: Float

    init(_ coordinate: Coordinate, cosine: Double) {
      latitude = FixedAngle.rounding(coordinate.latitude)
      longitude = FixedAngle.rounding(coordinate.longitude)
      self.cosine = Float(cosine)
    }

    /// The squared distance of a haversine, in steps of ``FixedAngle``.
    func squared(haversine: Double) -> Float {
      let stepsPerRadian = FixedAngle.perDegree * 180 / Double.pi
      return Float(4 * haversine * stepsPerRadian * stepsPerRadian)
    }
  }

  /// How many nodes hold boxes of so many blocks.
  static func nodes(ofBlocks blocks: Int) -> Int { (blocks + width - 1) / width }

  /// The nearest of a node's blocks, and the square of its distance; `nil` where none is left.
  @inline(__always)
  static func nearestChild(
    _ distances: borrowing MutableSpan<Int32>
  ) -> (place: Int, squaredDistance: Float)? {
    precondition(distances.count == width)
    var least = Int32.max
    for child in 0..<width { least = distances[child] < least ? distances[child] : least }
    guard least < .max else { return nil }
    return (
      Int(truncatingIfNeeded: least & 15), Float(bitPattern: UInt32(bitPattern: least & ~15))
    )
  }

  /// Works out how far away the blocks of a node are, for ``nearestChild(_:)``: the squares of
  /// their distances, as if the Earth were flat, with the place of the block in the lowest four
  /// bits. Floats that are not negative are in the order of their bits.
  func measure(
    _ node: Int, from viewpoint: Viewpoint, _ distances: inout MutableSpan<Int32>
  ) {
    precondition(distances.count == Self.width)
    let edges = UnsafeRawBufferPointer(
      start: bytes(of: node, 0), count: Self.bytesInNode
    ).bytes
    let count = childCount(node, 0)
    for child in 0..<Self.width {
      func edge(_ number: Int) -> Int32 {
        edges.unsafeLoadUnaligned(
          fromByteOffset: number * Self.bytesInEdges + 4 * child, as: Int32.self)
      }
      let height = max(edge(0) &- viewpoint.latitude, viewpoint.latitude &- edge(1), 0)
      // Round the back of the globe where that is nearer, but not for what is inside a wide box.
      let isBeside = edge(2) > viewpoint.longitude || edge(3) < viewpoint.longitude
      let width =
        isBeside ? max(edge(2) &- viewpoint.longitude, viewpoint.longitude &- edge(3), 0) : 0
      let (y, x) = (Float(height), Float(width) * viewpoint.cosine)
      let bits = Int32(bitPattern: (x * x + y * y).bitPattern) & ~15
      distances[child] = child < count ? bits | Int32(truncatingIfNeeded: child) : .max
    }
  }
}
