import CLibrary

/// For each mode, the normal distribution of a device's position and velocity on a plane.
///
/// Both axes have the same variances and are independent.
struct MotionStates: Hashable, Sendable {
  var east, north, eastVelocity, northVelocity: ModeValues
  var positionVariance, covariance, velocityVariance: ModeValues

  /// A device at the origin of the plane whose velocity is unknown.
  init(errorMeters: Double, model: MotionModel) {
    (east, north, eastVelocity, northVelocity) = (.zero, .zero, .zero, .zero)
    positionVariance = ModeValues(repeating: errorMeters * errorMeters)
    covariance = .zero
    velocityVariance = model.speeds * model.speeds
  }

  /// The mean position, given the probabilities of the modes.
  func position(_ weights: ModeValues) -> PlanePoint {
    PlanePoint(east: (weights * east).sum(), north: (weights * north).sum())
  }

  /// The mean velocity in m/s, given the probabilities of the modes.
  func velocity(_ weights: ModeValues) -> PlanePoint {
    PlanePoint(east: (weights * eastVelocity).sum(), north: (weights * northVelocity).sum())
  }

  /// The variance of the position on each axis, given the probabilities of the modes.
  func variance(_ weights: ModeValues) -> Double {
    let mean = position(weights)
    let (x, y) = (east - mean.east, north - mean.north)
    return (weights * (positionVariance + (x * x + y * y) / 2)).sum()
  }

  /// Moves the states' positions, for a plane with another origin.
  mutating func subtract(_ point: PlanePoint) {
    east -= point.east
    north -= point.north
  }
}

// MARK: - Mixing and prediction

extension MotionStates {
  /// Replaces the state of each mode by the mixture of the states from which it was reached.
  mutating func mix(_ weights: ModeValues, by transitions: ModeTransitions, to reached: ModeValues)
  {
    let old = self
    merge(old, weights * transitions.toStill / max(reached.x, 1e-30), into: .still)
    merge(old, weights * transitions.toMoving / max(reached.y, 1e-30), into: .moving)
    merge(old, weights * transitions.toRiding / max(reached.z, 1e-30), into: .riding)
    merge(old, weights * transitions.toHalted / max(reached.w, 1e-30), into: .halted)
  }

  @inline(__always)
  private mutating func merge(_ old: MotionStates, _ shares: ModeValues, into mode: MotionMode) {
    let (place, motion) = (old.position(shares), old.velocity(shares))
    let (x, y) = (old.east - place.east, old.north - place.north)
    let (u, v) = (old.eastVelocity - motion.east, old.northVelocity - motion.north)
    (east[mode], north[mode]) = (place.east, place.north)
    (eastVelocity[mode], northVelocity[mode]) = (motion.east, motion.north)
    positionVariance[mode] = (shares * (old.positionVariance + (x * x + y * y) / 2)).sum()
    covariance[mode] = (shares * (old.covariance + (x * u + y * v) / 2)).sum()
    velocityVariance[mode] = (shares * (old.velocityVariance + (u * u + v * v) / 2)).sum()
  }

  /// Advances the states by a time: the transition of the integrated Ornstein–Uhlenbeck process.
  mutating func predict(seconds: Double, _ model: MotionModel) {
    let rate = 1 / model.correlationSeconds
    let (turns, variance) = (rate * seconds, model.speeds * model.speeds)
    let kept = (-turns).exponentials
    let reach = (1 - kept) / rate
    east += reach * eastVelocity
    north += reach * northVelocity
    eastVelocity *= kept
    northVelocity *= kept
    // For short times the terms cancel, and the first one of their series is more accurate.
    let series: ModeValues = turns * turns * turns * (2.0 / 3)
    let terms: ModeValues = 2 * turns - 3 + kept * (4 - kept)
    let spread = terms.replacing(with: series, where: turns .< 1e-4)
    let carried: ModeValues = covariance + reach * velocityVariance
    positionVariance += reach * (covariance + carried) + variance / (rate * rate) * spread
    covariance = kept * carried + variance * rate * reach * reach
    velocityVariance = kept * kept * velocityVariance + variance * (1 - kept * kept)
  }
}

// MARK: - Measurements

extension MotionStates {
  /// Returns the likelihood, in each mode, of a measured position.
  func likelihood(of point: PlanePoint, variance: Double) -> ModeValues {
    Self.density(of: point.east - east, point.north - north, positionVariance + variance)
  }

  /// Returns the likelihood, in each mode, of a measured velocity.
  func likelihood(ofVelocity velocity: Velocities, variance: Double) -> ModeValues {
    Self.density(
      of: velocity.east - eastVelocity, velocity.north - northVelocity, velocityVariance + variance)
  }

  /// Updates the states by a measured position.
  mutating func update(position point: PlanePoint, variance: Double) {
    let total = positionVariance + variance
    let (gain, motionGain) = (positionVariance / total, covariance / total)
    let (x, y) = (point.east - east, point.north - north)
    east += gain * x
    north += gain * y
    eastVelocity += motionGain * x
    northVelocity += motionGain * y
    velocityVariance -= motionGain * covariance
    covariance -= motionGain * positionVariance
    positionVariance -= gain * positionVariance
  }

  /// Updates the states by a measured velocity.
  mutating func update(velocity: Velocities, variance: Double) {
    let total = velocityVariance + variance
    let (gain, motionGain) = (covariance / total, velocityVariance / total)
    let (u, v) = (velocity.east - eastVelocity, velocity.north - northVelocity)
    east += gain * u
    north += gain * v
    eastVelocity += motionGain * u
    northVelocity += motionGain * v
    positionVariance -= gain * covariance
    covariance -= gain * velocityVariance
    velocityVariance -= motionGain * velocityVariance
  }

  /// Returns the density of a round normal distribution in two dimensions.
  private static func density(
    of x: ModeValues, _ y: ModeValues, _ variance: ModeValues
  ) -> ModeValues {
    let exponent = (-(x * x + y * y) / (2 * variance)).clamped(
      lowerBound: ModeValues(repeating: -600), upperBound: .zero)
    return exponent.exponentials / (2 * Double.pi * variance)
  }
}

/// A measured velocity for each mode: a speed without a course is measured along the motion that
/// the mode expects.
struct Velocities {
  var east, north: ModeValues

  /// The speed in m/s below which a device stands, and its direction means nothing.
  private static let standingSpeed = 0.3

  init(
    speed: Double, courseDegrees: Double?, step: PlanePoint, errorMeters: Double,
    states: MotionStates
  ) {
    (east, north) = (.zero, .zero)
    guard speed >= Self.standingSpeed else { return }
    if let courseDegrees {
      let course = courseDegrees * Double.pi / 180
      (east, north) = (
        ModeValues(repeating: speed * sin(course)), ModeValues(repeating: speed * cos(course))
      )
      return
    }
    for mode in MotionMode.allCases {
      let expected = PlanePoint(east: states.eastVelocity[mode], north: states.northVelocity[mode])
      let isShort = step.length < errorMeters && expected.length > Self.standingSpeed
      let direction = isShort ? expected : step
      let length = direction.length
      east[mode] = length > 0 ? speed * direction.east / length : speed
      north[mode] = length > 0 ? speed * direction.north / length : 0
    }
  }
}
