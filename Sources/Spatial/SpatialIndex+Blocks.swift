/// Blocks of positions, for sums over a box: most blocks that meet a box lie in it as a whole.
extension SpatialIndex {
  /// The number of blocks. Each holds up to sixteen positions, which lie close together.
  package var blockCount: Int { view.positions.blocks }

  /// Calls a closure with every position of a block, as its place in the array that the index was
  /// made from.
  ///
  /// - Precondition: `block` is in `0..<blockCount`.
  package func forEachPlace(inBlock block: Int, _ body: (_ place: Int) -> Void) {
    withExtendedLifetime(owner) {
      view.positions.forEach(in: block) { index, _ in body(Int(index)) }
    }
  }

  /// Calls a closure with every block that lies in a box as a whole, and another with the positions
  /// in the box, edges included, of all other blocks. So every position in the box is told once, by
  /// itself or with its block.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - wholeBlock: Is given the number of a block.
  ///   - position: Is given a position's place in the array that the index was made from.
  /// - Complexity: O(log *n* + *b*) for *b* blocks of *n* positions that meet the box.
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

/// The positions certainly in a box, in units of ``FixedAngle``. These are rounded down, so a
/// greater number means a greater angle.
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

  /// Whether all positions of a block lie inside. The box of no positions may pass.
  func contains(_ block: BoxTree.Box) -> Bool {
    guard block.south > south, block.north < north else { return false }
    return isWrapped
      ? block.west > west || block.east < east : block.west > west && block.east < east
  }
}
