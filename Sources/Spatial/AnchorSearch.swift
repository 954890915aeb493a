/// Finds the earliest anchor within the radius of each position, or makes it an anchor.
///
/// Anchors are filed by the cells of a grid, each under all cells that its circle touches (2 on average), so
/// a search visits just the cell that holds the position. There they lie in the order in which they were
/// found: the first that is near enough is the earliest.
///
/// What a search costs is waiting for memory. So some positions are looked at together, and each step is
/// taken for all of them before the next, with nothing but copies in the loops that read what is far away:
/// the processor then waits for many at once.
struct AnchorSearch: ~Copyable {
  private let radiusMeters: Double
  /// The circle of an anchor on the equator, larger by a margin.
  private let circle: Circle
  private let latitudes: AngleSpan
  private let grid: EvenGrid
  private var bins: AnchorBins
  private var anchors = ContiguousArray<Place>()
  private var filings = ContiguousArray<AnchorBins.Filing>()

  private struct Place: BitwiseCopyable {
    let position: Coordinate
    /// Of the latitude.
    let cosine: Double
  }

  /// A position on its way to its anchor.
  private struct Look: BitwiseCopyable {
    let place: Place
    /// In numbers of ``FixedAngle``.
    let latitude: Int32
    let longitude: Int32
    /// How far to both sides an anchor may be.
    let longitudes: AngleSpan
    let cell: UInt64
    var nextBin = AnchorBins.none
    /// A copy of the bin that is looked into.
    var bin = AnchorBins.Bin(cell: 0, other: AnchorBins.none)
    /// The anchors in it that may be near, a bit for each.
    var near: Int32 = 0
    /// A copy of the first of them.
    var candidate: Place
    /// The number of the anchor that was found.
    var anchor = AnchorBins.none
  }

  /// 1 cm: millions of times the error of a distance.
  private static let marginMeters = 0.01
  private static let looksAtOnce = 64

  /// Returns the number of each position's anchor, and the number of anchors.
  static func anchors(
    of positions: [Coordinate], radiusMeters: Double
  ) -> (numbers: [Int32], count: Int) {
    var search = AnchorSearch(positions, radiusMeters: radiusMeters)
    return (search.anchors(of: positions), search.anchors.count)
  }

  private init(_ positions: [Coordinate], radiusMeters: Double) {
    self.radiusMeters = radiusMeters
    grid = EvenGrid(sideMeters: 5 * radiusMeters)
    circle = Circle(
      center: Coordinate(uncheckedLatitude: 0, longitude: 0), cosine: 1,
      radiusMeters: radiusMeters + Self.marginMeters)
    latitudes = AngleSpan(degrees: circle.heightDegrees)
    bins = AnchorBins(positionCount: positions.count)
  }

  private mutating func anchors(of positions: [Coordinate]) -> [Int32] {
    var numbers: [Int32] = []
    numbers.reserveCapacity(positions.count)
    let nowhere = look(at: Coordinate(uncheckedLatitude: 0, longitude: 0))
    withScratch(repeating: nowhere, count: Self.looksAtOnce) { looks in
      withScratch(repeating: 0, count: Self.looksAtOnce) { places in
        for start in stride(from: 0, to: positions.count, by: Self.looksAtOnce) {
          let count = min(Self.looksAtOnce, positions.count - start)
          for place in 0..<count { looks[place] = look(at: positions[start + place]) }
          findAnchors(&looks, count: count, open: &places)
          addAnchors(&looks, count: count, added: &places)
          for place in 0..<count { numbers.append(looks[place].anchor) }
        }
      }
    }
    return numbers
  }

  @inline(__always)
  private func look(at position: Coordinate) -> Look {
    let cosine = Haversine.cosine(latitude: position.latitude)
    let place = Place(position: position, cosine: cosine)
    // As if the Earth were flat, and 1 % more, since it is not. Where the circle may hold a pole, any
    // longitude is near.
    let reach = circle.heightDegrees / max(cosine - 1e-15, 1e-300)
    return Look(
      place: place, latitude: FixedAngle.rounding(position.latitude),
      longitude: FixedAngle.rounding(position.longitude),
      longitudes: AngleSpan(degrees: reach < 10 ? reach * 1.01 : 180),
      cell: grid.cell(of: position), candidate: place)
  }

