internal import CLibrary
internal import CivilTime

/// A simulation of a receiver with typical errors on a walk along a route.
struct WalkRecorder {
  private static let step = 2
  private static let startupEpochs = 3

  private let route: WalkRoute
  private let start: Instant
  private var random: SplitMix64
  /// The receiver's error, which drifts: each is the previous one, reduced towards zero, plus a
  /// random change (a first-order autoregressive process).
  private var error = WalkRoute.Place(east: 0, north: 0, altitude: 0)
  private var pace = 0.0
  private var dilution = 1.0
  private var epochsSoFar: [Walk.Epoch] = []

  /// Creates a recorder at the start of a route.
  init(route: WalkRoute, seed: UInt64, start: Instant) {
    self.route = route
    self.start = start
    random = SplitMix64(seed: seed)
  }

  /// Returns the receiver's reports along the route, beginning with its search for satellites.
  func epochs() -> [Walk.Epoch] {
    var recorder = self
    recorder.record()
    return recorder.epochsSoFar
  }

  private mutating func record() {
    for _ in 0..<Self.startupEpochs { note(nil) }
    let places = route.places
    var carried = 0.0
    for (leg, (from, to)) in zip(places, places.dropFirst()).enumerated() {
      carried = walk(from: from, to: to, ahead: carried, isHidden: leg == route.tunnelLeg)
      for stop in route.stops where stop.corner == leg + 1 {
        for _ in 0..<(stop.seconds / Self.step) { note(read(at: to, speed: 0, course: nil)) }
      }
    }
  }

  /// Walks one leg, of which the walker has already covered `ahead` metres. Returns the distance by
  /// which the last step exceeded the leg's end.
  private mutating func walk(
    from: WalkRoute.Place, to: WalkRoute.Place, ahead: Double, isHidden: Bool
  ) -> Double {
    let (east, north) = (to.east - from.east, to.north - from.north)
    let length = (east * east + north * north).squareRoot()
    let course = atan2(east, north) * 180 / Double.pi
    var walked = ahead
    while walked < length {
      let share = walked / length
      let place = WalkRoute.Place(
        east: from.east + east * share, north: from.north + north * share,
        altitude: from.altitude + (to.altitude - from.altitude) * share)
      pace = 0.9 * pace + 0.04 * random.nearlyNormal()
      let speed = 1.36 + pace
      let reading = read(at: place, speed: speed, course: course)
      note(isHidden ? nil : reading)
      walked += speed * Double(Self.step)
    }
    return walked - length
  }

  private mutating func note(_ reading: Walk.Reading?) {
    let seconds = Double(epochsSoFar.count * Self.step)
    epochsSoFar.append(Walk.Epoch(time: start.advanced(bySeconds: seconds), reading: reading))
  }

  private mutating func read(
    at place: WalkRoute.Place, speed: Double, course: Double?
  ) -> Walk.Reading {
    error.east = 0.95 * error.east + 0.45 * random.nearlyNormal()
    error.north = 0.95 * error.north + 0.45 * random.nearlyNormal()
    error.altitude = 0.97 * error.altitude + 0.5 * random.nearlyNormal()
    dilution = 0.97 * dilution + 0.03 * 1.05 + 0.03 * random.nearlyNormal()
    let reported = max(0, speed + 0.06 * random.nearlyNormal())
    let turned = course.map { $0 + 2.5 * random.nearlyNormal() + 720 }
    let scale = WalkRoute.metersPerDegree
    let north = (place.north + error.north) / scale.latitude
    let east = (place.east + error.east) / scale.longitude
    return Walk.Reading(
      latitude: Int(((WalkRoute.reference.latitude + north) * 1e7).rounded()),
      longitude: Int(((WalkRoute.reference.longitude + east) * 1e7).rounded()),
      altitude: Int(((place.altitude + error.altitude) * 10).rounded()),
      speed: Int((reported * 100).rounded()),
      course: turned.map { Int(($0 * 10).rounded()) % 3600 },
      dilution: Int((max(0.6, dilution) * 100).rounded()),
      satelliteCount: 9 + Int(random.next() % 4))
  }
}
