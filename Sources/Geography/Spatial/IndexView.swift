/// The parts of an index, as views of its memory, which must outlive them.
struct IndexView: BitwiseCopyable {
  let positions: PositionStore
  let tree: BoxTree
  let directory: CurveDirectory

  /// Calls a closure with each block that may contain a position in a circle.
  @inline(__always)
  func forEachBlock(near circle: Circle, _ body: (Int) -> Void) {
    var window = SearchWindow(circle)
    directory.forEachRange(under: circle, centerKey: nil) { nodes in
      tree.forEachBlock(of: nodes, in: &window) { block, _ in body(block) }
    }
  }
}
