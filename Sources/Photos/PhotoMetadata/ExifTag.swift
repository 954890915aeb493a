/// The EXIF tags that PhotoSpots uses: EXIF 2.32 (CIPA DC-008-2019), sections 4.6.4, 4.6.5 and
/// 4.6.6.
enum ExifTag: UInt16, CaseIterable {
  case imageDescription = 0x010E
  case make = 0x010F
  case model = 0x0110
  case orientation = 0x0112
  /// Microsoft's rating of 0–5 stars, not part of the standard.
  case rating = 0x4746
  /// Microsoft's title, in UTF-16 of little-endian byte order, not part of the standard.
  case xpTitle = 0x9C9B
  /// Microsoft's comment, likewise.
  case xpComment = 0x9C9C

  case dateTimeOriginal = 0x9003
  case dateTimeDigitized = 0x9004
  case offsetTimeOriginal = 0x9011
  case offsetTimeDigitized = 0x9012
  case subSecTimeOriginal = 0x9291
  case subSecTimeDigitized = 0x9292
  case focalLength = 0x920A
  case focalLengthIn35mmFilm = 0xA405

  case gpsLatitudeRef = 0x0001
  case gpsLatitude = 0x0002
  case gpsLongitudeRef = 0x0003
  case gpsLongitude = 0x0004
  case gpsAltitudeRef = 0x0005
  case gpsAltitude = 0x0006
  case gpsTimeStamp = 0x0007
  case gpsStatus = 0x0009
  case gpsImgDirectionRef = 0x0010
  case gpsImgDirection = 0x0011
  case gpsMapDatum = 0x0012
  case gpsDateStamp = 0x001D
  case gpsHPositioningError = 0x001F

  /// Whether it is a text that a person may have written, without which no photo is damaged.
  var isOfPerson: Bool {
    switch self {
    case .imageDescription, .xpTitle, .xpComment: true
    default: false
    }
  }

  /// The directory that contains the tag.
  var directory: TIFF.Directory {
    switch self {
    case .imageDescription, .make, .model, .orientation, .rating, .xpTitle, .xpComment: .image
    case .dateTimeOriginal, .dateTimeDigitized, .offsetTimeOriginal, .offsetTimeDigitized,
      .subSecTimeOriginal, .subSecTimeDigitized, .focalLength, .focalLengthIn35mmFilm:
      .exif
    default: .gps
    }
  }
}
