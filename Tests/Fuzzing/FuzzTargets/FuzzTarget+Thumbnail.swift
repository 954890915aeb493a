import PhotoMetadata
import Pictures
import Synchronization
import TestSupport

extension FuzzTarget {
  /// JPEG files from which thumbnails are rendered.
  static let thumbnail = FuzzTarget(
    "thumbnail", magic: Magic([0xFF, 0xD8]), seeds: Seeds.pictures
  ) { content in
    try ScratchFile.shared.withLock { file in
      try file.write(content)
      guard let thumbnail = Thumbnail.jpeg(of: file.descriptor, size: content.count) else {
        return nil
      }
      guard let (width, height) = JPEGMarkers(thumbnail)?.size else {
        return "no JPEG file is made"
      }
      guard (1...512).contains(width), (1...512).contains(height) else {
        return "a picture of \(width) × \(height)"
      }
      var reader = MetadataReader()
      guard reader.read(thumbnail) == .photo(PhotoProperties()) else {
        return "the picture has metadata"
      }
      let second = Thumbnail.jpeg(of: file.descriptor, size: content.count)
      return second == thumbnail ? nil : "another picture the second time"
    }
  }
}
