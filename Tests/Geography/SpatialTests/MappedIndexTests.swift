import Spatial
import TestSupport
import Testing

@Suite struct MappedIndexTests {
  /// Bytes in separate memory at any alignment, like those of a mapped file.
  private final class Bytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    let bytes: UnsafeRawBufferPointer

    init(_ contents: [UInt8], offset: Int = 0) {
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: contents.count + offset, alignment: 64)
      for (place, byte) in contents.enumerated() { memory[offset + place] = byte }
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[offset...])
      self.memory = memory
    }

    deinit { memory.deallocate() }
  }

  private func bytes(of index: SpatialIndex) -> [UInt8] { index.withBytes { Array($0) } }

  private func mapped(_ count: Int, _ contents: [UInt8], offset: Int = 0) -> SpatialIndex? {
    let bytes = Bytes(contents, offset: offset)
    return SpatialIndex(count: count, mapped: bytes.bytes, owner: bytes)
  }

  private let globe = BoundingBox(south: -90, west: -180, north: 90, east: 180)!

  @Test(arguments: Layout.allCases)
  func `an index mapped from its bytes gives the same answers`(layout: Layout) throws {
    for count in [0, 1, 16, 17, 257, 5000] {
      let positions = layout.positions(count: count, seed: 31)
      let index = SpatialIndex(positions)
      let contents = bytes(of: index)
      #expect(contents.count == SpatialIndex.byteCount(count))
      for offset in [0, 1] {
        let again = try #require(mapped(count, contents, offset: offset))
        for center in layout.positions(count: 10, seed: 32) {
          #expect(again.nearest(10, to: center) == index.nearest(10, to: center))
          for radius in [0, 50, 5000, 1e7] {
            #expect(
              again.neighbors(within: radius, of: center)
                == index.neighbors(within: radius, of: center))
          }
        }
        #expect(again.indices(in: globe) == Array(0..<count))
      }
    }
  }

  @Test func `bytes for another number of positions are rejected`() {
    let contents = bytes(of: SpatialIndex(Layout.clumped.positions(count: 1000, seed: 1)))
    #expect(mapped(1000, contents) != nil)
    for count in [-1, 0, 1, 984, 1024, 1_000_000, Int(Int32.max), .max] {
      #expect(mapped(count, contents) == nil, "\(count)")
    }
    for cut in [0, 1, 64, contents.count - 1] {
      #expect(mapped(1000, Array(contents.prefix(cut))) == nil, "\(cut)")
    }
    #expect(mapped(1000, contents + [0]) == nil)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `queries of corrupt bytes end and find only valid positions`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 600
    let positions = Layout.clumped.positions(count: count, seed: seed)
    var contents = bytes(of: SpatialIndex(positions))
    // A few bytes, a stretch of them, or all.
    let changes = [20, 2000, contents.count][Int(seed % 3)]
    let start = Int.random(in: 0...contents.count - changes, using: &generator)
    for place in 0..<changes {
      let isAnywhere = changes == 20
      let changed =
        isAnywhere ? Int.random(in: contents.indices, using: &generator) : start + place
      contents[changed] =
        seed % 2 == 0
        ? .random(in: 0...255, using: &generator) : [0, 0xFF, 0x7F, 0x80][place % 4]
    }
    let index = try #require(mapped(count, contents))
    let places = 0..<count
    for center in positions.prefix(5) + Layout.poles.positions(count: 3, seed: seed) {
      for wanted in [1, 10, 64, 200] {
        #expect(index.nearest(wanted, to: center).allSatisfy { places.contains($0.index) })
      }
      for radius in [0, 50, 5000, 1e8] {
        #expect(
          index.neighbors(within: radius, of: center).allSatisfy { places.contains($0.index) })
        index.forEachPosition(within: radius, of: center) { place, position in
          #expect(places.contains(place))
          #expect((-90...90).contains(position.coordinate.latitude))
          #expect((-180...180).contains(position.coordinate.longitude))
        }
      }
    }
    #expect(index.indices(in: globe).allSatisfy { places.contains($0) })
    let blocks = 0..<index.blockCount
    index.forEach(in: globe) {
      #expect(blocks.contains($0))
    } position: {
      #expect(places.contains($0))
    }
    for block in blocks {
      index.forEachPlace(inBlock: block) { #expect(places.contains($0)) }
    }
  }

  @Test func `an index keeps the owner of its bytes alive, and releases it`() throws {
    weak var owner: Bytes?
    do {
      let bytes = Bytes(bytes(of: SpatialIndex(Layout.line.positions(count: 40, seed: 2))))
      owner = bytes
      let index = SpatialIndex(count: 40, mapped: bytes.bytes, owner: bytes)
      #expect(try #require(index).indices(in: globe).count == 40)
      #expect(owner != nil)
    }
    #expect(owner == nil)
  }
}
