/// A clustering that was made before positions were added and removed, for positions in canonical
/// order: a row is a place in that order.
///
/// - Complexity: To create, O(*n*) for *n* positions: a pass over numbers, a few milliseconds for a
///   million.
public struct EarlierClusters: ClusteredPositions {
  private let positions: [Coordinate]
  private let clustering: Clustering
  private let newPlaces: [Int32]
  private let oldPlaces: [Int32]
  private let centers: SpatialIndex
  private let slackMeters: Double

  /// Creates the clusters before a change.
  ///
  /// - Parameters:
  ///   - clustering: The clustering before the change.
  ///   - newPlaces: For each place before the change the place after it, −1 where the position
  ///     was removed; those that are left ascend.
  ///   - positions: The positions after the change, in canonical order. Those to which nothing
  ///     leads were added.
  ///   - centers: An index over positions near the anchors, by the number of their cluster before
  ///     the change: the anchors themselves, or the centres of their clusters.
  ///   - slackMeters: How far from its anchor such a position may lie.
  public init(
    _ clustering: Clustering, newPlaces: [Int32], positions: [Coordinate], centers: SpatialIndex,
    slackMeters: Double
  ) {
    precondition(newPlaces.count == clustering.clusters.count)
    precondition(centers.count == clustering.count)
    self.clustering = clustering
    self.newPlaces = newPlaces
    self.positions = positions
    self.centers = centers
    self.slackMeters = slackMeters
    var oldPlaces = [Int32](repeating: -1, count: positions.count)
    for (old, new) in newPlaces.enumerated() where new >= 0 { oldPlaces[Int(new)] = Int32(old) }
    self.oldPlaces = oldPlaces
  }

  /// The position of a place after the change.
  public func position(of row: Int32) -> Coordinate { positions[Int(row)] }

  /// Whether one place comes before another.
  public func precedes(_ left: Int32, _ right: Int32) -> Bool { left < right }

  /// The anchor of a place before the change.
  public func anchor(of row: Int32) -> Int32? {
    let old = oldPlaces[Int(row)]
    return old < 0 ? nil : anchor(ofCluster: Int(clustering.clusters[Int(old)]))
  }

  /// Calls a closure with what is left of the cluster of an anchor.
  public func forEachMember(of anchor: Int32, _ body: (Int32) -> Void) {
    let cluster = Int(clustering.clusters[Int(oldPlaces[Int(anchor)])])
    forEachMember(ofCluster: cluster, body)
  }

  /// Calls a closure with the anchors that are left near a position.
  public func forEachAnchor(
    within meters: Double, of position: Coordinate, _ body: (Int32) -> Void
  ) {
    centers.forEachPosition(within: meters + slackMeters, of: position) { cluster, _ in
      if let anchor = anchor(ofCluster: cluster) { body(anchor) }
    }
  }

  private func anchor(ofCluster cluster: Int) -> Int32? {
    let anchor = newPlaces[Int(clustering.anchor(of: cluster))]
    return anchor < 0 ? nil : anchor
  }

  private func forEachMember(ofCluster cluster: Int, _ body: (Int32) -> Void) {
    for member in clustering.members(of: cluster) where newPlaces[Int(member)] >= 0 {
      body(newPlaces[Int(member)])
    }
  }

  /// Returns what the change makes of the clusters; see
  /// ``GreedyClusterer/changes(to:added:orphans:)``.
  ///
  /// - Parameter clusterer: The clusterer that made the clustering.
  /// - Returns: The rows that belong to another anchor than before.
  public func changes(by clusterer: GreedyClusterer) -> ClusterChanges {
    var orphans: [Int32] = []
    for (old, new) in newPlaces.enumerated() where new < 0 {
      let cluster = Int(clustering.clusters[old])
      if clustering.anchor(of: cluster) == old {
        forEachMember(ofCluster: cluster) { orphans.append($0) }
      }
    }
    let added = oldPlaces.indices.lazy.filter { oldPlaces[$0] < 0 }.map { Int32($0) }
    return clusterer.changes(to: self, added: added, orphans: orphans)
  }

  /// Returns the clustering after the change.
  ///
  /// - Parameter changes: As ``changes(by:)`` returns them.
  /// - Returns: The same clustering as that of all positions.
  /// - Complexity: O(*n*) for *n* positions, but each is only passed over.
  public func clustering(after changes: ClusterChanges) -> Clustering {
    var numbers = [Int32](repeating: -1, count: clustering.count)
    var clusters: [Int32] = []
    clusters.reserveCapacity(positions.count)
    var count: Int32 = 0
    var next = 0
    for place in positions.indices {
      if next < changes.moves.count, changes.moves[next].row == place {
        let move = changes.moves[next]
        next += 1
        if !move.founds {
          clusters.append(clusters[Int(move.anchor)])
          continue
        }
      } else {
        let cluster = Int(clustering.clusters[Int(oldPlaces[place])])
        if numbers[cluster] >= 0 {
          clusters.append(numbers[cluster])
          continue
        }
        // The first of the cluster that stayed is its anchor.
        numbers[cluster] = count
      }
      clusters.append(count)
      count += 1
    }
    return Clustering(clusters: clusters, count: Int(count))
  }
}
