import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Copies that only their content shows.
@Suite struct ContentCopyTests {
  private func photo(_ model: String, dated: Bool = true) -> [UInt8] {
    let time = [ExifBlock.Entry(0x9003, .ascii("2024:04:13 20:34:30"))]
    return JPEGFile(
      ExifBlock(
        image: [.init(0x10F, .ascii("Maker")), .init(0x110, .ascii(model))],
        exif: dated ? time : [])
    ).bytes
  }

  private func takeout(_ latitude: Double, title: String = "") -> [UInt8] {
    Array(
      """
      {"title": "\(title)", "geoData": {"latitude": \(latitude), "longitude": 20.0}, \
      "photoTakenTime": {"timestamp": "1500000000"}}
      """.utf8)
  }

  @Test func `a copy without the sidecar, and with another name, is of the photo's shot`() throws {
    for dated in [true, false] {
      var library = try Library()
      try library.folder.write(photo("M1", dated: dated), to: library.photos.appending("a/1.jpg"))
      try library.folder.write(takeout(10), to: library.photos.appending("a/1.jpg.json"))
      try library.folder.write(photo("M1", dated: dated), to: library.photos.appending("b/x.jpg"))
      // Of the same size, with other content.
      try library.folder.write(photo("M2", dated: dated), to: library.photos.appending("b/y.jpg"))
      try library.scan()
      #expect(library.index.shotCount == 1 && library.index.furtherFileCount == 1)
      let files = library.index.shot(at: 0).otherFiles.map { $0.lastComponent?.string }
      #expect(files == ["x.jpg"])
      // Known without reading, and gone with the copy.
      #expect(try library.scan().filesRead == 0)
      #expect(library.index.furtherFileCount == 1)
      library.folder.remove(library.photos.appending("b/x.jpg"))
      try library.scan()
      #expect(library.index.furtherFileCount == 0)
    }
  }

  @Test func `equal files of one folder are of one shot if their names are related`() throws {
    let copies = [
      "IMG_1.jpg", "IMG_1 (1).jpg", "IMG_1(2).jpg", "IMG_1 copy.jpg", "IMG_1_copy.jpg",
      "IMG_1 (another copy).jpg", "IMG_1 (3rd copy).jpg", "IMG_1 - コピー.jpg",
      "Kopie von IMG_1.jpg", "IMG_1.sync-conflict-20230101-120000-ABCDEFG.jpg",
    ]
    for dated in [true, false] {
      var library = try Library()
      for name in copies {
        try library.folder.write(photo("M1", dated: dated), to: library.photos.appending(name))
      }
      // Only one has a position.
      try library.folder.write(takeout(10), to: library.photos.appending("IMG_1.jpg.json"))
      try library.scan()
      #expect(library.index.shotCount == 1)
      #expect(library.index.furtherFileCount == copies.count - 1)
      #expect(try library.scan().filesRead == 0)
      #expect(library.index.furtherFileCount == copies.count - 1)
    }
  }

  @Test func `files of one folder with the names of copies and other contents stay apart`() throws {
    var library = try Library()
    // Of equal size, time, place and camera.
    func frame(_ comment: String) -> [UInt8] {
      let block = ExifBlock(
        image: [.init(0x10F, .ascii("Maker"))],
        exif: [.init(0x9003, .ascii("2024:04:13 20:34:30"))],
        gps: ExifBlock.position(latitude: 10, longitude: 20))
      return JPEGFile([.exif(block.tiff), .segment(marker: 0xFE, Array(comment.utf8))]).bytes
    }
    for (name, comment) in [
      ("Beach (1).jpg", "a"), ("Beach (2).jpg", "b"), ("Beach (3).jpg", "c"), ("1.jpg", "d"),
      ("1 (1).jpg", "d"), ("1 (2).jpg", "e"),
    ] {
      try library.folder.write(frame(comment), to: library.photos.appending(name))
    }
    try library.scan()
    #expect(library.index.shotCount == 5)
    let files = library.index.shot(at: 0)
    #expect(files.otherFiles.map { $0.lastComponent?.string } == ["1.jpg"])
  }

  @Test func `equal files of one folder with unrelated names stay apart`() throws {
    var library = try Library()
    for folder in ["a", "b"] {
      try library.add("\(folder)/IMG_1.jpg", 1)
      try library.add("\(folder)/beach.jpg", 1)
    }
    try library.scan()
    #expect(library.index.photoCount == 4 && library.index.shotCount == 2)
  }

  @Test func `copies to which sidecars give two places stay apart, and a third joins neither`()
    throws
  {
    var library = try Library()
    for (folder, latitude) in [("a", 10.0), ("b", 50.0)] {
      try library.folder.write(photo("M1"), to: library.photos.appending("\(folder)/1.jpg"))
      try library.folder.write(
        takeout(latitude), to: library.photos.appending("\(folder)/1.jpg.json"))
    }
    try library.folder.write(photo("M1"), to: library.photos.appending("c/other.jpg"))
    try library.scan()
    #expect(library.index.shotCount == 2 && library.index.furtherFileCount == 0)
  }

  @Test func `contents are compared only where size and other evidence allow a copy`() throws {
    var library = try Library()
    // Of one size: another time, another camera; and one of another size.
    try library.add("a/1.jpg", 1)
    for (number, time) in ["2024:04:13 20:34:31", "2024:04:13 20:34:32"].enumerated() {
      let gps = ExifBlock.position(latitude: 10.001, longitude: 20)
      let exif = [ExifBlock.Entry(0x9003, .ascii(time))]
      let image = [ExifBlock.Entry(0x10F, .ascii("Maker"))]
      try library.folder.write(
        JPEGFile(ExifBlock(image: image, exif: exif, gps: gps)).bytes,
        to: library.photos.appending("b/\(number).jpg"))
    }
    try library.folder.write(photo("M1"), to: library.photos.appending("c/1.jpg"))
    try library.scan()
    #expect(library.index.filesToCompare().isEmpty)
    #expect(library.index.shotCount == 3)
  }

  @Test func `the title in a Takeout sidecar gives a photo its position`() throws {
    var library = try Library()
    try library.folder.write(photo("M1"), to: library.photos.appending("a_b.jpg"))
    try library.folder.write(
      takeout(10, title: "a:b.jpg"), to: library.photos.appending("0815.json"))
    try library.folder.write(takeout(10), to: library.photos.appending("gone.jpg.json"))
    let report = try library.scan()
    #expect(report.files.located == 1)
    #expect(report.unowned.map { $0.lastComponent?.string } == ["gone.jpg.json"])
    #expect(try library.scan().filesRead == 0)
  }
}
