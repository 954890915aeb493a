import CivilTime
public import Spatial

/// The properties of a photo that PhotoSpots uses.
public struct PhotoProperties: Hashable, Sendable {
  /// The position where the photo was taken; `nil` if no valid position was found.
  public var coordinate: Coordinate?
  /// The source of ``coordinate``.
  public var positionSource: PositionSource?
  /// The finding for the EXIF position, which has the highest precedence.
  public var exifPosition = PositionFinding.absent
  /// The finding for the XMP position, which has the second highest precedence.
  public var xmpPosition = PositionFinding.absent
  /// The finding for the native position of a QuickTime movie, which has the lowest precedence.
  public var quickTimePosition = PositionFinding.absent
  /// The name of the geodetic datum from which ``coordinate`` was converted to WGS 84; `nil` if it
  /// was not.
  public internal(set) var convertedDatum: String?
  /// Metres above sea level, negative below.
  public var altitudeMeters: Double?
  /// The radius of uncertainty of the position in metres; `nil` if unknown.
  public var horizontalAccuracyMeters: Double?
  /// The direction in which the camera pointed.
  public var heading: Heading?
  /// The time at which the photo was taken, never derived from file times.
  public var captured: CaptureTime?
  /// The source of ``captured``.
  public var captureTimeSource: CaptureTimeSource?
  /// The year, or the year and the month, in which the photo was taken, if the day is unknown;
  /// ``captured`` is then `nil`.
  public internal(set) var partialCapture: PartialCapture?
  /// The date and time of the GPS receiver, which may be those of an older fix.
  var satelliteTime: Instant?
  /// The maker of the camera.
  public var make: String?
  /// The model of the camera.
  public var model: String?
  /// The focal length.
  public var focalLength: FocalLength?
  /// The title that a person gave the photo, as one line; not the file's name.
  public var title: String?
  /// The caption that a person gave the photo, as one line.
  public var caption: String?
  /// The orientation of the picture, 1–8 (EXIF 2.32, section 4.6.4 A).
  public var orientation: Int?
  /// The rating in stars, 0–5, or −1 for rejected; EXIF takes precedence over XMP.
  public var rating: Int?
  /// Whether the photo is rated five stars, in EXIF or in XMP.
  public var isFavorite = false

  /// Whether the original date is in words that cannot be read, such as `spring 1965`.
  var hasDateInWords = false

  /// The blocks of metadata that could not be read.
  public internal(set) var unread: [UnreadBlock] = []

  /// Creates properties without any values.
  public init() {}

  /// Notes a block that could not be read.
  mutating func skip(_ block: String, _ reason: String) {
    unread.append(UnreadBlock(block: block, reason: reason))
  }

  /// Converts a position to WGS 84 if its metadata name another geodetic datum; an unknown one is
  /// noted, and the position taken as it is.
  ///
  /// EXIF 2.32, section 4.6.6: `TOKYO` or `WGS-84` in Japan.
  mutating func converted(_ position: Coordinate?, datum: String?) -> Coordinate? {
    guard let position, let datum else { return position }
    switch GeodeticDatum.meaning(of: datum) {
    case .same?: return position
    case .other(let other)?:
      convertedDatum = other.name
      return other.converted(position)
    case nil:
      skip("geodetic datum", "\(datum.prefix(40)) is unknown and taken as WGS 84")
      return position
    }
  }

  /// Whether another block could say more: the position or the date is missing.
  var isMoreWanted: Bool { coordinate == nil || captureTimeSource == nil || lacksOriginalDate }

  /// The title and the caption, a line each, or the one that is known; `nil` if neither is.
  package var words: String? {
    guard let title, let caption, title != caption else { return title ?? caption }
    return "\(title)\n\(caption)"
  }

  /// Fills in missing properties from another EXIF block of the same photo.
  mutating func complete(with other: PhotoProperties) {
    if coordinate == nil, other.coordinate != nil || exifPosition == .absent {
      coordinate = other.coordinate
      positionSource = other.positionSource
      exifPosition = other.exifPosition
      convertedDatum = other.convertedDatum
      altitudeMeters = other.altitudeMeters
      horizontalAccuracyMeters = other.horizontalAccuracyMeters
      heading = other.heading
    }
    completeTime(with: other)
    unread += other.unread
    make = make ?? other.make
    model = model ?? other.model
    focalLength = focalLength ?? other.focalLength
    title = title ?? other.title
    caption = caption ?? other.caption
    orientation = orientation ?? other.orientation
    rating = rating ?? other.rating
    isFavorite = isFavorite || other.isFavorite
  }
}

/// The source of a position.
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
  /// A track recorded while the photo was taken.
  case inferred = "inferred"
  /// The database of another program.
  case imported = "imported"

  /// Whether the position was inferred from a track or imported from another program, rather than
  /// read from the photo, its sidecars or its server.
  public var isGiven: Bool { self == .inferred || self == .imported }
}

/// The source of a capture time.
public enum CaptureTimeSource: String, Hashable, Sendable {
  /// EXIF DateTimeOriginal.
  case dateTimeOriginal = "EXIF DateTimeOriginal"
  /// EXIF DateTimeDigitized.
  case dateTimeDigitized = "EXIF DateTimeDigitized"
  /// The original date in an XMP packet, inside the file or beside it.
  case xmp = "XMP"
  /// The date of digitization in an XMP packet.
  case xmpDigitized = "XMP DateTimeDigitized"
  /// The date of creation in an XMP packet.
  case xmpCreated = "XMP CreateDate"
  /// The date of creation of the content in IPTC metadata.
  case iptc = "IPTC DateCreated"
  /// The date of digitization in IPTC metadata.
  case iptcDigitized = "IPTC DigitalCreationDate"
  /// Google Takeout's `photoTakenTime`.
  case takeout = "Takeout photoTakenTime"
  /// The creation date of a movie.
  case quickTime = "QuickTime"
  /// The creation date in a movie's header.
  case quickTimeHeader = "QuickTime header"
  /// The date and time of the GPS receiver.
  case gps = "EXIF GPSDateStamp"
  /// The server of a remote library.
  case server = "server"
  /// The name of the file, which gives only the day.
  case name = "name"
}

/// The result of looking for a position.
public enum PositionFinding: String, Hashable, Sendable {
  /// No latitude or no longitude.
  case absent = "no position"
  /// A valid position.
  case valid = "valid"
  /// Exactly 0, 0, which devices without a position write.
  case nullIsland = "position is 0, 0"
  /// Only one of latitude and longitude is there, or they are texts instead of numbers.
  case incomplete = "latitude or longitude is missing or no number"
  /// A number is missing or has a denominator of zero.
  case unreadableNumber = "position is not a number"
  /// The letter N, S, E or W is missing or unreadable.
  case unreadableReference = "N/S/E/W is missing"
  /// The coordinate is not on the globe.
  case outOfRange = "position is out of range"
}

/// A direction in degrees clockwise from north.
public struct Heading: Hashable, Sendable {
  /// Degrees clockwise from north, 0–360.
  public let degrees: Double
  /// Whether the heading is relative to magnetic north; if not, or if unknown, it is relative to
  /// true north.
  public let isMagnetic: Bool

  /// Creates a heading, or returns `nil` if the number is not in 0...360.
  public init?(degrees: Double, isMagnetic: Bool = false) {
    guard (0...360).contains(degrees) else { return nil }
    self.degrees = degrees
    self.isMagnetic = isMagnetic
  }
}
