import CivilTime

/// What a movie says of itself in QuickTime's own way, as it is written there.
struct QuickTimeMetadata {
  /// What is looked for, by the metadata keys that Apple defines: QuickTime File Format, "QuickTime
  /// Metadata Keys".
  enum Key: String, CaseIterable {
    case location = "com.apple.quicktime.location.ISO6709"
    case accuracy = "com.apple.quicktime.location.accuracy.horizontal"
    case creationDate = "com.apple.quicktime.creationdate"
    case make = "com.apple.quicktime.make"
    case model = "com.apple.quicktime.model"
  }

  /// A position as 3GPP writes it: TS 26.244, section 8.3; degrees and metres.
  struct Place {
    var latitude: Double
    var longitude: Double
    var altitude: Double
  }

  /// The values of metadata keys.
  var keyed: [Key: String] = [:]
  /// The values of user data: `©xyz`, `©day`, `©mak`, `©mod`.
  var userData: [Key: String] = [:]
  /// The position in a `loci` box.
  var place: Place?
  /// The creation time of the movie header, in seconds since 1904; 0 is none.
  var creationTime: UInt64?

  /// The texts that there are for a key, the one to be preferred first.
  func texts(_ key: Key) -> [String] { [keyed[key], userData[key]].compactMap { $0 } }

  /// When the movie header was made, which is UTC; `nil` where it does not say.
  ///
  /// Some writers count from 1970 instead of 1904. A time before 1990 is that of a clock that was
  /// never set: there were no movies.
  var created: Instant? {
    let secondsFrom1904To1970: UInt64 = 2_082_844_800
    guard let creationTime, creationTime <= 1 << 34 else { return nil }
    let seconds =
      creationTime >= secondsFrom1904To1970 ? creationTime - secondsFrom1904To1970 : creationTime
    return seconds < 631_152_000 ? nil : Instant(secondsSince1970: Int64(seconds))
  }
}
