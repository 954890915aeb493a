import CivilTime
import PhotoMetadata

/// The recorded properties of a photo, without its position.
struct PhotoFacts: Equatable {
  var file: FileID
  var captured: CaptureTime?
  /// Whether only the year, or the year and month, are known; ``captured`` is then `nil`.
  var hasPartialDate = false
  var camera: CameraID?
  var rating: Int8?
  var isFavorite = false
  var focalLength: FocalLengthID?
  var caption: CaptionID?
}
