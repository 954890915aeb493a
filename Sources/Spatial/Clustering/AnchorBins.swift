/// Anchors by the cells that their circles touch, four of a cell in a bin that is one cache line.
///
/// The first bin of a cell is found by hashing with a multiplier drawn at random: two cells share a
/// bucket with a probability of at most two in the number of buckets, whoever chose them (M.
/// Dietzfelbinger et al., "A Reliable Randomized Algorithm for the Closest-Pair Problem", J.
/// Algorithms 25, 1997, section 2). So a search passes one other cell on average at most, and
/// nobody can make it pass more by where photos are taken. No result depends on the draw.
struct AnchorBins: ~Copyable {
  struct Bin: BitwiseCopyable {
    /// In numbers of ``FixedAngle``, at least 90° from all positions for none.
    var latitudes = SIMD4<Int32>(repeating: .min)
    var longitudes = SIMD4<Int32>()
    /// In the order in which they were filed; negative for none.
    var anchors = SIMD4<Int32>(repeating: none)
    let cell: UInt64
    /// The next bin of the cell.
    var next = none
    /// Of a cell's first bin the first bin of another cell in the bucket, of others `continuation`.
    var other: Int32
  }

  /// An anchor to be filed.
  struct Filing: BitwiseCopyable {
    let anchor: Int32
    /// In numbers of ``FixedAngle``.
    let latitude: Int32
    let longitude: Int32
    let cell: UInt64
    /// A bin of the cell, as far as one is known.
    var bin = none
  }

  /// The number of no anchor and of no bin.
  static let none: Int32 = -1
  private static let continuation: Int32 = -2
  static let room = 4

  private var bins: AlignedList<Bin>
  private var cellCount = 0
  /// The first bin of the cell that was added last.
  private var buckets: ContiguousArray<Int32>
  private var bucketShift: UInt64
  private let multiplier = UInt64.random(in: .min ... .max) | 1

  /// Creates bins for the anchors among so many positions, with room for as many as these mostly
  /// need.
  init(positionCount: Int) {
    bins = AlignedList(capacity: positionCount / 2)
    let bits = max(10, Int.bitWidth - (positionCount / 2).leadingZeroBitCount)
    buckets = ContiguousArray(repeating: Self.none, count: 1 << bits)
    bucketShift = UInt64(64 - bits)
  }

  @inline(__always)
  subscript(bin: Int32) -> Bin { bins[Int(bin)] }

  /// Whether a bin holds anchors of a cell.
  @inline(__always)
  func isOfCell(_ cell: UInt64, _ bin: Int32) -> Bool { bins[Int(bin)].cell == cell }

  /// The first bin in the bucket of a cell; it may be another cell's.
  @inline(__always)
  func firstBin(inBucketOf cell: UInt64) -> Int32 { buckets[bucket(of: cell)] }

  /// Files anchors behind those that their cells hold, in this order.
  mutating func file(_ filings: inout ContiguousArray<Filing>) {
    // First for all what is far away, as in a search.
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

  /// The first bin of a cell, which is added where it is not there.
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
