/// A tree of boxes over blocks of positions, sixteen to a node.
///
/// Nothing points anywhere: node n of a level holds the boxes of the nodes 16 n ..< 16 n + 16 of the level
/// below it, and those of the lowest level the boxes of as many blocks. That costs one byte a position.
struct BoxTree {
  /// The southernmost, northernmost, westernmost and easternmost ``FixedAngle`` among positions.
  struct Box {
    var south = Int32.max
    var north = Int32.min
    var west = Int32.max
    var east = Int32.min

    mutating func formUnion(_ other: Box) {
      south = min(south, other.south)
      north = max(north, other.north)
      west = min(west, other.west)
      east = max(east, other.east)
    }
  }

  static let width = 16

  /// The nodes level by level, the lowest first. Each is sixteen souths, then as many norths, wests and
  /// easts, so that a query compares several at once. The last node of a level is filled up with empty
  /// boxes.
  private var edges: ContiguousArray<Int32> = []
  /// The first node of each level.
  private var starts: ContiguousArray<Int> = []
  /// How many children the nodes of each level have together.
  private var counts: ContiguousArray<Int> = []

  /// Creates the tree over blocks with these boxes.
  init(_ boxes: ContiguousArray<Box>) {
    var children = boxes
    while !children.isEmpty {
      starts.append(edges.count / (4 * Self.width))
      counts.append(children.count)
      var unions = ContiguousArray<Box>()
      for first in stride(from: 0, to: children.count, by: Self.width) {
        let end = min(first + Self.width, children.count)
        unions.append(appendNode(children[first..<end]))
      }
      children = unions.count > 1 ? unions : []
    }
  }

  /// Returns the box around them all.
  private mutating func appendNode(_ children: ArraySlice<Box>) -> Box {
    var union = Box()
    for child in children { union.formUnion(child) }
    let empty = repeatElement(Box(), count: Self.width - children.count)
    for edge in [\Box.south, \.north, \.west, \.east] {
      edges.append(contentsOf: children.lazy.map { $0[keyPath: edge] })
      edges.append(contentsOf: empty.lazy.map { $0[keyPath: edge] })
    }
    return union
  }

  var levels: Int { starts.count }

  /// The children of a node, as bits.
  func children(of node: Int, level: Int) -> UInt32 {
    let count = min(counts[level] - node * Self.width, Self.width)
    return 1 << UInt32(count) - 1
  }

  /// The children of a node whose boxes share something with a window, as bits.
  @inline(__always)
  func children(of node: Int, level: Int, in window: SearchWindow) -> UInt32 {
    let start = (starts[level] + node) * 4 * Self.width
    let edges = edges.span.extracting(start..<start + 4 * Self.width)
    var children: UInt32 = 0
    for child in 0..<Self.width {
      let isBelow: UInt32 = edges[child] <= window.north ? 1 : 0
      let isAbove: UInt32 = edges[child + Self.width] >= window.south ? 1 : 0
      let isBefore: UInt32 = edges[child + 2 * Self.width] <= window.east ? 1 : 0
      let isAfter: UInt32 = edges[child + 3 * Self.width] >= window.west ? 1 : 0
      let isBeside = window.isWrapped ? isBefore | isAfter : isBefore & isAfter
      children |= (isBelow & isAbove & isBeside) << UInt32(child)
    }
    return children
  }

  /// The box of a child, counted over all nodes of a level.
  func box(_ child: Int, level: Int) -> Box {
    let (node, place) = child.quotientAndRemainder(dividingBy: Self.width)
    let start = (starts[level] + node) * 4 * Self.width + place
    return Box(
      south: edges[start], north: edges[start + Self.width], west: edges[start + 2 * Self.width],
      east: edges[start + 3 * Self.width])
  }

  /// Calls a closure with the number of every block that may hold a position in a window, in order.
  @inline(__always)
  func forEachBlock(in window: SearchWindow, _ body: (Int) -> Void) {
    var window = window
    forEachBlock(in: &window) { block, _ in body(block) }
  }

  /// The same with a window that the closure may draw in as it learns what it need not look for.
  @inline(__always)
  func forEachBlock(
    in window: inout SearchWindow, _ body: (_ block: Int, _ window: inout SearchWindow) -> Void
  ) {
    guard levels > 0 else { return }
    var (level, node) = (levels - 1, 0)
    // The children that are still to be visited: of this node, and above sixteen bits each those of the
    // nodes on the way to it. 2³¹ positions make seven levels.
    var waiting = UInt128(children(of: node, level: level, in: window))
    while true {
      let children = UInt16(truncatingIfNeeded: waiting)
      if children == 0 {
        level += 1
        if level == levels { return }
        waiting >>= 16
        node /= Self.width
        continue
      }
      waiting &= waiting &- 1
      let child = node * Self.width + children.trailingZeroBitCount
      if level == 0 {
        body(child, &window)
      } else {
        level -= 1
        node = child
        waiting = waiting << 16 | UInt128(self.children(of: node, level: level, in: window))
      }
    }
  }
}
