internal import CLibJPEGShims
internal import CLibrary
import SystemPackage

/// A JPEG codec for thumbnails, based on libjpeg.
enum JPEGCodec {
  /// Decodes a JPEG file, reduced so that no side exceeds a limit.
  ///
  /// - Parameters:
  ///   - file: The file that contains the JPEG file; its position is changed.
  ///   - part: The range of the JPEG file; `nil` for all of `file`.
  ///   - longestSide: The limit in pixels.
  ///   - isSquare: Whether to return only the square in the middle.
  /// - Returns: The picture in sRGB, not rotated to its orientation; `nil` if libjpeg cannot decode
  ///   it.
  static func pixels(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, isSquare: Bool = false
  ) -> Pixels? {
    let start = off_t(part?.lowerBound ?? 0)
    guard lseek(file.rawValue, start, SEEK_SET) == start else { return nil }
    var rgb: UnsafeMutablePointer<UInt8>?
    var (width, height): (CInt, CInt) = (0, 0)
    var isCutOff = false
    var profile = [UInt8](repeating: 0, count: Int(PHOTOSPOTS_ICC_PROFILE_SIZE))
    var profileLength = 0
    var message = [CChar](repeating: 0, count: Int(PHOTOSPOTS_JPEG_MESSAGE_SIZE))
    let status = unsafe photospots_jpeg_decode_small(
      file.rawValue, UInt64(part?.count ?? .max), CInt(longestSide), isSquare, &rgb, &width,
      &height, &isCutOff, &profile, &profileLength, &message)
    defer { unsafe free(rgb) }
    guard status == 0, let start = unsafe rgb else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(width) * Int(height) * 3)
    let pixels = Pixels(
      width: Int(width), height: Int(height), rgb: unsafe Array(bytes), isCutOff: isCutOff)
    return pixels.inSRGB(from: profile[..<profileLength])
  }

  /// Replaces the lock by which threads decode large pictures one at a time.
  static func takeTurns(
    begin: @escaping @convention(c) () -> Void, end: @escaping @convention(c) () -> Void
  ) {
    photospots_jpeg_take_turns(begin, end)
  }

  /// Encodes a picture as a JPEG file without metadata, with a quality of 1 to 100; `nil` if that
  /// fails.
  static func file(of pixels: Pixels, quality: Int = 80) -> [UInt8]? {
    var jpeg: UnsafeMutablePointer<UInt8>?
    var length = 0
    var message = [CChar](repeating: 0, count: Int(PHOTOSPOTS_JPEG_MESSAGE_SIZE))
    let status = unsafe photospots_jpeg_encode(
      pixels.rgb, CInt(pixels.width), CInt(pixels.height), CInt(quality), &jpeg, &length, &message)
    defer { unsafe free(jpeg) }
    guard status == 0, let start = unsafe jpeg else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: length))
  }
}
