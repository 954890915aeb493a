import CivilTime
import LocationFeeds
import PhotoMetadata

/// The file created from an uploaded picture.
///
/// A pure value: it accesses neither files nor clocks.
struct RecreationFile {
  /// The time of capture; `nil` if no clock was set.
  let taken: CaptureTime?
  /// The content of the file.
  let bytes: [UInt8]

  /// Creates the file; see ``RecreationStore/keep(_:of:score:in:taken:devices:now:localClock:)``.
  init(
    _ jpeg: [UInt8], of old: OldPhoto, score: Double?, taken: CaptureTime? = nil,
    devices: [LocationFix], now: Instant, localClock: LocalClock
  ) throws(RecreationError) {
    let picture = try JPEGPicture(jpeg)
    var reader = MetadataReader()
    var own = PhotoProperties()
    if case .photo(let properties) = reader.read(jpeg) { own = properties }
    let properties = RecreationFacts(
      own: own, old: old, score: score, sent: taken, devices: devices, now: now,
      localClock: localClock
    ).properties
    // Cannot trap: the sides of a picture are at most 65,500 pixels.
    let exif = properties.exifBlock(
      width: UInt16(picture.width), height: UInt16(picture.height), hasProfile: picture.hasProfile)
    guard let exif else {
      throw .noPicture("there is not enough memory for its metadata")
    }
    self.taken = properties.captured
    bytes = picture.file(exif: exif, xmp: RecreationPacket.bytes(of: old, score: score))
  }
}
