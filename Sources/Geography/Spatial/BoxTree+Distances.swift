/// Distances from a position to the blocks of a node. They are used only for ordering, so `Float`
/// precision is enough.
extension BoxTree {
  /// A position from which distances to boxes are measured.
  struct Viewpoint {
    fileprivate let latitude: Int32
    fileprivate let longitude: Int32
    fileprivate let cosine: Float

    init(_ coordinate: Coordinate, cosine: Double) {
      latitude = FixedAngle.rounding(coordinate.latitude)
      longitude = FixedAngle.rounding(coordinate.longitude)
      self.cosine = Float(cosine)
    }

    /// Converts a haversine to the squared distance in units of ``FixedAngle``.
    func squared(haversine: Double) -> Float {
      let stepsPerRadian = FixedAngle.perDegree * 180 / Double.pi
      return Float(4 * haversine * stepsPerRadian * stepsPerRadian)
    }
  }

  /// Returns the number of lowest-level nodes needed for a number of blocks.
  static func nodes(ofBlocks blocks: Int) -> Int { (blocks + width - 1) / width }

  /// Returns the nearest remaining block of a node and its squared distance; `nil` if none remains.
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

  /// Stores the squared distance to each block of a node, for use by ``nearestChild(_:)``.
  ///
  /// Distances are computed as if the Earth were flat. Each is stored as the bits of a `Float`,
  /// with the number of the block within the node in the lowest four bits: nonnegative floats are
  /// ordered like their bits.
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
      // Differences wrap around the antimeridian where that is shorter. A longitude inside the box
      // must not wrap, because a wide box would then seem far away.
      let isBeside = edge(2) > viewpoint.longitude || edge(3) < viewpoint.longitude
      let width =
        isBeside ? max(edge(2) &- viewpoint.longitude, viewpoint.longitude &- edge(3), 0) : 0
      let (y, x) = (Float(height), Float(width) * viewpoint.cosine)
      let bits = Int32(bitPattern: (x * x + y * y).bitPattern) & ~15
      distances[child] = child < count ? bits | Int32(truncatingIfNeeded: child) : .max
    }
  }
}
