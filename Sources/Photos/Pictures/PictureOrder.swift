public import Storage
public import SystemPackage

/// A request for a picture of a photo.
public struct PictureOrder: Hashable, Sendable {
  /// A name that permanently identifies this content of the photo: 1 to 64 letters, digits and
  /// hyphens. With any other name the picture is not cached.
  public let name: String
  /// The files of the photo, in order of preference; the first that can be decoded is used.
  public let files: [LibraryFile]
  /// The maximum length of the longer side, or the side of the square, in pixels: 96 to 2048.
  public let size: Int
  /// Whether to crop to the square in the middle of the photo.
  public let isSquare: Bool
  /// The client's `Accept` header (RFC 9110, section 12.5.1).
  public let accept: String

  /// Creates a request for a picture of files that are not links; the size is clamped to 96–2048.
  public init(
    name: String, files: [FilePath], size: Int, isSquare: Bool = false, accept: String = ""
  ) {
    self.init(
      name: name, files: files.map { LibraryFile($0) }, size: size, isSquare: isSquare,
      accept: accept)
  }

  /// Creates a request for a picture of files of a library; the size is clamped to 96–2048.
  public init(
    name: String, files: [LibraryFile], size: Int, isSquare: Bool = false, accept: String = ""
  ) {
    (self.name, self.files, self.isSquare, self.accept) = (name, files, isSquare, accept)
    self.size = min(max(size, 96), 2048)
  }
}

/// An encoded picture.
public struct Picture: Hashable, Sendable {
  /// The media type, such as `image/jpeg`.
  public let mediaType: String
  /// The content of the file.
  public let bytes: [UInt8]
}

/// A reason why a picture is unavailable.
public enum PictureError: Error, Hashable, CustomStringConvertible {
  /// No file of the photo can be shown as a picture, or not in a format that the client supports.
  case noPicture
  /// The photo is a HEIC file, and libheif is not installed.
  case noDecoder
  /// None of the photo's files exists any more.
  case gone
  /// Too many requests are waiting.
  case busy
  /// The requesting task was cancelled.
  case cancelled
  /// The system could not read the file.
  case unreadable(Errno)
  /// The process that decoded the photo crashed.
  case crashed
  /// Decoding the photo took too long.
  case slow
  /// The process that decodes photos cannot be started.
  case unavailable(Errno)

  /// A description of the reason.
  public var description: String {
    switch self {
    case .noPicture: "no picture can be made of the photo"
    case .noDecoder:
      "HEIC photos need libheif; install it: 'apt install libheif1' on Debian and Ubuntu"
    case .gone: "the photo's file is gone"
    case .busy: "too many pictures are being made"
    case .cancelled: "interrupted"
    case .unreadable(let error): "the photo cannot be read: \(error)"
    case .crashed: "decoding the photo crashed"
    case .slow: "decoding the photo took too long"
    case .unavailable(let error): "the process that decodes photos cannot be started: \(error)"
    }
  }
}
