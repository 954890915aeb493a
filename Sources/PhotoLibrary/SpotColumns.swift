package import Spatial

/// The centres of spots and their numbers of photos, column by column: for a program that looks at
/// all of them, or at some without the rest of what is known of a spot.
///
/// Spots are known by their places in ``SpotIndex/spots``. The columns of an index are not copied,
/// so those of a mapped one take no memory of the program's own.
package struct SpotColumns: Sendable {
  private let latitude: Column<Double>
  private let longitude: Column<Double>
  private let photoCount: Column<Int32>

  /// Takes the columns of an index of spots.
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

  /// The centre of a spot.
  package func coordinate(of place: Int) -> Coordinate {
    Coordinate(latitude: latitude[place], longitude: longitude[place])
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// The number of photos of a spot.
  package func photoCount(of place: Int) -> Int32 { photoCount[place] }

  /// The centres of all spots, as a copy.
  package func coordinates() -> (latitudes: [Double], longitudes: [Double]) {
    var (latitudes, longitudes) = (latitude.storedValues, longitude.storedValues)
    for place in latitudes.indices {
      // A mapped file may hold anything.
      if Coordinate(latitude: latitudes[place], longitude: longitudes[place]) == nil {
        (latitudes[place], longitudes[place]) = (0, 0)
      }
    }
    return (latitudes, longitudes)
  }

  /// The numbers of photos of all spots, as a copy.
  package func photoCounts() -> [Int32] { photoCount.storedValues.map { max($0, 0) } }
}
