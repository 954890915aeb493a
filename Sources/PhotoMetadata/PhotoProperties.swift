public import Spatial

/// What a photo says about itself, as far as PhotoSpots uses it.
public struct PhotoProperties: Hashable, Sendable {
  /// Where the photo was taken; `nil` where no valid position was found.
  public var coordinate: Coordinate?
  /// Where ``coordinate`` came from.
  public var positionSource: PositionSource?
  /// What became of the EXIF position, which is asked first.
  public var exifPosition = PositionFinding.absent
  /// What became of the position in XMP, which is asked second.
  public var xmpPosition = PositionFinding.absent
  /// What became of the position that a movie has in QuickTime's own way, which is asked last.
  public var quickTimePosition = PositionFinding.absent
  /// Metres above sea level, negative below.
  public var altitudeMeters: Double?
  /// The radius in metres within which the camera believed to be; `nil` is unknown.
  public var horizontalAccuracyMeters: Double?
  /// The direction that the camera faced.
  public var heading: Heading?
  /// When the photo was taken; file times are never used for it.
  public var captured: CaptureTime?
  /// Where ``captured`` came from.
  public var captureTimeSource: CaptureTimeSource?
  /// The maker of the camera.
  public var make: String?
  /// The model of the camera.
  public var model: String?
  /// The focal length.
  public var focalLength: FocalLength?
  /// How the picture is to be turned, 1–8 (EXIF 2.32, section 4.6.4 A).
  public var orientation: Int?
  /// The rating in stars, 0–5, or −1 for rejected: EXIF's where there is one, else that of XMP.
  public var rating: Int?
  /// Whether the photo is rated five stars, in EXIF or in XMP.
  public var isFavorite = false

  /// Creates the properties of a photo that says nothing.
  public init() {}

  /// Fills in what another EXIF block of the same photo gives and the first did not.
  mutating func complete(with other: PhotoProperties) {
    if coordinate == nil, other.coordinate != nil || exifPosition == .absent {
      coordinate = other.coordinate
      positionSource = other.positionSource
      exifPosition = other.exifPosition
      altitudeMeters = other.altitudeMeters
      horizontalAccuracyMeters = other.horizontalAccuracyMeters
      heading = other.heading
    }
    let isBetterTime = captureTimeSource == .gps && other.captured != nil
    if captured == nil || isBetterTime {
      captured = other.captured
      captureTimeSource = other.captureTimeSource
    }
    make = make ?? other.make
    model = model ?? other.model
    focalLength = focalLength ?? other.focalLength
    orientation = orientation ?? other.orientation
    rating = rating ?? other.rating
    isFavorite = isFavorite || other.isFavorite
  }
}

/// Where a position came from.
public enum PositionSource: String, Hashable, Sendable, CaseIterable {
  /// The GPS directory of the EXIF block.
  case exif = "EXIF"
  /// An XMP packet inside the file.
  case xmp = "XMP"
  /// An XMP file beside the photo.
  case xmpSidecar = "XMP sidecar"
  /// The JSON file that Google Takeout puts beside a photo.
  case takeout = "Takeout"
  /// The user data or the metadata keys of a movie.
  case quickTime = "QuickTime"
  /// The server of a remote library.
  case server = "server"
  /// A track that was recorded when the photo was taken.
  case inferred = "inferred"
  /// The database of another program.
  case imported = "imported"

  /// Whether the position is from elsewhere than the photo and its sidecars.
  public var isGiven: Bool { self == .inferred || self == .imported }
}

/// Where a capture time came from.
public enum CaptureTimeSource: String, Hashable, Sendable {
  /// EXIF DateTimeOriginal.
  case dateTimeOriginal = "EXIF DateTimeOriginal"
  /// EXIF DateTimeDigitized.
  case dateTimeDigitized = "EXIF DateTimeDigitized"
  /// A date in an XMP packet, inside the file or beside it.
  case xmp = "XMP"
  /// Google Takeout's `photoTakenTime`.
  case takeout = "Takeout photoTakenTime"
  /// The creation date of a movie.
  case quickTime = "QuickTime"
  /// The date and time of the GPS receiver.
  case gps = "EXIF GPSDateStamp"
  /// The server of a remote library.
  case server = "server"
}

/// What was found where a position is looked for.
public enum PositionFinding: String, Hashable, Sendable {
  /// No latitude or no longitude.
  case absent = "no position"
  /// A valid position.
  case valid = "valid"
  /// Exactly 0, 0: what devices write that have no position.
  case nullIsland = "position is 0, 0"
  /// A number is missing, or divided by zero.
  case unreadableNumber = "position is not a number"
  /// The letter N, S, E or W is missing or something else.
  case unreadableReference = "N/S/E/W is missing"
  /// A coordinate that is not on the globe.
  case outOfRange = "position is out of range"
}

/// A direction in degrees clockwise from north.
public struct Heading: Hashable, Sendable {
  /// Degrees clockwise from north, 0–360.
  public let degrees: Double
  /// Whether north is that of the compass; true north otherwise, and where the photo does not say.
  public let isMagnetic: Bool

  /// Creates a heading; `nil` where the number is not in 0...360.
  public init?(degrees: Double, isMagnetic: Bool = false) {
    guard (0...360).contains(degrees) else { return nil }
    self.degrees = degrees
    self.isMagnetic = isMagnetic
  }
}
