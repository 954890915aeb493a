import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Photos of which only the name has a date.
@Suite struct NamedDateIndexingTests {
  private let withoutDate = JPEGFile(
    ExifBlock(gps: ExifBlock.position(latitude: 10, longitude: 20))
  ).bytes

  private func captured(_ index: PhotoIndex) -> [String?] {
    (0..<index.photoCount).map { index.photo(at: $0).captured?.localISO8601 }
  }

  @Test func `a photo without a date has the day of its name, across saving and rescans`() throws {
    var library = try Library()
    try library.folder.write(withoutDate, to: library.photos.appending("IMG-20190511-WA0001.jpg"))
    try library.add("IMG_20180203_040506.jpg", 7)
    var report = try library.scan()
    #expect(captured(library.index) == ["2019-05-11", "2024-04-13T20:34:30.000"])
    #expect(report.datedByName == 1)
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    try cache.save(library.index, clusterRadius: 15)
    library.index = try #require(try cache.load())
    report = try library.scan()
    #expect(report.filesRead == 0 && report.datedByName == 1)
    let opened = try #require(try cache.open(clusterRadius: 15)?.index)
    #expect(captured(opened) == ["2019-05-11", "2024-04-13T20:34:30.000"])
    let first = opened.spots(clusterRadius: 15).map { $0.firstCaptured?.localISO8601 }
    #expect(first.contains("2019-05-11"))
  }

  @Test func `a renamed photo has the day of its new name, and keeps its spot's id`() throws {
    var library = try Library()
    let old = library.photos.appending("IMG-20190511-WA0001.jpg")
    try library.folder.write(withoutDate, to: old)
    try library.scan()
    let id = library.index.spots(clusterRadius: 15)[0].id
    let new = library.photos.appending("IMG-20200102-WA0001.jpg")
    try library.folder.move(old, to: new)
    var report = try library.scan()
    #expect(report.moved == 1 && captured(library.index) == ["2020-01-02"])
    try library.folder.move(new, to: library.photos.appending("beach.jpg"))
    report = try library.scan()
    #expect(report.moved == 1 && report.datedByName == 0 && captured(library.index) == [nil])
    #expect(library.index.spots(clusterRadius: 15)[0].id == id)
  }

  @Test func `the setting takes effect with the next scan, and costs no reading later`() throws {
    var library = try Library()
    try library.folder.write(withoutDate, to: library.photos.appending("20190511_123456.jpg"))
    try library.folder.write(
      photoWithoutPosition, to: library.photos.appending("20190512_123456.jpg"))
    var off = PhotoIndexer.Settings()
    off.datesFromNames = false
    for _ in 0..<2 {
      #expect(try library.scan(settings: off).filesRead == 2)
      #expect(captured(library.index) == [nil])
      #expect(try library.scan(settings: off).filesRead == 0)
      let report = try library.scan()
      #expect(report.filesRead == 2 && report.datedByName == 2)
      #expect(captured(library.index) == ["2019-05-11"])
      #expect(try library.scan().filesRead == 0)
    }
  }

  @Test func `a partial date in the metadata puts the day of the name aside, without rereading`()
    throws
  {
    let partial = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="1965"/></rdf:RDF></x:xmpmeta>
      """.utf8)
    var library = try Library()
    for name in ["scan_20190511.jpg", "nowhere_20190511.jpg"] {
      try library.folder.write(
        name.hasPrefix("s") ? withoutDate : photoWithoutPosition,
        to: library.photos.appending(name))
      try library.folder.write(partial, to: library.photos.appending(name + ".xmp"))
    }
    #expect(try library.scan().datedByName == 0)
    #expect(captured(library.index) == [nil])
    #expect(try library.scan().filesRead == 0)
  }

  @Test func `the day of a name is no evidence of one shot, of a copy or of a track`() throws {
    var library = try Library()
    // Two messages of one day from one place are two photos.
    for (number, name) in ["IMG-20190511-WA0001.jpg", "IMG-20190511-WA0002.jpg"].enumerated() {
      try library.folder.write(
        withoutDate + Array(repeating: 0, count: number), to: library.photos.appending(name))
    }
    try library.folder.write(
      photoWithoutPosition, to: library.photos.appending("IMG-20190511-WA0003.jpg"))
    try library.scan()
    #expect(library.index.shotCount == 2)
    let unlocated = try #require(library.index.unlocatedPhotos.first)
    #expect(unlocated.captured == nil)
    // Once it has a position, it has the day too.
    let here = GivenPosition(Coordinate(latitude: 48, longitude: 2)!, source: .imported)
    #expect(library.index.assign([(photo: unlocated, position: here)]) == 1)
    #expect(captured(library.index) == ["2019-05-11", "2019-05-11", "2019-05-11"])
    // It is known by its content, so another picture of the same name loses the position.
    try library.folder.write(
      photoWithoutPosition + [0], to: library.photos.appending("IMG-20190511-WA0003.jpg"))
    #expect(try library.scan().droppedPositions.count == 1)
  }
}
