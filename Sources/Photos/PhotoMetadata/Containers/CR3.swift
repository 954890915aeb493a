/// A locator of metadata in Canon's CR3 files, according to the description by L. Czarnecki
/// (github.com/lclevy/canon_cr3).
///
/// A `uuid` box in the movie box contains one box per directory, each with its own TIFF structure.
enum CR3 {
  /// Combines the directories into one block; `nil` if there are none.
  ///
  /// Only the first box of each kind is used: valid files have one, and a malicious file may have
  /// thousands. The maker note, `CMT3`, is ignored.
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
