import PhotoMetadata
public import SystemPackage

/// Small pictures of photos, to show to somebody elsewhere.
public enum Thumbnail {
  /// The longest side in pixels.
  public static let longestSide = 512

  /// Makes a small picture of a photo: a JPEG file without metadata, turned as the photo is to be
  /// seen.
  ///
  /// Takes up to about a second and blocks its thread meanwhile; takes bounded memory, whatever the
  /// file holds. What the photo says, its position among it, is not in the result.
  ///
  /// - Parameter path: The photo.
  /// - Returns: The file; `nil` where the photo is no JPEG file, or one that cannot be shown.
  public static func jpeg(of path: FilePath) -> [UInt8]? {
    do {
      let file = try PhotoFile(path)
      return jpeg(of: file.descriptor, size: Int(clamping: file.size))
    } catch {
      return nil
    }
  }

  /// Makes a small picture of an open file, which is read from its beginning; see ``jpeg(of:)``.
  package static func jpeg(of file: FileDescriptor, size: Int) -> [UInt8]? {
    guard isJPEG(file), let pixels = JPEGCodec.pixels(of: file, longestSide: longestSide) else {
      return nil
    }
    return JPEGCodec.file(of: pixels.turned(by: orientation(of: file, size: size)))
  }

  /// Makes a small picture of a JPEG file that lies in an open file, as ``jpeg(of:)`` does.
  ///
  /// - Parameters:
  ///   - file: The open file; its position is moved.
  ///   - part: The range of the JPEG file; `nil` for all of `file`.
  ///   - longestSide: The longest side of the small picture in pixels.
  ///   - isSquare: Whether it is the square in the middle of the photo.
  ///   - orientation: The photo's orientation; see ``Pixels/turned(by:)``.
  /// - Returns: The small picture; `nil` where libjpeg makes nothing of the file.
  package static func jpeg(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, isSquare: Bool,
    orientation: Int
  ) -> [UInt8]? {
    JPEGCodec.pixels(of: file, in: part, longestSide: longestSide, isSquare: isSquare).flatMap {
      JPEGCodec.file(of: $0.turned(by: orientation))
    }
  }

  /// Decodes a JPEG file that lies in an open file, made small and turned; see
  /// ``jpeg(of:in:longestSide:isSquare:orientation:)``.
  package static func pixels(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, orientation: Int
  ) -> Pixels? {
    JPEGCodec.pixels(of: file, in: part, longestSide: longestSide)?.turned(by: orientation)
  }

  /// Makes a JPEG file of a picture, at a quality of 1 to 100.
  package static func jpeg(of pixels: Pixels, quality: Int = 80) -> [UInt8]? {
    JPEGCodec.file(of: pixels, quality: quality)
  }

  /// Whether the file begins as one of JPEG does (ITU-T T.81, B.2.1), and stands at its beginning.
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
