import PhotoMetadata
public import SystemPackage

/// The unmodified file of a photo, which stays open for the lifetime of the object.
public final class OriginalFile: Sendable {
  /// The file name without its folder; bytes that are not UTF-8 are replaced.
  public let name: String
  /// The media type according to the content; `application/octet-stream` for formats that browsers
  /// do not support.
  public let mediaType: String
  private let file: PhotoFile

  init(_ file: consuming PhotoFile, name: String, mediaType: String) {
    self.file = file
    (self.name, self.mediaType) = (name, mediaType)
  }

  /// The file, open for reading; its position may be changed.
  public var descriptor: FileDescriptor { file.descriptor }
  /// The size in bytes when the file was opened.
  public var size: Int64 { file.size }
}
