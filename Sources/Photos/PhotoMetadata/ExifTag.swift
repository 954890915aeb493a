/// The EXIF tags that PhotoSpots uses: EXIF 2.32 (CIPA DC-008-2019), sections 4.6.4, 4.6.5 and
/// 4.6.6.
enum ExifTag: UInt16, CaseIterable {
  case make = 0x010F
  case model = 0x0110
  case orientation = 0x0112
  /// Microsoft's rating of 0–5 stars, not part of the standard.
  case rating = 0x4746

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
  case gpsImgDirectionRef = 0x0010
  case gpsImgDirection = 0x0011
  case gpsMapDatum = 0x0012
  case gpsDateStamp = 0x001D
  case gpsHPositioningError = 0x001F

  /// The directory that contains the tag.
  var directory: TIFF.Directory {
    switch self {
    case .make, .model, .orientation, .rating: .image
    case .dateTimeOriginal, .dateTimeDigitized, .offsetTimeOriginal, .offsetTimeDigitized,
      .subSecTimeOriginal, .subSecTimeDigitized, .focalLength, .focalLengthIn35mmFilm:
      .exif
    default: .gps
    }
  }
}
