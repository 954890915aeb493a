import PhotoMetadata
import Pictures
import Storage
import Synchronization
import TestSupport

extension FuzzTarget {
  /// Files of all formats, from which pictures for a browser are rendered.
  static let picture = FuzzTarget(
    "picture", seeds: Seeds.pictures + Seeds.raws + Seeds.cr3 + Seeds.heif + Seeds.webP
  ) { content in
    try ScratchFile.shared.withLock { file in
      try file.write(content)
      let order = PictureOrder(
        name: "a", files: [] as [LibraryFile], size: 96 + content.count % 256,
        isSquare: content.count % 2 == 0)
      let result = try? PictureMaking.picture(of: file.descriptor, count: content.count, order)
      guard let result else { return nil }
      let again = try? PictureMaking.picture(of: file.descriptor, count: content.count, order)
      guard again == result else { return "another picture the second time" }
      let bytes = result.picture.bytes
      guard result.isMade else { return bytes == content ? nil : "not the file as it is" }
      guard let (width, height) = JPEGMarkers(bytes)?.size else { return "no JPEG file is made" }
      guard (1...order.size).contains(width), (1...order.size).contains(height),
        width == height || !order.isSquare
      else { return "a picture of \(width) × \(height)" }
      var reader = MetadataReader()
      return reader.read(bytes) == .photo(PhotoProperties()) ? nil : "the picture has metadata"
    }
  }
}

extension Seeds {
  /// RAW files that contain JPEG files: referenced by a directory's entries, as its strip, in a
  /// subdirectory, and in a maker note to which nothing refers; in Fujifilm's own format; and in
  /// Canon's CR3, as a preview and as a track's sample.
  static let raws: [[UInt8]] = {
    let jpeg = pictures[0]
    let note = RAWFile(directories: [.init(orientation: 6)]).bytes + jpeg
    return [
      RAWFile(directories: [.init(orientation: 8, preview: jpeg)]).bytes,
      RAWFile(directories: [.init(strip: jpeg), .init(preview: pictures[1])]).bytes,
      RAWFile(directories: [.init(subdirectory: .init(strip: jpeg))], isBigEndian: true).bytes,
      note, CarrierFile.raf(jpeg), CR3File(preview: jpeg, sample: pictures[1]).bytes,
    ]
  }()
}
