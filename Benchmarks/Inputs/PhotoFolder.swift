import Spatial
package import SystemPackage

/// A folder of JPEG files with camera metadata and realistic sizes but without pictures. Each file
/// is sparse after its metadata, so that a photo of some megabytes takes some kilobytes on the
/// disk.
///
/// One photo in seven has no position. There are 250 photos in a folder.
package struct PhotoFolder {
  package let path: FilePath
  package let fileCount: Int
  package private(set) var locatedCount = 0
  package private(set) var files: [FilePath] = []
  private var folder: TemporaryFolder

  package init(fileCount: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path
    self.fileCount = fileCount
    let positions = PhotoPositions(count: fileCount).positions
    let cameras = Camera.all.flatMap { Array(repeating: $0, count: $0.share) }
    var random = SeededGenerator(seed: 6)
    for (index, position) in positions.enumerated() {
      let name = "\(digits(index / 250, 4))"
      if index % 250 == 0 { try folder.makeFolder(name) }
      let hasPosition = index % 7 != 6
      let camera = cameras.randomElement(using: &random) ?? Camera.all[0]
      let head = Self.head(
        ExifBlock(
          camera: camera, captured: IndexDocument.captured(index, of: fileCount),
          position: hasPosition ? position : nil))
      let file = "\(name)/IMG_\(digits(index, 7)).JPG"
      try folder.makeFile(
        file, head: head, size: Int.random(in: 1_500_000...6_000_000, using: &random))
      files.append(path.pushing(FilePath(file)))
      if hasPosition, !position.isNullIsland { locatedCount += 1 }
    }
  }

  /// Removes the folder.
  package func remove() { folder.remove() }

  /// Returns a JPEG file up to the start of its picture.
  private static func head(_ exif: ExifBlock) -> [UInt8] {
    let length = exif.bytes.count + 8
    var head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    head += Array("Exif".utf8) + [0, 0] + exif.bytes
    head += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 16, count: 64)
    head += [0xFF, 0xC0, 0, 11, 8, 0x0B, 0xD0, 0x0F, 0xC0, 1, 1, 0x11, 0]
    head += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    return head
  }
}
