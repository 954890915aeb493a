public import CivilTime
import Interchange
public import PhotoLibrary
public import PhotoMetadata
public import SpotAlerts
public import SystemPackage

/// What a request asks for that only the outside can do.
public enum ServiceWork: Sendable {
  /// A picture of a photo, made of the first of its files that one can be made of.
  case picture(PictureWork)
  /// The file that stands for a photo, as it is.
  case original(files: [FilePath], stamp: PhotoFileStamp?)
  /// A picture of two photos.
  case share(ShareWork)
  /// The events from now on, and first those that the page missed after an id.
  case events(after: String?)
  /// A spot is to be muted, for good or until an instant; then ``Service/muted(_:)`` answers.
  case mute(spotID: String, latitude: Double, longitude: Double, until: Instant?)
  /// A link in an alert was followed: a spot is to be muted at least until an instant, or for good;
  /// then ``Service/acted(_:in:)`` answers.
  case act(
    AlertAction, spotID: String, latitude: Double, longitude: Double, until: Instant?,
    language: AlertLanguage)
  /// A spot is no longer to be muted; then ``ServiceResponse/noContent`` answers.
  case unmute(spotID: String)
  /// Places of one's own are to be changed; then ``Service/changed(_:of:)`` answers.
  case places(PlaceWork)
  /// Settings are to be changed by a merge patch, which ``SettingsPatch`` applies to the file; then
  /// `settings` is answered anew.
  case changeSettings(SettingsPatch)
  /// A track is to be replayed; then ``Service/replayed(_:)`` answers.
  case replay(track: [UInt8], settings: [String])
  /// A picture that was taken again is to be kept; then ``Service/kept(_:)`` answers.
  case keepRecreation(
    jpeg: [UInt8], ofPhoto: String, files: [FilePath], score: Double?, taken: CaptureTime?)
  /// The file of a recreation, as it is.
  case recreationPicture(id: String)
  /// A recreation is to be forgotten; its file stays.
  case forgetRecreation(id: String)
}

/// A picture that is asked for.
public struct PictureWork: Hashable, Sendable {
  /// What a picture is cut to.
  public enum Shape: String, Sendable {
    /// Nothing is cut off.
    case whole
    /// A square from the middle.
    case square
  }

  /// The name of the photo, which stands for this content of its file for ever.
  public let name: String
  /// The files of the shot, that which stands for it first.
  public let files: [FilePath]
  /// What the first of them was like when it was named so: of another one no picture may be given
  /// out by this name. `nil` where that is not known.
  public let stamp: PhotoFileStamp?
  /// How many pixels the longer side, or that of the square, has at most.
  public let size: Int
  /// What it is cut to.
  public let shape: Shape
  /// What the browser shows: the header Accept.
  public let accept: String
}

/// What becomes of a request.
public enum ServiceReply: Sendable {
  /// It is answered.
  case response(ServiceResponse)
  /// The outside has to do something first.
  case work(ServiceWork)
}
