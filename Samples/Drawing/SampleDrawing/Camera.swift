/// A camera or phone, with the characteristics of its EXIF metadata.
package struct Camera: Sendable {
  /// The representation of an angle as EXIF's three rationals.
  package enum AngleStyle: Sendable {
    /// Whole degrees, whole minutes, and seconds with a fraction, as in phones.
    case seconds
    /// Whole degrees, minutes with a fraction, and no seconds, as in the receivers of older
    /// cameras.
    case decimalMinutes
    /// Degrees with a fraction only, as in geotagging programs.
    case decimalDegrees
  }

  /// The maker in EXIF.
  package let make: String
  /// The model in EXIF.
  package let model: String
  /// The byte order of the EXIF block.
  package let byteOrder: ByteOrder
  let angleStyle: AngleStyle
  /// Whether the device writes OffsetTimeOriginal.
  package let writesOffset: Bool
  /// Whether the device writes the UTC time of its GPS receiver.
  package let writesGPSTime: Bool
  /// Whether headings are relative to magnetic north.
  package let hasMagneticCompass: Bool
  /// The focal ratio and the focal length in millimetres, both in tenths; `nil` for a scanner.
  let lens: (focalRatio: UInt32, focalLength: UInt32)?

  private init(
    _ make: String, _ model: String, _ byteOrder: ByteOrder, angles: AngleStyle = .seconds,
    offset: Bool = false, gpsTime: Bool = false, magnetic: Bool = false,
    lens: (focalRatio: UInt32, focalLength: UInt32)?
  ) {
    self.make = make
    self.model = model
    self.byteOrder = byteOrder
    angleStyle = angles
    writesOffset = offset
    writesGPSTime = gpsTime
    hasMagneticCompass = magnetic
    self.lens = lens
  }

  static let canon = Camera("Canon", "Canon EOS 700D", .littleEndian, lens: (56, 350))
  static let nikon = Camera(
    "NIKON CORPORATION", "NIKON D750", .bigEndian, angles: .decimalMinutes, gpsTime: true,
    lens: (80, 240))
  static let olympus = Camera(
    "OLYMPUS CORPORATION", "TG-4", .littleEndian, gpsTime: true, magnetic: true, lens: (28, 45))
  static let sony = Camera("SONY", "DSC-RX100M3", .littleEndian, lens: (40, 88))
  static let smallPhone = Camera(
    "Apple", "iPhone 8", .bigEndian, offset: true, gpsTime: true, lens: (18, 40))
  static let phone = Camera(
    "Apple", "iPhone 14", .bigEndian, offset: true, gpsTime: true, lens: (15, 57))
  static let pixel = Camera(
    "Google", "Pixel 6", .littleEndian, offset: true, gpsTime: true, lens: (19, 68))
  static let scanner = Camera(
    "EPSON", "Perfection V600", .bigEndian, angles: .decimalDegrees, lens: nil)
}
