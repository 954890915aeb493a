import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct PSDTests {
  private let block = ExifBlock(image: [Entry(0x110, .ascii("A model"))], gps: somewhere)
  private let packet = Array(
    XMPText.packet(attributes: #"exif:GPSLatitude="10N" exif:GPSLongitude="20E""#).utf8)

  private func file(
    _ resources: [PSDFile.Resource], version: UInt16 = 1, colorTableLength: Int = 0
  ) -> [UInt8] {
    var file = PSDFile(resources)
    file.version = version
    file.colorTableLength = colorTableLength
    return file.bytes
  }

  @Test(arguments: [1, 2] as [UInt16], [0, 768, 100_000])
  func `EXIF and XMP are found among the image resources`(version: UInt16, colorTableLength: Int) {
    let exif = PSDFile.Resource(1058, block.tiff)
    let xmp = PSDFile.Resource(1060, packet)
    let others = [
      PSDFile.Resource(1028, [UInt8](repeating: 1, count: 20_001), name: "odd"),
      PSDFile.Resource(1036, [1, 2, 3, 4], name: "even"),
      PSDFile.Resource(1058, Array("not EXIF".utf8), signature: "MeSa"),
      PSDFile.Resource(1060, [], name: String(repeating: "n", count: 255), signature: "PHUT"),
    ]
    for resources in [[exif, xmp], others + [xmp, exif], [exif] + others + [xmp]] {
      let photo = properties(
        file(resources, version: version, colorTableLength: colorTableLength))
      #expect(photo.isSomewhere)
      #expect(photo.model == "A model")
      #expect(photo.xmpPosition == .valid)
    }
    #expect(properties(file([xmp], version: version)).positionSource == .xmp)
    #expect(reading(file(others, version: version)) == .photo(PhotoProperties()))
    #expect(reading(file([], version: version)) == .photo(PhotoProperties()))
  }

  @Test func `resources that are not contiguous end the search`() {
    var bytes = file([PSDFile.Resource(1036, [1, 2, 3, 4]), PSDFile.Resource(1058, block.tiff)])
    bytes[34 + 12 + 4] ^= 0x20
    #expect(
      reading(bytes).malformation == "an image resource does not begin where the one before ends")
  }

  @Test func `lengths of 2³²−1 are not trusted`() {
    let whole = file([PSDFile.Resource(1036, [1, 2, 3, 4]), PSDFile.Resource(1058, block.tiff)])
    // Of the color table, of all resources, of the first one.
    for place in [26, 30, 34 + 8] {
      var bytes = whole
      bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      let found = properties(bytes).coordinate != nil
      #expect(found == (place == 30), "at \(place)")
    }
  }

  @Test func `a truncated file gives a position only if all of it is present`() {
    let whole = file([PSDFile.Resource(1036, [1, 2, 3]), PSDFile.Resource(1058, block.tiff)])
    let wanted = whole.count - 6 - block.tiff.count % 2 - block.tiff.count + block.layout.valuesEnd
    for length in 0..<whole.count {
      let photo = properties(Array(whole[..<length]))
      #expect((photo.coordinate != nil) == (length >= wanted), "\(length) bytes")
    }
  }

  @Test(arguments: [0, 3] as [UInt16])
  func `another version is an unknown format`(version: UInt16) {
    #expect(reading(file([], version: version)).malformation != nil)
  }
}
