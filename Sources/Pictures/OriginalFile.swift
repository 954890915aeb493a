import PhotoMetadata
public import SystemPackage

/// The file of a photo as it is, open for as long as this lives.
public final class OriginalFile: Sendable {
  /// The file's last name, in which a byte that is not UTF-8 is replaced.
  public let name: String
  /// The media type by content; `application/octet-stream` for formats that no browser shows.
  public let mediaType: String
  private let file: PhotoFile

  init(_ file: consuming PhotoFile, name: String, mediaType: String) {
    self.file = file
    (self.name, self.mediaType) = (name, mediaType)
  }

  /// The file, open for reading; its position may be moved.
  public var descriptor: FileDescriptor { file.descriptor }
  /// Its size in bytes when it was opened.
  public var size: Int64 { file.size }
}
