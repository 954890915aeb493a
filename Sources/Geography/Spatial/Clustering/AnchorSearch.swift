/// Assigns each position to the earliest anchor within the radius, or makes it a new anchor.
///
/// Anchors are stored under all grid cells that their circles touch (2 on average), so a search
/// visits only the cell of the position. The anchors of a cell are in the order of their creation,
/// so the first one within the radius is the earliest.
///
/// Memory latency dominates the time. Therefore positions are searched in groups, and each step is
/// done for the whole group before the next step, so that cache misses overlap. A bin contains
/// rounded positions, which are precise enough to accept or reject nearly all anchors
/// (``FlatLimits``). Only in between is the exact distance computed.
struct AnchorSearch: ~Copyable {
  private let radiusMeters: Double
  /// The extent of an anchor's circle to the north and to the south in degrees, with a margin.
  private let heightDegrees: Double
  private let limits: FlatLimits
  private let grid: EvenGrid
  private var bins: AnchorBins
  private var anchors = ContiguousArray<Standpoint>()
  private var filings = ContiguousArray<AnchorBins.Filing>()

  /// The state of the search for one position's anchor.
  private struct Search: BitwiseCopyable {
    let spot: FlatSpot
    let cell: UInt64
    /// The next bin to search.
    var bin = AnchorBins.none
    /// The number of the anchor that was found.
    var anchor = AnchorBins.none

    init(_ position: Coordinate, grid: EvenGrid) {
      spot = FlatSpot(position)
      cell = grid.cell(of: position)
    }
  }

  /// 1 cm, millions of times the rounding error of a distance.
  private static let marginMeters = 0.01
  private static let searchesAtOnce = 64

  /// Returns the number of each position's anchor, and the number of anchors.
  static func anchors(
    of positions: [Coordinate], radiusMeters: Double
  ) -> (numbers: [Int32], count: Int) {
    var search = AnchorSearch(positionCount: positions.count, radiusMeters: radiusMeters)
    return (search.anchors(of: positions), search.anchors.count)
  }

  private init(positionCount: Int, radiusMeters: Double) {
    self.radiusMeters = radiusMeters
    heightDegrees = Circle.heightDegrees(radiusMeters: radiusMeters + Self.marginMeters)
    limits = FlatLimits(radiusMeters: radiusMeters)
    grid = EvenGrid(sideMeters: 5 * radiusMeters)
    bins = AnchorBins(positionCount: positionCount)
    anchors.reserveCapacity(positionCount / 2)
  }

  private mutating func anchors(of positions: [Coordinate]) -> [Int32] {
    var numbers: [Int32] = []
    numbers.reserveCapacity(positions.count)
    let positions = positions.span
    let nowhere = Search(Coordinate(uncheckedLatitude: 0, longitude: 0), grid: grid)
    withScratch(repeating: nowhere, count: Self.searchesAtOnce) { searches in
      withScratch(repeating: 0, count: Self.searchesAtOnce) { places in
        for start in stride(from: 0, to: positions.count, by: Self.searchesAtOnce) {
          let end = min(start + Self.searchesAtOnce, positions.count)
          let group = positions.extracting(start..<end)
          for place in group.indices { searches[place] = Search(group[place], grid: grid) }
          findAnchors(&searches, of: group, open: &places)
          addAnchors(&searches, of: group, added: &places)
          for place in group.indices { numbers.append(searches[place].anchor) }
        }
      }
    }
    return numbers
  }

  /// Finds existing anchors, one bin per search at a time.
  ///
  /// `open` provides memory for the numbers of unfinished searches.
  private func findAnchors(
    _ searches: inout MutableSpan<Search>, of positions: Span<Coordinate>,
    open: inout MutableSpan<Int>
  ) {
    for place in positions.indices {
      searches[place].bin = bins.firstBin(inBucketOf: searches[place].cell)
    }
    var openCount = 0
    for place in positions.indices {
      open[openCount] = place
      openCount += searches[place].bin >= 0 ? 1 : 0
    }
    while openCount > 0 {
      // The accesses likely to miss the cache come first, for all searches, so that they overlap.
      var left = 0
      for index in 0..<openCount {
        let place = open[index]
        left &+= bins.isOfCell(searches[place].cell, searches[place].bin) ? 1 : 0
      }
      if left == 0 {
        for index in 0..<openCount {
          searches[open[index]].bin = bins[searches[open[index]].bin].other
        }
      } else {
        for index in 0..<openCount {
          let place = open[index]
          searchBin(&searches[place], of: positions[place])
        }
      }
      left = 0
      for index in 0..<openCount {
        let place = open[index]
        open[left] = place
        left += searches[place].anchor < 0 && searches[place].bin >= 0 ? 1 : 0
      }
      openCount = left
    }
  }

  /// Searches a bin for an anchor, and advances to the next bin.
  @inline(__always)
  private func searchBin(_ search: inout Search, of position: Coordinate) {
    let bin = bins[search.bin]
    guard bin.cell == search.cell else {
      search.bin = bin.other
      return
    }
    search.bin = bin.next
    let squares = search.spot.squares(bin.latitudes, bin.longitudes)
    for place in 0..<AnchorBins.room where squares[place] <= limits.far {
      let anchor = bin.anchors[place]
      guard anchor >= 0 else { return }
      guard search.spot.isFlat && squares[place] <= limits.near || isNear(anchor, position)
      else { continue }
      search.anchor = anchor
      return
    }
  }

  /// Whether an anchor is within the radius according to the exact distance.
  @inline(never)
  private func isNear(_ anchor: Int32, _ position: Coordinate) -> Bool {
    anchors[Int(anchor)].distance(to: Standpoint(position)) <= radiusMeters
  }

  /// Makes each position without an anchor a new anchor, unless an anchor added earlier in the same
  /// group is within the radius.
  ///
  /// Existing anchors take precedence because they are older. `added` provides memory for the
  /// numbers of the searches that become anchors.
  private mutating func addAnchors(
    _ searches: inout MutableSpan<Search>, of positions: Span<Coordinate>,
    added: inout MutableSpan<Int>
  ) {
    var addedCount = 0
    filings.removeAll(keepingCapacity: true)
    for place in positions.indices where searches[place].anchor < 0 {
      let spot = searches[place].spot
      for index in 0..<addedCount {
        let other = searches[added[index]]
        let square = spot.square(other.spot)
        guard square <= limits.far,
          spot.isFlat && square <= limits.near || isNear(other.anchor, positions[place])
        else { continue }
        searches[place].anchor = other.anchor
        break
      }
      guard searches[place].anchor < 0 else { continue }
      searches[place].anchor = Int32(anchors.count)
      added[addedCount] = place
      addedCount += 1
      addAnchor(searches[place], at: positions[place])
    }
    bins.file(&filings)
  }

  /// Stores an anchor, and prepares its insertion into all cells that its circle touches.
  @inline(__always)
  private mutating func addAnchor(_ search: Search, at position: Coordinate) {
    let anchor = Standpoint(position)
    anchors.append(anchor)
    let reach = Circle.reachDegrees(
      radiusMeters: radiusMeters + Self.marginMeters, cosine: anchor.cosine)
    grid.forEachCell(around: position, heightDegrees: heightDegrees, reachDegrees: reach) { cell in
      filings.append(
        AnchorBins.Filing(
          anchor: search.anchor, latitude: search.spot.latitude,
          longitude: search.spot.longitude, cell: cell))
    }
  }
}
