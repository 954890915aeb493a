/// A hash table of anchors, keyed by the grid cells that their circles touch. Four anchors of a
/// cell share a bin, which is one cache line.
///
/// The hash function multiplies with a random factor. Two different cells share a bucket with a
/// probability of at most two divided by the number of buckets, whatever the cells are (M.
/// Dietzfelbinger et al., "A Reliable Randomized Algorithm for the Closest-Pair Problem", J.
/// Algorithms 25, 1997, section 2). So a search passes on average at most one other cell, and an
/// adversary who chooses positions cannot increase that. The results do not depend on the random
/// factor.
struct AnchorBins: ~Copyable {
  struct Bin: BitwiseCopyable {
    /// In units of ``FixedAngle``; an empty place is at least 90° away from every position.
    var latitudes = SIMD4<Int32>(repeating: .min)
    var longitudes = SIMD4<Int32>()
    /// The numbers of the anchors in the order of insertion; negative in an empty place.
    var anchors = SIMD4<Int32>(repeating: none)
    let cell: UInt64
    /// The next bin of the same cell.
    var next = none
    /// In a cell's first bin, the first bin of the next cell in the bucket; otherwise
    /// `continuation`.
    var other: Int32
  }

  /// An anchor to insert into a cell.
  struct Filing: BitwiseCopyable {
    let anchor: Int32
    /// In units of ``FixedAngle``.
    let latitude: Int32
    let longitude: Int32
    let cell: UInt64
    /// A bin of the cell, if one is known.
    var bin = none
  }

  /// The number that represents no anchor and no bin.
  static let none: Int32 = -1
  private static let continuation: Int32 = -2
  static let room = 4

  private var bins: AlignedList<Bin>
  private var cellCount = 0
  /// The first bin of the most recently added cell of each bucket.
  private var buckets: ContiguousArray<Int32>
  private var bucketShift: UInt64
  private let multiplier = UInt64.random(in: .min ... .max) | 1

  /// Creates an empty table with a capacity typical of a number of positions.
  init(positionCount: Int) {
    bins = AlignedList(capacity: positionCount / 2)
    let bits = max(10, Int.bitWidth - (positionCount / 2).leadingZeroBitCount)
    buckets = ContiguousArray(repeating: Self.none, count: 1 << bits)
    bucketShift = UInt64(64 - bits)
  }

  @inline(__always)
  subscript(bin: Int32) -> Bin { bins[Int(bin)] }

  /// Whether a bin belongs to a cell.
  @inline(__always)
  func isOfCell(_ cell: UInt64, _ bin: Int32) -> Bool { bins[Int(bin)].cell == cell }

  /// Returns the first bin in the bucket of a cell; it may belong to another cell.
  @inline(__always)
  func firstBin(inBucketOf cell: UInt64) -> Int32 { buckets[bucket(of: cell)] }

  /// Appends anchors to the bins of their cells, in order.
  mutating func file(_ filings: inout ContiguousArray<Filing>) {
    // The accesses likely to miss the cache come first, for all anchors, so that they overlap.
    for place in filings.indices { filings[place].bin = firstBin(inBucketOf: filings[place].cell) }
    for place in filings.indices {
      let bin = filings[place].bin
      if bin >= 0, bins[Int(bin)].cell != filings[place].cell { filings[place].bin = Self.none }
    }
    for filing in filings { file(filing) }
  }

  private mutating func file(_ filing: Filing) {
    var bin = Int(filing.bin >= 0 ? filing.bin : firstBin(of: filing.cell))
    while bins[bin].next >= 0 { bin = Int(bins[bin].next) }
    if bins[bin].anchors[Self.room - 1] >= 0 {
      bins[bin].next = Int32(bins.count)
      bin = bins.count
      bins.append(Bin(cell: filing.cell, other: Self.continuation))
    }
    var place = 0
    while bins[bin].anchors[place] >= 0 { place += 1 }
    bins[bin].anchors[place] = filing.anchor
    bins[bin].latitudes[place] = filing.latitude
    bins[bin].longitudes[place] = filing.longitude
  }

  /// Returns the first bin of a cell, which is added if it is missing.
  private mutating func firstBin(of cell: UInt64) -> Int32 {
    var bin = firstBin(inBucketOf: cell)
    while bin >= 0, bins[Int(bin)].cell != cell { bin = bins[Int(bin)].other }
    if bin >= 0 { return bin }
    cellCount += 1
    if 2 * cellCount > buckets.count { doubleBuckets() }
    bins.append(Bin(cell: cell, other: Self.none))
    link(bins.count - 1)
    return Int32(bins.count - 1)
  }

  private mutating func doubleBuckets() {
    buckets = ContiguousArray(repeating: Self.none, count: 2 * buckets.count)
    bucketShift -= 1
    for bin in 0..<bins.count where bins[bin].other != Self.continuation { link(bin) }
  }

  private mutating func link(_ bin: Int) {
    let bucket = bucket(of: bins[bin].cell)
    bins[bin].other = buckets[bucket]
    buckets[bucket] = Int32(bin)
  }

  @inline(__always)
  private func bucket(of cell: UInt64) -> Int {
    Int(truncatingIfNeeded: (cell &* multiplier) >> bucketShift)
  }
}
