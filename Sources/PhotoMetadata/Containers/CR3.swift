/// Locates metadata in Canon's CR3 files, after the description by L. Czarnecki
/// (github.com/lclevy/canon_cr3): a `uuid` box in the movie box holds each directory in a box and a
/// TIFF structure of its own.
enum CR3 {
  /// Puts the directories together; `nil` where there are none.
  ///
  /// The first box of each kind counts: a file has one, and thousands of them are a trap. The maker
  /// note, `CMT3`, is not looked at.
  static func extract(
    from box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> TIFF.Extract? {
    var parts: [(directory: TIFF.Directory, block: Range<Int>)] = []
    var boxes = ISOBoxes(in: box.content)
    while let box = try boxes.next(in: &bytes) {
      guard let directory = directory(of: box),
        !parts.contains(where: { $0.directory == directory })
      else { continue }
      parts.append((directory, box.content))
    }
    return try TIFF.extract(fromParts: parts, of: &bytes)
  }

  private static func directory(of box: ISOBox) -> TIFF.Directory? {
    switch box.type {
    case "CMT1": .image
    case "CMT2": .exif
    case "CMT4": .gps
    default: nil
    }
  }
}
