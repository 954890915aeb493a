/// A position in numbers of ``FixedAngle``, for distances of some hundred metres as if the Earth
/// were flat.
struct FlatSpot: BitwiseCopyable {
  let latitude: Int32
  let longitude: Int32
  /// About the cosine of the latitude; zero where parallels are too strongly bent.
  private let cosine: Float

  /// Beyond 84° of latitude the Earth is not as good as flat.
  private static let leastCosine = 0.1

  init(_ position: Coordinate) {
    latitude = FixedAngle.nearest(position.latitude)
    longitude = FixedAngle.nearest(position.longitude)
    let angle = position.latitude * Double.pi / 180
    let square = angle * angle
    // The first terms of the series: what follows is below 2e-5 where it is used.
    let cosine =
      1 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320))))
    self.cosine = cosine > Self.leastCosine ? Float(cosine) : 0
  }

  /// Whether squares of distances tell what is near, and not only what is far away.
  @inline(__always)
  var isFlat: Bool { cosine > 0 }

  /// The squares of the distances to other positions, in steps of latitude; where it is not flat
  /// here, only those of the differences in latitude.
  @inline(__always)
  func squares(_ latitudes: SIMD4<Int32>, _ longitudes: SIMD4<Int32>) -> SIMD4<Float> {
    let height = SIMD4<Float>(SIMD4(repeating: latitude) &- latitudes)
    let width = SIMD4<Float>(SIMD4(repeating: longitude) &- longitudes) * cosine
    return height * height + width * width
  }

  /// The same for one position.
  @inline(__always)
  func square(_ other: FlatSpot) -> Float {
    let height = Float(latitude &- other.latitude)
    let width = Float(longitude &- other.longitude) * cosine
    return height * height + width * width
  }
}

/// The squares of distances that decide whether a position lies within a radius, up to a ring in
/// between.
struct FlatLimits {
  /// Up to here a position lies within the radius for certain, where ``FlatSpot/isFlat``.
  let near: Float
  /// Beyond here it lies outside for certain.
  let far: Float

  /// Up to so many metres the Earth is flat.
  private static let greatestMeters = 250.0

  /// Numbers of ``FixedAngle`` are wrong by 7 mm each at most. The cosine is wrong by 0.02 % at
  /// most, and that it is taken at one end matters by 0.02 %: both are allowed for several times
  /// over.
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
