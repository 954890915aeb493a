/// An R-tree of bounding boxes over blocks of positions, with sixteen children per node and one
/// byte per position.
///
/// This is a view of memory owned by the caller. There are no pointers: node *n* of a level
/// contains the boxes of the nodes 16*n* ..< 16*n* + 16 of the level below it, and a node of the
/// lowest level those of sixteen blocks. The number of nodes follows from the number of blocks. So
/// a search stays inside the memory and visits each node at most once, even if the memory is
/// corrupt.
struct BoxTree: BitwiseCopyable {
  /// The bounds of a set of positions in units of ``FixedAngle``; empty by default.
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

  /// The number of children of a node.
  static let width = 16
  /// The size of a node in bytes: four edges of each child.
  static let bytesInNode = 4 * bytesInEdges
  /// The size in bytes of one edge of all children.
  static let bytesInEdges = 4 * width

  /// The layout of the tree, beginning with the lowest level.
  private struct Levels: BitwiseCopyable {
    var count = 0
    /// The first node of each level. 2³¹ positions need seven levels.
    var starts = SIMD8<Int32>()
    /// The total number of children of each level's nodes.
    var children = SIMD8<Int32>()
    var nodes: Int32 = 0

    init(blocks: Int) {
      var children = Int32(blocks)
      while children > 0 {
        starts[count] = nodes
        self.children[count] = children
        count += 1
        let width = Int32(BoxTree.width)
        let above = (children + width - 1) / width
        nodes += above
        children = above > 1 ? above : 0
      }
    }
  }

  private let levels: Levels
  /// The nodes, level by level, beginning with the lowest.
  ///
  /// Each node has sixteen southern edges, then as many northern, western and eastern ones, as
  /// little-endian Int32, so that a query can compare several at once. The last node of a level is
  /// padded with empty boxes.
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// Creates a view of a tree over a number of blocks.
  ///
  /// - Precondition: `bytes` has ``byteCount(blocks:)`` bytes and outlives the view.
  init(blocks: Int, bytes: UnsafeRawBufferPointer) {
    levels = Levels(blocks: blocks)
    precondition(bytes.count == Int(levels.nodes) * Self.bytesInNode)
    guard let start = bytes.baseAddress else { preconditionFailure() }
    self.start = start
  }

  /// Returns the size in bytes of a tree over a number of blocks.
  static func byteCount(blocks: Int) -> Int { Int(Levels(blocks: blocks).nodes) * bytesInNode }

