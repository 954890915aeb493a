/// Locates metadata in Canon's CR3 files, after the description by L. Czarnecki
/// (github.com/lclevy/canon_cr3): a `uuid` box in the movie box holds each directory in a box and a TIFF
/// structure of its own.
enum CR3 {
  /// Puts the directories together; `nil` where there are none.
  ///
  /// The maker note, `CMT3`, is not looked at.
  static func extract(
    from box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> TIFF.Extract? {
    var parts: [(directory: TIFF.Directory, block: Range<Int>)] = []
    var boxes = ISOBoxes(in: box.content)
    while let box = try boxes.next(in: &bytes) {
      switch box.type {
      case "CMT1": parts.append((.image, box.content))
      case "CMT2": parts.append((.exif, box.content))
      case "CMT4": parts.append((.gps, box.content))
      default: break
      }
    }
    return try TIFF.extract(fromParts: parts, of: &bytes)
  }
}
