public import CivilTime
import Encodings
import PhotoLibrary
public import PhotoMetadata
public import Storage
public import SystemPackage

/// Work that a request requires from outside of the service.
public enum ServiceWork: Sendable {
  /// Create a picture of a photo, from the first of its files for which that is possible.
  case picture(PictureWork)
  /// Send the file of a photo unchanged.
  case original(files: [LibraryFile])
  /// Create a picture of two photos.
  case share(ShareWork)
  /// Stream events, beginning with those that the page missed after an id.
  case events(after: String?)
  /// Mute a spot, permanently or until an instant; ``Service/muted(_:)`` creates the answer.
  case mute(spotID: String, latitude: Double, longitude: Double, until: Instant?)
  /// Perform the action of a link in an alert, and note the link's use; ``Service/acted(_:)``
  /// creates the answer, and ``Service/refused(_:_:)`` that to a link which was used meanwhile.
  case act(ActionWork)
  /// Unmute a spot; the answer is ``ServiceResponse/noContent``.
  case unmute(spotID: String)
  /// Change places of the user's own; ``Service/changed(_:of:)`` creates the answer.
  case places(PlaceWork)
  /// Import places from a file; ``Service/imported(_:)`` creates the answer.
  case importPlaces(PlaceImportWork)
  /// Apply a ``SettingsPatch`` to the settings file; ``Service/changedSettings()`` creates the
  /// answer. If a tag is expected, the settings must still have it: ``Service/checkSettings(_:)``.
  case changeSettings(SettingsPatch, expected: String?)
  /// Replay a track; ``Service/replayed(_:now:)`` creates the answer.
  case replay(track: [UInt8], settings: [String])
  /// Store a recreation; ``Service/kept(_:)`` creates the answer.
  case keepRecreation(
    jpeg: [UInt8], ofPhoto: String, files: [FilePath], score: Double?, taken: CaptureTime?)
  /// Send the file of a recreation unchanged.
  case recreationPicture(id: String)
  /// List folders of photos, index them, or report or stop scans; ``Service/folders(_:isLocal:)``
  /// and ``Service/indexing(_:)`` create the answers.
  case folders(FolderWork)
  /// Remove a recreation from the list; its file is kept.
  case forgetRecreation(id: String)
}

/// A request for a picture of a photo.
public struct PictureWork: Hashable, Sendable {
  /// The shape of a picture.
  public enum Shape: String, Sendable {
    /// The whole photo.
    case whole
    /// The central square.
    case square
  }

  /// The name of the photo, which permanently identifies this content of its file.
  public let name: String
  /// The files of the shot, beginning with the one that represents it.
  /// If the first has another state than the name was derived from, no picture must be sent under
  /// this name.
  public let files: [LibraryFile]
  /// The maximum length of the longer side, or of the square's side, in pixels.
  public let size: Int
  /// The shape.
  public let shape: Shape
  /// The formats that the browser accepts: the header Accept.
  public let accept: String
}

/// The reply to a request.
public enum ServiceReply: Sendable {
  /// The answer.
  case response(ServiceResponse)
  /// Work to be performed outside of the service before there is an answer.
  case work(ServiceWork)
}
