/// Access to whole blocks of positions, for sums over a box: most blocks that intersect a box are
/// inside it.
extension SpatialIndex {
  /// The number of blocks; each has up to sixteen positions close to each other.
  package var blockCount: Int { view.positions.blocks }

  /// Calls a closure with each position of a block, as its index in the array that the spatial
  /// index was created from.
  ///
  /// - Precondition: `block` is in `0..<blockCount`.
  package func forEachPlace(inBlock block: Int, _ body: (_ place: Int) -> Void) {
    withExtendedLifetime(owner) {
      view.positions.forEach(in: block) { index, _ in body(Int(index)) }
    }
  }

  /// Visits all positions in a box, edges included: blocks that are inside the box as a whole, and
  /// single positions of the other blocks. Each position is visited once.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - wholeBlock: A closure that receives the number of a block inside the box.
  ///   - position: A closure that receives a position's index in the array that the spatial index
  ///     was created from.
  /// - Complexity: O(log *n* + *b*) for *n* positions, *b* blocks of which intersect the box.
  package func forEach(
    in box: BoundingBox, wholeBlock: (_ block: Int) -> Void, position: (_ place: Int) -> Void
  ) {
    withExtendedLifetime(owner) {
      guard count > 0 else { return }
      let inside = Interior(box)
      var window = SearchWindow(box)
      view.tree.forEachBlock(of: 0...view.directory.count - 1, in: &window) { block, _ in
        if inside.contains(view.tree.box(ofBlock: block)) { return wholeBlock(block) }
        view.positions.forEach(in: block) { index, found in
          if box.contains(found) { position(Int(index)) }
        }
      }
    }
  }
}

/// The interior of a box in units of ``FixedAngle``. Angles are rounded down, so a greater number
/// implies a greater angle.
private struct Interior {
  private let south: Int32
  private let north: Int32
  private let west: Int32
  private let east: Int32
  private let isWrapped: Bool

  init(_ box: BoundingBox) {
    south = FixedAngle.rounding(box.south)
    north = FixedAngle.rounding(box.north)
    west = FixedAngle.rounding(box.west)
    east = FixedAngle.rounding(box.east)
    isWrapped = box.west > box.east
  }

  /// Whether all positions of a block are inside; may be `true` for a block without positions.
  func contains(_ block: BoxTree.Box) -> Bool {
    guard block.south > south, block.north < north else { return false }
    return isWrapped
      ? block.west > west || block.east < east : block.west > west && block.east < east
  }
}
