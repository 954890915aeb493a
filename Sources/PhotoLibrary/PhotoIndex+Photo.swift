import Interchange
import PhotoMetadata
import Spatial

extension PhotoIndex {
  /// A photo with a position.
  ///
  /// A row has 64 bytes, one line of the processor's cache, because what is unknown is kept as NaN or as the least number
  /// of its width; as optionals the same would be 112 bytes.
  struct Photo {
    /// Its file's place in `files`.
    var file: Int32
    /// Its camera's place in `cameras`; negative where it is unknown.
    var camera: Int32
    let coordinate: Coordinate
    private let capturedMilliseconds: Int64
    private let altitude: Double
    private let accuracy: Double
    private let headingDegrees: Double
    private let utcOffsetMinutes: Int16
    /// Its focal length's place in `focalLengths`; negative where it is unknown.
    var focalLength: Int16
    private var stars: Int8
    private let isMagnetic: Bool
    var isFavorite: Bool
    let positionSource: PositionSource

    /// Creates a row of numbers as they are kept: NaN and the least number of a width are unknown.
    ///
    /// - Precondition: `heading` is NaN or in 0...360.
    init(
      file: Int32, camera: Int32, coordinate: Coordinate, capturedMilliseconds: Int64,
      utcOffsetMinutes: Int16, altitude: Double, accuracy: Double, heading: Double,
      isMagnetic: Bool, stars: Int8, isFavorite: Bool, positionSource: PositionSource,
      focalLength: Int16
    ) {
      self.file = file
      self.camera = camera
      self.coordinate = coordinate
      self.capturedMilliseconds = capturedMilliseconds
      self.utcOffsetMinutes = utcOffsetMinutes
      self.altitude = altitude
      self.accuracy = accuracy
      headingDegrees = heading
      self.isMagnetic = isMagnetic
      self.stars = stars
      self.isFavorite = isFavorite
      self.positionSource = positionSource
      self.focalLength = focalLength
    }

    /// Creates a row.
    ///
    /// The first millisecond of all time, which stands for none, becomes the second.
    init(
      file: Int32, camera: Int32, coordinate: Coordinate, captured: CaptureTime? = nil,
      altitudeMeters: Double? = nil, horizontalAccuracyMeters: Double? = nil,
      heading: Heading? = nil, rating: Int8? = nil, isFavorite: Bool,
      positionSource: PositionSource, focalLength: Int16 = -1
    ) {
      self.init(
        file: file, camera: camera, coordinate: coordinate,
        capturedMilliseconds: captured.map { max($0.instant.millisecondsSince1970, .min + 1) }
          ?? .min,
        utcOffsetMinutes: captured?.utcOffsetMinutes.flatMap { Int16(exactly: $0) } ?? .min,
        altitude: altitudeMeters ?? .nan, accuracy: horizontalAccuracyMeters ?? .nan,
        heading: heading?.degrees ?? .nan, isMagnetic: heading?.isMagnetic ?? false,
        stars: rating ?? .min, isFavorite: isFavorite, positionSource: positionSource,
        focalLength: focalLength)
    }

    /// When it was taken.
    var captured: CaptureTime? {
      guard let instant else { return nil }
      return CaptureTime(
        instant: instant, utcOffsetMinutes: utcOffsetMinutes == .min ? nil : Int(utcOffsetMinutes))
    }

    /// The moment when it was taken.
    var instant: Instant? {
      capturedMilliseconds == .min
        ? nil : Instant(millisecondsSince1970: capturedMilliseconds)
    }

    /// Metres above sea level.
    var altitudeMeters: Double? { altitude.isNaN ? nil : altitude }

    /// The radius within which the camera believed to be.
    var horizontalAccuracyMeters: Double? { accuracy.isNaN ? nil : accuracy }

    /// The direction that the camera faced.
    var heading: Heading? { Heading(degrees: headingDegrees, isMagnetic: isMagnetic) }

    /// The rating in stars, 0–5, or −1 for rejected.
    var rating: Int8? {
      get { stars == .min ? nil : stars }
      set { stars = newValue ?? .min }
    }
  }
}
