/// A position in units of ``FixedAngle``, for approximate distances of up to some hundred metres,
/// computed as if the Earth were flat.
struct FlatSpot: BitwiseCopyable {
  let latitude: Int32
  let longitude: Int32
  /// The approximate cosine of the latitude; zero beyond 84°, where the approximation is too
  /// coarse.
  private let cosine: Float

  /// The cosine at 84° of latitude, beyond which the flat approximation is too coarse.
  private static let leastCosine = 0.1

  init(_ position: Coordinate) {
    latitude = FixedAngle.nearest(position.latitude)
    longitude = FixedAngle.nearest(position.longitude)
    let angle = position.latitude * Double.pi / 180
    let square = angle * angle
    // The first terms of the series: the remainder is below 2e-5 in the range that is used.
    let cosine =
      1 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320))))
    self.cosine = cosine > Self.leastCosine ? Float(cosine) : 0
  }

  /// Whether squared distances are precise enough to accept positions as near. Otherwise they can
  /// only reject positions as far.
  @inline(__always)
  var isFlat: Bool { cosine > 0 }

  /// Returns the approximate squared distances to four positions, in square units of
  /// ``FixedAngle``.
  ///
  /// If ``isFlat`` is `false`, only the differences in latitude count.
  @inline(__always)
  func squares(_ latitudes: SIMD4<Int32>, _ longitudes: SIMD4<Int32>) -> SIMD4<Float> {
    let height = SIMD4<Float>(SIMD4(repeating: latitude) &- latitudes)
    let width = SIMD4<Float>(SIMD4(repeating: longitude) &- longitudes) * cosine
    return height * height + width * width
  }

  /// Returns the approximate squared distance to one position, like ``squares(_:_:)``.
  @inline(__always)
  func square(_ other: FlatSpot) -> Float {
    let height = Float(latitude &- other.latitude)
    let width = Float(longitude &- other.longitude) * cosine
    return height * height + width * width
  }
}

/// The squared distances below and above which an approximate distance decides whether a position
/// is within a radius; in between, the exact distance must be computed.
struct FlatLimits {
  /// The squared distance up to which a position is certainly within the radius, if
  /// ``FlatSpot/isFlat``.
  let near: Float
  /// The squared distance beyond which a position is certainly outside the radius.
  let far: Float

  /// The maximum radius in metres for which the flat approximation is used.
  private static let greatestMeters = 250.0

  /// Computes the limits for a radius.
  ///
  /// The margin covers several times the errors: at most 7 mm each from rounding to units of
  /// ``FixedAngle``, at most 0.02 % from the cosine, and 0.02 % from using the cosine of one end.
  init(radiusMeters: Double) {
    guard radiusMeters <= Self.greatestMeters else {
      (near, far) = (-1, .infinity)
      return
    }
    let stepsPerMeter = FixedAngle.perDegree * 180 / (Double.pi * Earth.meanRadiusMeters)
    let margin = 0.05 + radiusMeters * 0.002
    let (least, most) = (radiusMeters - margin, radiusMeters + margin)
    near = least > 0 ? Float(least * least * stepsPerMeter * stepsPerMeter) : -1
    far = Float(most * most * stepsPerMeter * stepsPerMeter)
  }
}
