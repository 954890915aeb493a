/// Groups positions into clusters around anchors, greedily and in a given order.
///
/// The first position becomes an anchor, and every position within the radius of it joins its
/// cluster; the first position that is left becomes the next anchor, and so on. So a position
/// belongs to the *earliest* anchor within the radius, and anchors lie more than the radius apart.
/// The result depends only on the order of the positions, and a position added at the end never
/// changes the clusters of those before it.
public struct GreedyClusterer: Sendable {
  /// How far from its anchor a member may lie, in metres, edge included.
  public let radiusMeters: Double

  /// Creates a clusterer.
  ///
  /// - Precondition: `radiusMeters` is finite and not negative.
  public init(radiusMeters: Double) {
    precondition(radiusMeters.isFinite && radiusMeters >= 0)
    self.radiusMeters = radiusMeters
  }

  /// Returns the clusters of positions that are given in canonical order.
  ///
  /// - Complexity: O(*n* × *a*), *a* the anchors in a cell of five radii: some forty at most,
  ///   since anchors keep their distance; however the positions lie, for radii from 2 mm.
  public func clusters(of positions: [Coordinate]) -> Clustering {
    let anchors = AnchorSearch.anchors(of: positions, radiusMeters: radiusMeters)
    return Clustering(clusters: anchors.numbers, count: anchors.count)
  }
}

/// Which positions belong together.
public struct Clustering: Sendable {
  /// The number of clusters; they are numbered from 0 in the order of their anchors.
  public let count: Int
  /// For each position the number of its cluster.
  public let clusters: [Int32]
  /// The members of cluster c are `members[starts[c]..<starts[c + 1]]`.
  private let starts: [Int32]
  private let members: [Int32]

  init(clusters: [Int32], count: Int) {
    self.clusters = clusters
    self.count = count
    // Cluster c's count lies at c + 2, then its start at c + 1, which moves on to its end as its
    // members are written.
    var starts = [Int32](repeating: 0, count: count + 2)
    var members = [Int32](repeating: 0, count: clusters.count)
    let numbers = clusters.span
    var next = starts.mutableSpan
    var places = members.mutableSpan
    for place in numbers.indices { next[Int(numbers[place]) + 2] &+= 1 }
    for cluster in 0..<count { next[cluster + 2] &+= next[cluster + 1] }
    for place in numbers.indices {
      let cluster = Int(numbers[place])
      places[Int(next[cluster + 1])] = Int32(truncatingIfNeeded: place)
      next[cluster + 1] &+= 1
    }
    self.starts = starts
    self.members = members
  }

  /// The places of a cluster's members in the array of positions, ascending; the first is the
  /// anchor.
  ///
  /// - Precondition: `cluster` is in `0..<count`.
  public func members(of cluster: Int) -> ArraySlice<Int32> {
    members[Int(starts[cluster])..<Int(starts[cluster + 1])]
  }

  /// The place of a cluster's anchor in the array of positions.
  ///
  /// - Precondition: `cluster` is in `0..<count`.
  public func anchor(of cluster: Int) -> Int32 { members[Int(starts[cluster])] }
}
