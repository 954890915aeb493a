package import Spatial

/// The centres and numbers of photos of spots, column by column, for reading all spots or these
/// values alone.
///
/// Spots are identified by their index in ``SpotIndex/spots``. The columns of an index are not
/// copied, so those of a mapped index use no memory of the process.
package struct SpotColumns: Sendable {
  private let latitude: Column<Double>
  private let longitude: Column<Double>
  private let photoCount: Column<Int32>

  /// Creates the columns of an index of spots.
  package init(_ index: SpotIndex) {
    if let spots = index.spots.tables?.spots {
      (latitude, longitude, photoCount) = (spots.latitude, spots.longitude, spots.photoCount)
    } else {
      latitude = Column(own: index.spots.map(\.coordinate.latitude))
      longitude = Column(own: index.spots.map(\.coordinate.longitude))
      photoCount = Column(own: index.spots.map { Int32(clamping: $0.photoCount) })
    }
  }

  /// The number of spots.
  package var count: Int { latitude.count }

  /// Returns the centre of a spot.
  package func coordinate(of place: Int) -> Coordinate {
    Coordinate(latitude: latitude[place], longitude: longitude[place])
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// Returns the number of photos of a spot.
  package func photoCount(of place: Int) -> Int32 { photoCount[place] }

  /// Returns copies of the centres of all spots.
  package func coordinates() -> (latitudes: [Double], longitudes: [Double]) {
    var (latitudes, longitudes) = (latitude.storedValues, longitude.storedValues)
    for place in latitudes.indices {
      // A mapped file may contain invalid values.
      if Coordinate(latitude: latitudes[place], longitude: longitudes[place]) == nil {
        (latitudes[place], longitudes[place]) = (0, 0)
      }
    }
    return (latitudes, longitudes)
  }

  /// Returns a copy of the numbers of photos of all spots.
  package func photoCounts() -> [Int32] { photoCount.storedValues.map { max($0, 0) } }
}
