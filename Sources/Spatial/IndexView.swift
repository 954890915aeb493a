/// The parts of an index. They are views of its memory, which has to outlive them.
struct IndexView: BitwiseCopyable {
  let positions: PositionStore
  let tree: BoxTree
  let directory: CurveDirectory

  /// Calls a closure with every block that may hold a position in a circle.
  @inline(__always)
  func forEachBlock(near circle: Circle, _ body: (Int) -> Void) {
    var window = SearchWindow(circle)
    directory.forEachRange(under: circle, centerKey: nil) { nodes in
      tree.forEachBlock(of: nodes, in: &window) { block, _ in body(block) }
    }
  }
}
