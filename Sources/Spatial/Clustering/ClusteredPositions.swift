/// Positions after some were added and others removed, and the clusters in which they were before.
///
/// A row is the number of a position after the change; a removed position has none. What a
/// conforming type reads its answers from is its own business: arrays, or the columns of a mapped
/// file.
public protocol ClusteredPositions {
  /// The position of a row.
  func position(of row: Int32) -> Coordinate

  /// Whether one row comes before another in canonical order, a strict total order.
  ///
  /// Rows that were there before the change are still in the order in which they were clustered.
  func precedes(_ left: Int32, _ right: Int32) -> Bool

  /// The anchor of the cluster in which a row was before the change: the row itself where it was an
  /// anchor, `nil` where the row was added or its anchor was removed.
  func anchor(of row: Int32) -> Int32?

  /// Calls a closure with every row that is left of an anchor's cluster before the change; with or
  /// without the anchor itself.
  func forEachMember(of anchor: Int32, _ body: (_ row: Int32) -> Void)

  /// Calls a closure with every anchor before the change that is left and lies within a distance of
  /// a position, edge included; anchors farther away do no harm.
  func forEachAnchor(
    within meters: Double, of position: Coordinate, _ body: (_ anchor: Int32) -> Void)
}

/// The difference that a change of positions makes to their clusters.
public struct ClusterChanges: Hashable, Sendable {
  /// A row that belongs to another anchor than before.
  public struct Move: Hashable, Sendable {
    /// The row.
    public let row: Int32
    /// Its anchor before the change; `nil` for an added row, and where the anchor was removed.
    public let formerAnchor: Int32?
    /// Its anchor now.
    public let anchor: Int32

    /// Whether the row has become an anchor.
    public var founds: Bool { anchor == row }
    /// Whether the row is no longer an anchor; all others of its cluster move too.
    public var dissolves: Bool { formerAnchor == row }
  }

  /// All rows that belong to another anchor than before, added ones among them, in canonical order.
  public internal(set) var moves: [Move] = []
  /// How many positions were looked at, as often as they were: for measurements.
  public internal(set) var visits = 0
}
