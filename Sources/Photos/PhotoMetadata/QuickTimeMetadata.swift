import CivilTime

/// The native metadata of a QuickTime movie, undecoded.
struct QuickTimeMetadata {
  /// The supported properties, named by Apple's metadata keys: QuickTime File Format, "QuickTime
  /// Metadata Keys".
  enum Key: String, CaseIterable {
    case location = "com.apple.quicktime.location.ISO6709"
    case accuracy = "com.apple.quicktime.location.accuracy.horizontal"
    case creationDate = "com.apple.quicktime.creationdate"
    case make = "com.apple.quicktime.make"
    case model = "com.apple.quicktime.model"
    case title = "com.apple.quicktime.title"
    case caption = "com.apple.quicktime.description"

    /// Whether its value is a text that a person wrote.
    var isOfPerson: Bool { self == .title || self == .caption }
  }

  /// A position as defined by 3GPP, in degrees and metres: TS 26.244, section 8.3.
  struct Place {
    var latitude: Double
    var longitude: Double
    var altitude: Double
  }

  /// The values from metadata keys.
  var keyed: [Key: String] = [:]
  /// The values from user data: `©xyz`, `©day`, `©mak`, `©mod`, `©nam`, `©des`.
  var userData: [Key: String] = [:]
  /// The position in the `loci` box.
  var place: Place?
  /// The creation time in the movie header, in seconds since 1904; 0 if unknown.
  var creationTime: UInt64?

  /// Returns the available texts for a key, in order of precedence.
  func texts(_ key: Key) -> [String] { [keyed[key], userData[key]].compactMap { $0 } }

  /// The creation time in the movie header, in UTC; `nil` if it is missing.
  ///
  /// Some programs count from 1970 instead of 1904. Times before 1990 are rejected, because there
  /// were no such movies: the clock was never set.
  var created: Instant? {
    let secondsFrom1904To1970: UInt64 = 2_082_844_800
    guard let creationTime, creationTime <= 1 << 34 else { return nil }
    let seconds =
      creationTime >= secondsFrom1904To1970 ? creationTime - secondsFrom1904To1970 : creationTime
    return seconds < 631_152_000 ? nil : Instant(secondsSince1970: Int64(seconds))
  }
}
