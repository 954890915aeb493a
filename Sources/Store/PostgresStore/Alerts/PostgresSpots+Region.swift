#if Postgres
  import PhotoLibrary
  package import SpotWatcher
  import Spatial

  extension PostgresSpots {
    /// Fetches the spots of a query, reduced to those nearby where there are many, so that only
    /// these are created.
    ///
    /// - Parameters:
    ///   - fetch: The query.
    ///   - radiusMeters: The cluster radius.
    /// - Returns: The spots.
    /// - Throws: The server's error.
    package func region(
      of fetch: RegionFetch, clusterRadius radiusMeters: Double
    ) throws(PostgresError) -> FetchedRegion {
      let rows = try rows(in: area(within: fetch.radiusMeters, of: fetch.center))
      var distances: [Double] = []
      distances.reserveCapacity(rows.count)
      for row in 0..<rows.count {
        distances.append(fetch.center.distance(to: try rows.coordinate(row, SpotColumn.center)))
      }
      let reach = fetch.reachMeters(ofSpotsAt: distances)
      var kept = distances.indices.filter { distances[$0] <= reach }
      guard !fetch.visits.isEmpty else {
        return FetchedRegion(spots: SpotIndex(try rows.packed(kept)), reachMeters: reach)
      }
      var isKept = distances.map { $0 <= reach }
      var ids: Set<String> = []
      for row in 0..<rows.count {
        ids.insert(SpotID(bits: UInt64(bitPattern: try rows.int8(row, SpotColumn.id))).text)
        guard !isKept[row] else { continue }
        let here = try rows.coordinate(row, SpotColumn.center)
        guard fetch.visits.contains(where: { $0.center.distance(to: here) <= radiusMeters }) else {
          continue
        }
        isKept[row] = true
        kept.append(row)
      }
      let near = SpotIndex(try rows.packed(kept))
      return FetchedRegion(
        spots: try adding(fetch.visits.filter { !ids.contains($0.spotID) }, to: near, radiusMeters),
        reachMeters: reach)
    }

    /// Adds the spots at visits that were not fetched.
    private func adding(
      _ visits: [RegionFetch.Visit], to near: SpotIndex, _ radiusMeters: Double
    ) throws(PostgresError) -> SpotIndex {
      var far: [String: PhotoSpot] = [:]
      for visit in visits {
        for found in try spots(within: radiusMeters, of: visit.center)
        where near.place(ofID: found.spot.id) == nil {
          far[found.spot.id] = found.spot
        }
      }
      return far.isEmpty ? near : SpotIndex(spots: Array(near.spots) + far.values)
    }
  }
#endif
