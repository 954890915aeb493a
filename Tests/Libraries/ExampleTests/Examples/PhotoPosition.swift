import PhotoMetadata
import Spatial
import SystemPackage

/// Returns the position in a photo's metadata; `nil` if there is none.
func position(ofPhotoAt path: FilePath) throws -> Coordinate? {
  let file = try PhotoFile(path)
  var reader = MetadataReader()
  switch try reader.read(file.descriptor, count: Int(file.size)) {
  case .photo(let properties): return properties.coordinate
  case .malformed, .notAPhoto: return nil
  }
}
