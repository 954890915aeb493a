internal import CLibJPEGShims
internal import CLibrary
import SystemPackage

/// libjpeg, as far as thumbnails need it.
enum JPEGCodec {
  /// Decodes a JPEG file, made so small that no side is longer than a limit.
  ///
  /// - Parameters:
  ///   - file: The file that it lies in; its position is moved.
  ///   - part: The range of the JPEG file; `nil` for all of `file`.
  ///   - longestSide: The limit in pixels.
  ///   - isSquare: Whether only the square in the middle is wanted.
  /// - Returns: The picture as it is stored, in the colours of sRGB; `nil` where libjpeg makes
  ///   nothing of it.
  static func pixels(
    of file: FileDescriptor, in part: Range<Int>? = nil, longestSide: Int, isSquare: Bool = false
  ) -> Pixels? {
    let start = off_t(part?.lowerBound ?? 0)
    guard lseek(file.rawValue, start, SEEK_SET) == start else { return nil }
    var rgb: UnsafeMutablePointer<UInt8>?
    var (width, height): (CInt, CInt) = (0, 0)
    var profile = [UInt8](repeating: 0, count: Int(PHOTOSPOTS_ICC_PROFILE_SIZE))
    var profileLength = 0
    var message = [CChar](repeating: 0, count: Int(PHOTOSPOTS_JPEG_MESSAGE_SIZE))
    let status = unsafe photospots_jpeg_decode_small(
      file.rawValue, UInt64(part?.count ?? .max), CInt(longestSide), isSquare, &rgb, &width,
      &height, &profile, &profileLength, &message)
    defer { unsafe free(rgb) }
    guard status == 0, let start = unsafe rgb else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(width) * Int(height) * 3)
    let pixels = Pixels(width: Int(width), height: Int(height), rgb: unsafe Array(bytes))
    return pixels.inSRGB(from: profile[..<profileLength])
  }

  /// Compresses a picture into a JPEG file with nothing but the picture in it, at a quality of 1 to
  /// 100.
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
