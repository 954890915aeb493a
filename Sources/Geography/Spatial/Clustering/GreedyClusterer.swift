/// A greedy clusterer of positions in a given order.
///
/// The first position becomes an anchor, and every position within the radius of it joins its
/// cluster. The first remaining position becomes the next anchor, and so on. So a position belongs
/// to the *earliest* anchor within the radius, and anchors are more than the radius apart. The
/// result depends only on the order of the positions, and a position appended at the end never
/// changes the clusters of those before it.
public struct GreedyClusterer: Sendable {
  /// The maximum distance of a member from its anchor in metres, inclusive.
  public let radiusMeters: Double

  /// Creates a clusterer.
  ///
  /// - Precondition: `radiusMeters` is finite and not negative.
  public init(radiusMeters: Double) {
    precondition(radiusMeters.isFinite && radiusMeters >= 0)
    self.radiusMeters = radiusMeters
  }

  /// Returns the clusters of positions given in canonical order.
  ///
  /// - Complexity: O(*n* × *a*) for *n* positions, where *a* is the number of anchors whose circles
  ///   touch a cell with a side of five radii. Because anchors are more than a radius apart, *a* is
  ///   at most about forty for any positions and radii from 2 mm.
  public func clusters(of positions: [Coordinate]) -> Clustering {
    let anchors = AnchorSearch.anchors(of: positions, radiusMeters: radiusMeters)
    return Clustering(clusters: anchors.numbers, count: anchors.count)
  }
}

/// The clusters of an array of positions.
public struct Clustering: Sendable {
  /// The number of clusters, which are numbered from 0 in the order of their anchors.
  public let count: Int
  /// The cluster number of each position.
  public let clusters: [Int32]
  /// The offsets in `members`: cluster *c* has the members `members[starts[c]..<starts[c + 1]]`.
  private let starts: [Int32]
  private let members: [Int32]

  init(clusters: [Int32], count: Int) {
    self.clusters = clusters
    self.count = count
    // A counting sort. The count of cluster c is stored at c + 2, and then its start at c + 1,
    // which advances to its end as the members are written.
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

  /// Returns the indices of a cluster's members in the array of positions, ascending; the first is
  /// the anchor.
  ///
  /// - Precondition: `cluster` is in `0..<count`.
  public func members(of cluster: Int) -> ArraySlice<Int32> {
    members[Int(starts[cluster])..<Int(starts[cluster + 1])]
  }

  /// Returns the index of a cluster's anchor in the array of positions.
  ///
  /// - Precondition: `cluster` is in `0..<count`.
  public func anchor(of cluster: Int) -> Int32 { members[Int(starts[cluster])] }
}
