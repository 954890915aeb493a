/// An error in the generation of a sample.
package enum SampleError: Error, Hashable, CustomStringConvertible {
  /// libjpeg failed with the given message.
  case jpeg(String)
  /// libexif could not build the block.
  case exif
  /// The EXIF block does not fit in one segment.
  case exifTooLong
  /// A date in the table of photos, which is given, is not ISO 8601 with an offset.
  case malformedDate(String)

  package var description: String {
    switch self {
    case .jpeg(let message): "libjpeg could not compress the picture: \(message)"
    case .exif: "libexif could not build the EXIF block: out of memory"
    case .exifTooLong: "the EXIF block is longer than a JPEG segment can be"
    case .malformedDate(let text): "the table of photos holds a malformed date: \(text)"
    }
  }
}
