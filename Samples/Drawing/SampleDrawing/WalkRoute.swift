/// The route of a walk, with the stops and the leg without reception.
struct WalkRoute: Sendable {
  /// A corner of the route, with its height above the sea.
  struct Corner: Sendable {
    let latitude: Double
    let longitude: Double
    let altitude: Double
  }

  /// A stop at a corner of the route.
  struct Stop: Sendable {
    /// The index of the corner.
    let corner: Int
    let seconds: Int
  }

  /// A position on the route in metres relative to a reference point.
  struct Place {
    var east: Double
    var north: Double
    var altitude: Double
  }

  let corners: [Corner]
  let stops: [Stop]
  /// The leg, from one corner to the next, on which there is no reception.
  let tunnelLeg: Int

  /// Metres per degree of latitude, and of longitude at 48.859° north, on the sphere of the Earth's
  /// mean radius. Literals, so that all platforms compute with identical values.
  static let metersPerDegree = (latitude: 111_195.08, longitude: 73_156.84)
  /// The origin of the coordinates of ``Place``.
  static let reference = Corner(latitude: 48.859, longitude: 2.292, altitude: 0)

  static let trocaderoToLawn = WalkRoute(
    corners: [
      Corner(latitude: 48.86355, longitude: 2.28200, altitude: 64),
      Corner(latitude: 48.86330, longitude: 2.28610, altitude: 66),
      Corner(latitude: 48.86260, longitude: 2.28745, altitude: 67),
      Corner(latitude: 48.86198, longitude: 2.28838, altitude: 66),
      Corner(latitude: 48.86110, longitude: 2.28930, altitude: 52),
      Corner(latitude: 48.86030, longitude: 2.29120, altitude: 36),
      Corner(latitude: 48.85938, longitude: 2.29282, altitude: 37),
      Corner(latitude: 48.85915, longitude: 2.29316, altitude: 33),
      Corner(latitude: 48.85826, longitude: 2.29450, altitude: 33),
      Corner(latitude: 48.85741, longitude: 2.29588, altitude: 33),
      Corner(latitude: 48.85560, longitude: 2.29868, altitude: 34),
      Corner(latitude: 48.85392, longitude: 2.30072, altitude: 35),
    ],
    stops: [
      Stop(corner: 1, seconds: 24), Stop(corner: 3, seconds: 60), Stop(corner: 6, seconds: 16),
      Stop(corner: 9, seconds: 44),
    ],
    tunnelLeg: 6)

  /// The corners as positions in metres.
  var places: [Place] {
    corners.map { corner in
      Place(
        east: (corner.longitude - Self.reference.longitude) * Self.metersPerDegree.longitude,
        north: (corner.latitude - Self.reference.latitude) * Self.metersPerDegree.latitude,
        altitude: corner.altitude)
    }
  }
}
