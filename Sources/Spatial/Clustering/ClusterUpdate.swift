extension GreedyClusterer {
  /// Returns what a change of positions makes of clusters with this radius.
  ///
  /// - Parameters:
  ///   - positions: The positions after the change, and their clusters before it.
  ///   - added: The rows that were added. A position that moved, or whose place in the order
  ///     changed, is one that was removed and one that was added.
  ///   - orphans: The rows left of clusters whose anchor was removed.
  /// - Returns: Exactly the difference between clustering all positions before the change and all
  ///   positions after it.
  /// - Complexity: O(*t* log *t*), *t* the members of the clusters within two radii of an anchor
  ///   that appears or disappears, and of an added row.
  public func changes(
    to positions: some ClusteredPositions, added: some Sequence<Int32>,
    orphans: some Sequence<Int32>
  ) -> ClusterChanges {
    var update = ClusterUpdate(radiusMeters: radiusMeters)
    for row in added { update.enqueue(row, of: positions) }
    for row in orphans { update.enqueue(row, of: positions) }
    update.run(positions)
    return update.changes
  }
}

/// Assigns rows to anchors again, in canonical order, as far as a change reaches.
///
/// The anchor of a row depends only on earlier rows. So the rows in question are settled in order,
/// and whatever one changes concerns later rows alone:
/// - Where an anchor disappears, its members are in question and nobody else: all others have an
///   anchor that is earlier, or are beyond its radius.
/// - Where an anchor appears, rows within its radius are in question whose anchor is later. That
///   anchor lies within two radii of the new one, and no row of its cluster was settled yet.
private struct ClusterUpdate {
  private let radiusMeters: Double
  private let heightDegrees: Double
  private let grid: EvenGrid
  private var queue = RowQueue()
  /// The rows that were anchors, and joined an earlier one.
  private var dissolved: Set<Int32> = []
  /// The rows that became anchors, under each cell that their circles touch.
  private var founded: [UInt64: [Founded]] = [:]
  private(set) var changes = ClusterChanges()

  private struct Founded {
    let row: Int32
    let standpoint: Standpoint
  }

  /// 1 cm: millions of times the error of a distance.
  private static let marginMeters = 0.01

  init(radiusMeters: Double) {
    self.radiusMeters = radiusMeters
    heightDegrees = Circle.heightDegrees(radiusMeters: radiusMeters + Self.marginMeters)
    grid = EvenGrid(sideMeters: 5 * radiusMeters)
  }

  mutating func enqueue(_ row: Int32, of positions: some ClusteredPositions) {
    queue.insert(row, by: positions.precedes)
  }

  mutating func run(_ positions: some ClusteredPositions) {
    while let row = queue.popFirst(by: positions.precedes) { settle(row, positions) }
  }

  private mutating func settle(_ row: Int32, _ positions: some ClusteredPositions) {
    let standpoint = Standpoint(positions.position(of: row))
    let earlier = earliestAnchor(before: row, standpoint, positions)
    let former = positions.anchor(of: row)
    let anchor = earlier ?? row
    guard anchor != former else { return }
    changes.moves.append(ClusterChanges.Move(row: row, formerAnchor: former, anchor: anchor))
    if former == row {
      dissolved.insert(row)
      positions.forEachMember(of: row) { member in
        changes.visits += 1
        if member != row { queue.insert(member, by: positions.precedes) }
      }
    }
    if anchor == row { found(row, standpoint, positions) }
  }

  /// The earliest of the anchors within the radius of a row, among those that come before it. All
  /// of these are settled.
  private mutating func earliestAnchor(
    before row: Int32, _ standpoint: Standpoint, _ positions: some ClusteredPositions
  ) -> Int32? {
    var earliest = row
    for founded in founded[grid.cell(of: standpoint.coordinate)] ?? [] {
      changes.visits += 1
      if positions.precedes(founded.row, earliest),
        founded.standpoint.distance(to: standpoint) <= radiusMeters
      {
        earliest = founded.row
      }
    }
    positions.forEachAnchor(
      within: radiusMeters + Self.marginMeters, of: standpoint.coordinate
    ) { anchor in
      changes.visits += 1
      if positions.precedes(anchor, earliest), !dissolved.contains(anchor),
        Standpoint(positions.position(of: anchor)).distance(to: standpoint) <= radiusMeters
      {
        earliest = anchor
      }
    }
    return earliest == row ? nil : earliest
  }

  /// Makes an anchor of a row, and puts in question the rows near it that belong to a later one.
  private mutating func found(
    _ row: Int32, _ standpoint: Standpoint, _ positions: some ClusteredPositions
  ) {
    let reach = Circle.reachDegrees(
      radiusMeters: radiusMeters + Self.marginMeters, cosine: standpoint.cosine)
    grid.forEachCell(
      around: standpoint.coordinate, heightDegrees: heightDegrees, reachDegrees: reach
    ) { cell in
      founded[cell, default: []].append(Founded(row: row, standpoint: standpoint))
    }
    positions.forEachAnchor(
      within: 2 * (radiusMeters + Self.marginMeters), of: standpoint.coordinate
    ) { anchor in
      changes.visits += 1
      guard positions.precedes(row, anchor) else { return }
      positions.forEachMember(of: anchor) { member in
        changes.visits += 1
        if Standpoint(positions.position(of: member)).distance(to: standpoint) <= radiusMeters {
          queue.insert(member, by: positions.precedes)
        }
      }
      // The anchor may be missing among its members.
      if Standpoint(positions.position(of: anchor)).distance(to: standpoint) <= radiusMeters {
        queue.insert(anchor, by: positions.precedes)
      }
    }
  }
}