  /// Finds the anchors that are filed, looking into one bin after the other. `open` is room for the places of
  /// the looks that are not done.
  private func findAnchors(
    _ looks: inout MutableSpan<Look>, count: Int, open: inout MutableSpan<Int>
  ) {
    for place in 0..<count { looks[place].nextBin = bins.firstBin(inBucketOf: looks[place].cell) }
    var openCount = 0
    for place in 0..<count where looks[place].nextBin >= 0 {
      open[openCount] = place
      openCount += 1
    }
    while openCount > 0 {
      for index in 0..<openCount { looks[open[index]].bin = bins[looks[open[index]].nextBin] }
      for index in 0..<openCount { lookIntoBin(&looks[open[index]]) }
      for index in 0..<openCount where looks[open[index]].near != 0 {
        looks[open[index]].candidate = firstNear(looks[open[index]])
      }
      var left = 0
      for index in 0..<openCount {
        let place = open[index]
        decide(&looks[place])
        open[left] = place
        left += looks[place].anchor < 0 && looks[place].nextBin >= 0 ? 1 : 0
      }
      openCount = left
    }
  }

  /// Tells which anchors of a bin may be near, without a branch.
  @inline(__always)
  private func lookIntoBin(_ look: inout Look) {
    let isOfCell = look.bin.cell == look.cell
    look.nextBin = isOfCell ? look.bin.next : look.bin.other
    let near =
      latitudes.holds(look.latitude, look.bin.latitudes)
      .& look.longitudes.holds(look.longitude, look.bin.longitudes)
      .& (look.bin.anchors .>= 0)
    let bits = SIMD4<Int32>().replacing(with: SIMD4(1, 2, 4, 8), where: near).wrappedSum()
    look.near = isOfCell ? bits : 0
  }

  @inline(__always)
  private func firstNear(_ look: Look) -> Place {
    anchors[Int(look.bin.anchors[look.near.trailingZeroBitCount])]
  }

  @inline(__always)
  private func decide(_ look: inout Look) {
    while look.near != 0 {
      if isNear(look.candidate, look.place) {
        look.anchor = look.bin.anchors[look.near.trailingZeroBitCount]
        return
      }
      look.near &= look.near - 1
      if look.near != 0 { look.candidate = firstNear(look) }
    }
  }

  /// As ``Coordinate/distance(to:)`` decides.
  @inline(__always)
  private func isNear(_ anchor: Place, _ place: Place) -> Bool {
    let latitude = anchor.position.latitude - place.position.latitude
    guard abs(latitude) <= circle.heightDegrees else { return false }
    let haversine = Haversine.haversine(
      latitudeDegrees: latitude,
      longitudeDegrees: Haversine.turn(
        from: place.position.longitude, to: anchor.position.longitude),
      cosines: anchor.cosine * place.cosine)
    return haversine <= circle.haversineLimit && Haversine.meters(haversine) <= radiusMeters
  }

  /// Makes an anchor of each position that found none, unless one before it has just become one and is near.
  /// What was found is older than all of these. `added` is room for the places of the looks that become
  /// anchors.
  private mutating func addAnchors(
    _ looks: inout MutableSpan<Look>, count: Int, added: inout MutableSpan<Int>
  ) {
    var addedCount = 0
    filings.removeAll(keepingCapacity: true)
    for place in 0..<count where looks[place].anchor < 0 {
      for index in 0..<addedCount where isNear(looks[added[index]].place, looks[place].place) {
        looks[place].anchor = looks[added[index]].anchor
        break
      }
      guard looks[place].anchor < 0 else { continue }
      looks[place].anchor = Int32(anchors.count)
      added[addedCount] = place
      addedCount += 1
      addAnchor(looks[place])
    }
    bins.file(&filings)
  }

  @inline(__always)
  private mutating func addAnchor(_ look: Look) {
    anchors.append(look.place)
    let circle = Circle(
      center: look.place.position, cosine: look.place.cosine, radiusMeters: circle.radiusMeters)
    grid.forEachCell(touching: circle) { cell in
      filings.append(
        AnchorBins.Filing(
          anchor: look.anchor, latitude: look.latitude, longitude: look.longitude, cell: cell))
    }
  }
}

/// How far two angles may differ.
private struct AngleSpan: BitwiseCopyable {
  /// Numbers of ``FixedAngle``, moved so that signed ones are compared as unsigned ones would be.
  private let offset: Int32
  private let limit: Int32

  /// Rounded up by some steps; from 90° on any two angles will do.
  init(degrees: Double) {
    let steps = degrees * FixedAngle.perDegree + 4
    let isAny = steps >= 0x3FFF_FFFF
    let whole = Int32(saturating: steps)
    offset = Int32.min + (isAny ? 0 : whole)
    limit = isAny ? .max : Int32.min + 2 * whole
  }

  @inline(__always)
  func holds(_ angle: Int32, _ others: SIMD4<Int32>) -> SIMDMask<SIMD4<Int32>> {
    (SIMD4(repeating: angle &+ offset) &- others) .<= limit
  }
}
