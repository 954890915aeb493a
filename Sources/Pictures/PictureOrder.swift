public import SystemPackage

/// A picture that is wanted.
public struct PictureOrder: Hashable, Sendable {
  /// A name that stands for this content of the photo for ever: letters, digits and hyphens. Under
  /// any other one nothing is kept.
  public let name: String
  /// The files of the photo; the first of which a picture can be made is taken.
  public let files: [FilePath]
  /// The maximum length of the longer side, or of the square's side: 96 to 2048 pixels.
  public let size: Int
  /// Whether the picture is the square in the middle of the photo.
  public let isSquare: Bool
  /// The receiver's header `Accept` (RFC 9110, section 12.5.1).
  public let accept: String

  /// Creates an order. A size beyond 96 to 2048 is taken for the nearer of them.
  public init(
    name: String, files: [FilePath], size: Int, isSquare: Bool = false, accept: String = ""
  ) {
    (self.name, self.files, self.isSquare, self.accept) = (name, files, isSquare, accept)
    self.size = min(max(size, 96), 2048)
  }
}

/// A picture to be shown.
public struct Picture: Hashable, Sendable {
  /// The media type: `image/jpeg`.
  public let mediaType: String
  /// The file.
  public let bytes: [UInt8]
}

/// A reason why a picture is unavailable.
public enum PictureError: Error, Hashable, CustomStringConvertible {
  /// None can be made of the photo's files, or none that the receiver shows.
  case noPicture
  /// None of the photo's files is there any more.
  case gone
  /// Too many others are waiting.
  case busy
  /// The task that ordered it was cancelled.
  case cancelled
  /// The system does not give the file out.
  case unreadable(Errno)

  /// A description of the reason.
  public var description: String {
    switch self {
    case .noPicture: "no picture can be made of the photo"
    case .gone: "the photo's file is gone"
    case .busy: "too many pictures are being made"
    case .cancelled: "interrupted"
    case .unreadable(let error): "the photo cannot be read: \(error)"
    }
  }
}
