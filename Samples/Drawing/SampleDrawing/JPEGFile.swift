internal import CLibJPEGShims
internal import CLibrary

/// An encoder of JPEG files with an optional EXIF block.
package enum JPEGFile {
  /// Compresses a picture and inserts an EXIF block as its first segment.
  ///
  /// - Parameters:
  ///   - picture: The pixels; at most 65,500 in width and height, libjpeg's limit.
  ///   - exif: The block, beginning with `Exif\0\0`; `nil` for a file without EXIF.
  ///   - quality: The quality on libjpeg's scale, 1 to 100.
  /// - Returns: The whole file.
  /// - Throws: ``SampleError/jpeg(_:)`` with libjpeg's message; ``SampleError/exifTooLong`` if the
  ///   block exceeds the 65,533 bytes of a segment.
  package static func bytes(
    of picture: Picture, exif: [UInt8]?, quality: Int
  ) throws(SampleError) -> [UInt8] {
    let compressed = try compress(picture, quality: quality)
    guard let exif else { return compressed }
    // The length of a segment includes its own two bytes (ITU-T T.81, B.1.1.4).
    guard let length = UInt16(exactly: exif.count + 2) else { throw .exifTooLong }
    let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + exif
    return compressed.prefix(2) + segment + compressed.dropFirst(2)
  }

  private static func compress(
    _ picture: Picture, quality: Int
  ) throws(SampleError) -> [UInt8] {
    var jpeg: UnsafeMutablePointer<UInt8>?
    var length = 0
    var message = [CChar](repeating: 0, count: Int(PHOTOSPOTS_JPEG_MESSAGE_SIZE))
    let status = unsafe photospots_jpeg_encode(
      picture.rgb, Int32(picture.width), Int32(picture.height), Int32(quality), &jpeg, &length,
      &message)
    defer { unsafe free(jpeg) }
    guard status == 0, let start = unsafe jpeg else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .jpeg(String(decoding: text, as: UTF8.self))
    }
    return unsafe Array(UnsafeBufferPointer(start: start, count: length))
  }
}