  /// Writes the tree over blocks with the given boxes.
  ///
  /// - Precondition: `bytes` has ``byteCount(blocks:)`` bytes.
  static func write(_ boxes: ContiguousArray<Box>, to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count == byteCount(blocks: boxes.count))
    var children = boxes
    var node = 0
    while !children.isEmpty {
      var unions = ContiguousArray<Box>()
      for first in stride(from: 0, to: children.count, by: width) {
        let end = min(first + width, children.count)
        unions.append(write(children[first..<end], toNode: node, bytes))
        node += 1
      }
      children = unions.count > 1 ? unions : []
    }
  }

  /// Writes a node and returns the union of its boxes.
  private static func write(
    _ children: ArraySlice<Box>, toNode node: Int, _ bytes: UnsafeMutableRawBufferPointer
  ) -> Box {
    var union = Box()
    for child in 0..<width {
      let box = child < children.count ? children[children.startIndex + child] : Box()
      union.formUnion(box)
      var place = node * bytesInNode + 4 * child
      for edge in [box.south, box.north, box.west, box.east] {
        bytes.storeBytes(of: edge, toByteOffset: place, as: Int32.self)
        place += bytesInEdges
      }
    }
    return union
  }

  /// Returns the bounding box of a block.
  func box(ofBlock block: Int) -> Box {
    let (node, child) = block.quotientAndRemainder(dividingBy: Self.width)
    let bytes = bytes(of: node, 0)
    func edge(_ number: Int) -> Int32 {
      bytes.loadUnaligned(
        fromByteOffset: number * Self.bytesInEdges + 4 * child, as: Int32.self)
    }
    return Box(south: edge(0), north: edge(1), west: edge(2), east: edge(3))
  }

  /// Returns the number of children of a node.
  @inline(__always)
  func childCount(_ node: Int, _ level: Int) -> Int {
    min(Int(levels.children[level]) - node * Self.width, Self.width)
  }

  @inline(__always)
  func bytes(of node: Int, _ level: Int) -> UnsafeRawPointer {
    let node = Int(levels.starts[level]) + node
    precondition(UInt(bitPattern: node) < UInt(bitPattern: Int(levels.nodes)))
    return start + node * Self.bytesInNode
  }

  /// Returns the children of a node that intersect a window and contain, or are, one of the given
  /// lowest-level nodes, as a bit mask.
  @inline(__always)
  private func children(
    of node: Int, level: Int, in window: SearchWindow, _ nodes: ClosedRange<Int>
  ) -> UInt16 {
    let bytes = bytes(of: node, level)
    var last = childCount(node, level) - 1
    var first = 0
    if level > 0 {
      let shift = 4 * (level - 1)
      first = max(first, nodes.lowerBound >> shift - node * Self.width)
      last = min(last, nodes.upperBound >> shift - node * Self.width)
    }
    guard first <= last else { return 0 }
    let all: UInt32 = (2 << UInt32(last)) - (1 << UInt32(first))
    let children =
      window.isWrapped
      ? Self.children(inWrapped: window, bytes)
      : ~Self.outside(window.south, window.north, window.west, window.east, bytes)
    return children & UInt16(truncatingIfNeeded: all)
  }

  /// Returns the children of a node that do not intersect a window, as a bit mask.
  ///
  /// Not inlined, because the compiler then splits the vectors into scalars.
  @inline(never)
  private static func outside(
    _ south: Int32, _ north: Int32, _ west: Int32, _ east: Int32, _ bytes: UnsafeRawPointer
  ) -> UInt16 {
    let (north, south) = (SIMD8(repeating: north), SIMD8(repeating: south))
    let (east, west) = (SIMD8(repeating: east), SIMD8(repeating: west))
    var outside = SIMD8<Int32>()
    for half in 0..<2 {
      func edges(_ number: Int) -> SIMD8<Int32> {
        bytes.loadUnaligned(
          fromByteOffset: number * bytesInEdges + 32 * half, as: SIMD8<Int32>.self)
      }
      let isOutside =
        (edges(0) .> north) .| (edges(1) .< south) .| (edges(2) .> east) .| (edges(3) .< west)
      let bits: SIMD8<Int32> =
        half == 0
        ? SIMD8(0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80)
        : SIMD8(0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000)
      outside = outside.replacing(with: outside | bits, where: isOutside)
    }
    return UInt16(truncatingIfNeeded: outside.wrappedSum())
  }

  /// Returns the children of a node that intersect a window across the antimeridian, as a bit mask.
  @inline(never)
  private static func children(
    inWrapped window: SearchWindow, _ bytes: UnsafeRawPointer
  ) -> UInt16 {
    var children: UInt16 = 0
    for child in 0..<width {
      func edge(_ number: Int) -> Int32 {
        bytes.loadUnaligned(fromByteOffset: number * bytesInEdges + 4 * child, as: Int32.self)
      }
      guard edge(0) <= window.north, edge(1) >= window.south,
        edge(2) <= window.east || edge(3) >= window.west
      else { continue }
      children |= 1 << UInt16(child)
    }
    return children
  }

  /// Calls a closure with each block of some lowest-level nodes that may contain a position in a
  /// window, in order.
  ///
  /// The closure may shrink the window during the search.
  @inline(__always)
  func forEachBlock(
    of nodes: ClosedRange<Int>, in window: inout SearchWindow,
    _ body: (_ block: Int, _ window: inout SearchWindow) -> Void
  ) {
    guard levels.count > 0 else { return }
    // Find the lowest node that contains the whole range.
    var (top, node) = (0, nodes.lowerBound)
    while top < levels.count - 1, node != nodes.upperBound >> (4 * top) {
      top += 1
      node /= Self.width
    }
    var level = top
    // A stack of bit masks of unvisited children: the lowest 16 bits are those of the current node,
    // followed by those of its ancestors. Seven levels fit in 128 bits.
    var waiting = UInt128(children(of: node, level: level, in: window, nodes))
    while true {
      let children = UInt16(truncatingIfNeeded: waiting)
      if children == 0 {
        if level == top { return }
        level += 1
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
        let below = self.children(of: node, level: level, in: window, nodes)
        waiting = waiting << 16 | UInt128(below)
      }
    }
  }
}
