import PhotoMetadata
public import SystemPackage

/// Small versions of photos, for display on other devices.
public enum Thumbnail {
  /// The maximum length of the longer side, in pixels.
  public static let longestSide = 512

  /// Creates a thumbnail of a photo: an upright JPEG file without metadata.
  ///
  /// Blocks the thread for up to about a second. Memory use is bounded for any file content. The
  /// result contains no metadata of the photo, such as its position.
  ///
  /// - Parameter path: The photo.
  /// - Returns: The thumbnail; `nil` if the photo is not a JPEG file or cannot be decoded.
  public static func jpeg(of path: FilePath) -> [UInt8]? {
    do {
      let file = try PhotoFile(path)
      return jpeg(of: file.descriptor, size: Int(clamping: file.size))
    } catch {
      return nil
    }
  }

  /// Creates a thumbnail of an open file, read from its start; see ``jpeg(of:)``.
  package static func jpeg(of file: FileDescriptor, size: Int) -> [UInt8]? {
    guard isJPEG(file), let pixels = JPEGCodec.pixels(of: file, longestSide: longestSide) else {
      return nil
    }
    return JPEGCodec.file(of: pixels.turned(by: orientation(of: file, size: size)))
  }

  /// Creates a thumbnail of a JPEG file embedded in an open file, like ``jpeg(of:)``.
  ///
  /// - Parameters:
  ///   - file: The open file; its position is changed.
  ///   - part: The range of the JPEG file; `nil` for all of `file`.
  ///   - longestSide: The maximum length of the thumbnail's longer side, in pixels.
  ///   - isSquare: Whether to crop to the square in the middle.
  ///   - orientation: The orientation of the photo; see ``Pixels/turned(by:)``.
  /// - Returns: The thumbnail; `nil` if libjpeg cannot decode the file.
  package static func jpeg(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, isSquare: Bool,
    orientation: Int
  ) -> [UInt8]? {
    JPEGCodec.pixels(of: file, in: part, longestSide: longestSide, isSquare: isSquare).flatMap {
      JPEGCodec.file(of: $0.turned(by: orientation))
    }
  }

  /// Decodes a JPEG file embedded in an open file, reduced and upright; see
  /// ``jpeg(of:in:longestSide:isSquare:orientation:)``.
  package static func pixels(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, orientation: Int
  ) -> Pixels? {
    JPEGCodec.pixels(of: file, in: part, longestSide: longestSide)?.turned(by: orientation)
  }

  /// Encodes a picture as a JPEG file with a quality of 1 to 100; `nil` if that fails.
  package static func jpeg(of pixels: Pixels, quality: Int = 80) -> [UInt8]? {
    JPEGCodec.file(of: pixels, quality: quality)
  }

  /// Whether the file begins with the marker of a JPEG file (ITU-T T.81, B.2.1).
  private static func isJPEG(_ file: FileDescriptor) -> Bool {
    var start: [UInt8] = [0, 0]
    let count = try? unsafe start.withUnsafeMutableBytes {
      try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
    }
    return count == 2 && start == [0xFF, 0xD8]
  }

  private static func orientation(of file: FileDescriptor, size: Int) -> Int {
    var reader = MetadataReader()
    guard case .photo(let properties)? = try? reader.read(file, count: size) else { return 1 }
    return properties.orientation ?? 1
  }
}
