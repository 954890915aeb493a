/// The bytes of an index, which are the same in memory and in a mapped file: the tree of boxes, the
/// keys of its nodes, and the positions, as little-endian numbers. A mapped index is used in place,
/// without a copy.
extension SpatialIndex {
  /// Creates an index that uses bytes produced by ``withBytes(_:)`` in place.
  ///
  /// Returns `nil` if the number of bytes does not match the number of positions, or if this
  /// processor is not little-endian. Only the number of bytes is validated. Corrupt or malicious
  /// bytes give wrong results, but every query stays inside the bytes, terminates, and returns only
  /// indices below `count`. To detect corruption, compare a checksum first. The bytes must not
  /// change or shrink while the index is used.
  ///
  /// - Parameters:
  ///   - count: The number of positions.
  ///   - bytes: The bytes; access is fastest if they begin at a cache line.
  ///   - owner: An object that keeps the bytes valid during its lifetime.
  package init?(
    count: Int, mapped bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable
  ) {
    guard (0..<Int(Int32.max)).contains(count), bytes.count == Self.byteCount(count),
      1.littleEndian == 1
    else { return nil }
    self.init(count: count, bytes: bytes, owner: owner)
  }

  /// Calls a closure with the bytes of the index, which are valid until the closure returns.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try withExtendedLifetime(owner) { try body(bytes) }
  }

  /// Returns the size in bytes of an index: 29 bytes per position, and a few hundred.
  package static func byteCount(_ count: Int) -> Int { Sections(count: count).byteCount }

  /// The location of each part of an index.
  private struct Sections {
    let boxes: Range<Int>
    let keys: Range<Int>
    let blocks: Range<Int>
    var byteCount: Int { blocks.upperBound }
    let nodes: Int

    init(count: Int) {
      let blockCount = PositionStore.blocks(count)
      nodes = BoxTree.nodes(ofBlocks: blockCount)
      boxes = 0..<BoxTree.byteCount(blocks: blockCount)
      keys = boxes.upperBound..<boxes.upperBound + 8 * nodes
      // Blocks begin at a cache line, and the index has at least one byte even without blocks.
      let start = keys.upperBound / 64 * 64 + 64
      blocks = start..<start + PositionStore.byteCount(count)
    }
  }

  init(count: Int, bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    self.count = count
    self.bytes = bytes
    self.owner = owner
    let sections = Sections(count: count)
    func section(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[range])
    }
    view = IndexView(
      positions: PositionStore(count: count, bytes: section(sections.blocks)),
      tree: BoxTree(blocks: PositionStore.blocks(count), bytes: section(sections.boxes)),
      directory: CurveDirectory(count: sections.nodes, bytes: section(sections.keys)))
  }

  /// Writes the index of positions into memory of the right size.
  static func write(_ positions: [Coordinate], to bytes: UnsafeMutableRawBufferPointer) {
    let sections = Sections(count: positions.count)
    func section(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer(rebasing: bytes[range])
    }
    let order = CurveOrder.sorted(positions)
    let blocks = section(sections.blocks)
    PositionStore.write(positions, order: order, to: blocks)
    CurveDirectory.write(order, to: section(sections.keys))
    let store = PositionStore(count: positions.count, bytes: UnsafeRawBufferPointer(blocks))
    let boxes = ContiguousArray((0..<store.blocks).map(store.box))
    BoxTree.write(boxes, to: section(sections.boxes))
  }
}
