import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// Photos of the corpus whose position is only in a sidecar.
@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
struct SidecarCorpusTests {
  @Test(arguments: [
    ("pigallery2/test/backend/assets/sidecar/Chars.jpg", 57.78069588, PositionSource.xmpSidecar),
    ("pigallery2/test/backend/assets/sidecar/20240107_110258.jpg", 50.0895874833, .xmp),
    ("pigallery2/test/backend/assets/sidecar/testimagedesc1.jpg", 37.8710933333, .exif),
    (
      "immich-go/app/upload/TEST_DATA/Takeout1/Google Photos/Album test 6-10-23/PXL_20231006_063000139.jpg",
      48.8583736, .exif
    ),
  ])
  func `the first source with a position is used`(
    path: String, latitude: Double, source: PositionSource
  ) throws {
    let photo = try #require(Corpus.folder).appending("photos").appending(path)
    let sidecars = Sidecar.all(of: photo)
    #expect(sidecars.count == 1)
    var reader = MetadataReader()
    guard case .photo(var properties) = reader.read(try Corpus.contents(of: photo)) else {
      Issue.record("\(path) is no photo")
      return
    }
    #expect(properties.complete(with: sidecars).isEmpty)
    #expect(properties.positionSource == source)
    #expect(abs((properties.coordinate?.latitude ?? .nan) - latitude) < 1e-7)
  }
}
