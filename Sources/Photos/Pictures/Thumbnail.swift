import PhotoMetadata
public import Storage
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
  /// - Parameter path: The photo, which must not be a link.
  /// - Returns: The thumbnail; `nil` if the photo is not a JPEG file or cannot be decoded.
  public static func jpeg(of path: FilePath) -> [UInt8]? { jpeg(of: LibraryFile(path)) }

  /// Creates a thumbnail of a photo of a library, opened without following a link; see
  /// ``jpeg(of:)``.
  public static func jpeg(of photo: LibraryFile) -> [UInt8]? {
    do {
      let file = try PhotoFile(photo)
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

  /// Decodes a JPEG file embedded in an open file, reduced and upright.
  ///
  /// - Parameters:
  ///   - file: The open file; its position is changed.
  ///   - part: The range of the JPEG file; `nil` for all of `file`.
  ///   - longestSide: The maximum length of the longer side, in pixels.
  ///   - isSquare: Whether to crop to the square in the middle.
  ///   - orientation: The orientation of the photo; see ``Pixels/turned(by:)``.
  /// - Returns: The picture; `nil` if libjpeg cannot decode the file.
  package static func pixels(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, isSquare: Bool = false,
    orientation: Int
  ) -> Pixels? {
    JPEGCodec.pixels(of: file, in: part, longestSide: longestSide, isSquare: isSquare)?
      .turned(by: orientation)
  }

  /// Encodes a picture as a JPEG file with a quality of 1 to 100; `nil` if that fails.
  package static func jpeg(of pixels: Pixels, quality: Int = 80) -> [UInt8]? {
    JPEGCodec.file(of: pixels, quality: quality)
  }

  /// Replaces the lock by which threads decode large pictures, which take several hundred MiB, one
  /// at a time. Call it before the first picture is decoded.
  ///
  /// - Parameters:
  ///   - begin: A function that is called before a large picture is decoded, and may wait.
  ///   - end: A function that is called after it.
  package static func takeTurns(
    begin: @escaping @convention(c) () -> Void, end: @escaping @convention(c) () -> Void
  ) {
    JPEGCodec.takeTurns(begin: begin, end: end)
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
