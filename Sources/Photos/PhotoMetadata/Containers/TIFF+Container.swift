/// Files that are a TIFF structure themselves: TIFF and BigTIFF; DNG, NEF, CR2, ARW, PEF, SRW, ORF,
/// RW2 and most other RAW files.
///
/// The whole file is treated as one EXIF block. Its directories may be anywhere in the file and are
/// reached by seeking.
extension TIFF: MetadataContainer {
  /// The entry of an RW2 file with the preview, a JPEG file with its own EXIF; ExifTool calls it
  /// JpgFromRaw.
  private static let panasonicPreview: UInt16 = 0x002E

  static func recognizes(_ bytes: inout PhotoBytes) throws(PhotoBytesError) -> Bool {
    try TIFFLayout(0..<bytes.count, of: &bytes) != nil
  }

  static func locate(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> MetadataBlocks {
    let file = 0..<bytes.count
    var blocks = MetadataBlocks(exif: .range(file))
    do throws(PhotoBytesError) {
      guard let layout = try TIFFLayout(file, of: &bytes), layout.kind == .panasonic,
        let preview = try value(ofImageEntry: panasonicPreview, in: layout, of: &bytes),
        let photo = try JPEG.locate(in: &bytes, embeddedAt: preview)
      else { return blocks }
      // The preview contains the camera's values; the file's own directories contain later changes.
      blocks.furtherExif = photo.exif
      for packet in photo.packets { blocks.keep(packet: packet) }
      blocks.extendedXMP = photo.extendedXMP
    } catch {
      guard case .beyondEnd = error else { throw error }
      blocks.damage = "the file ends before its directories do"
    }
    return blocks
  }

  /// Returns the range of the value of an entry in the image directory, clamped to the block; `nil`
  /// if there is no such entry.
  private static func value(
    ofImageEntry tag: UInt16, in layout: TIFFLayout, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int>? {
    guard let directory = try layout.directory(at: layout.firstDirectory, of: &bytes) else {
      return nil
    }
    for index in 0..<directory.count {
      guard let entry = layout.entry(index, of: directory) else { return nil }
      if try bytes.uint16(at: entry, layout.order) == tag {
        return try layout.value(at: entry, upTo: layout.block.count, of: &bytes)?.range
      }
    }
    return nil
  }
}
