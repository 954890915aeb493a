import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct ShotRuleTests {
  private func shots(_ rows: ShotRow...) -> [[String]] { PhotoIndex(rows).shotPaths }

  // MARK: - Names

  @Test func `a RAW file, its JPEG, a movie and an edited copy are one shot, original first`() {
    let paths = shots(
      ShotRow("IMG_1234.MOV").later(-3), ShotRow("IMG_1234.DNG"), ShotRow("IMG_1234.HEIC"),
      ShotRow("IMG_E1234.JPG"), ShotRow("IMG_1234.AVI.LRV"), ShotRow("IMG_1235.HEIC"))
    #expect(
      paths == [
        ["IMG_1234.HEIC", "IMG_1234.DNG", "IMG_E1234.JPG", "IMG_1234.MOV", "IMG_1234.AVI.LRV"]
      ])
  }

  @Test func `two pictures with the same name and time are one shot`() {
    #expect(shots(ShotRow("a.HEIC"), ShotRow("a.JPG")) == [["a.HEIC", "a.JPG"]])
  }

  @Test(arguments: [
    ["IMG_4411.HEIC", "IMG_4411_HEIC.MOV"], ["IMG_4411.HEIC", "IMG_4411.HEIC.MOV"],
    ["DSC_1001.dng", "DSC_1001-Enhanced-NR.dng"], ["DSC_1001.jpg", "HDR_DSC_1001.jpg"],
    [
      "PXL_20220714_193055187.LONG_EXPOSURE-01.COVER.jpg",
      "PXL_20220714_193055187.LONG_EXPOSURE-02.ORIGINAL.jpg",
    ],
    ["PXL_20220714_193055187.jpg", "PXL_20220714_193055187.NIGHT-01.COVER.jpg"],
    ["DSC_1001.jpg", "DSC_1001-Schwarzweiß.jpg"], ["DSC_1001-left.jpg", "DSC_1001-right.jpg"],
    ["Beach.jpg", "Beach-Enhanced.dng"],
  ])
  func `files of one moment and camera are one shot, whatever their marks are`(
    _ names: [String]
  ) {
    let rows = names.map { ShotRow($0) }
    #expect(PhotoIndex(rows).shotCount == 1)
    #expect(PhotoIndex([rows[0], rows[1].later(60)]).shotCount == 2)
    #expect(PhotoIndex([rows[0], rows[1].north(200)]).shotCount == 2)
    // A date without a time is stored as its midnight, so equal days of scans mean no equal time.
    #expect(PhotoIndex(rows.map { $0.later(6400, offset: nil) }).shotCount == 2)
    var other = rows[1]
    other.model = "Two"
    #expect(PhotoIndex([rows[0], other]).shotCount == 2)
  }

  @Test(arguments: [
    ["DSC_0101.jpg", "DSC_0102.jpg"], ["IMG_1.jpg", "IMG_1_01.jpg"], ["IMG_1.jpg", "IMG_1(1).jpg"],
    ["IMG_20220714_193055_BURST001.jpg", "IMG_20220714_193055_BURST002.jpg"],
    ["IMG_1234.jpg", "IMG_1234_BURST_01.jpg", "IMG_1234_BURST_02.jpg"],
    ["00001IMG_00001_BURST20220714193055_COVER.jpg", "00002IMG_00002_BURST20220714193055.jpg"],
    ["album.cover.jpg", "album.original.jpg"], ["DSC_1001_A.jpg", "DSC_1001_B.jpg"],
    ["Sunset.jpg", "Sunrise.jpg"],
  ])
  func `files of one moment whose names differ in a number, or only look alike, are not one shot`(
    _ names: [String]
  ) {
    #expect(PhotoIndex(names.map { ShotRow($0) }).shotPaths.isEmpty)
  }

  @Test func `a reused name at another time is another shot`() {
    #expect(shots(ShotRow("a.HEIC"), ShotRow("a.JPG").later(6)).isEmpty)
    #expect(shots(ShotRow("a.NEF"), ShotRow("a.JPG").later(86_400)).isEmpty)
    #expect(
      shots(ShotRow("a.NEF").later(0, offset: nil), ShotRow("a.JPG").later(3600, offset: nil))
        .isEmpty)
    let four = shots(
      ShotRow("a.NEF"), ShotRow("a.JPG").later(60), ShotRow("a.MOV").later(58),
      ShotRow("a-edited.jpg"))
    #expect(four == [["a.NEF", "a-edited.jpg"], ["a.JPG", "a.MOV"]])
  }

  @Test func `files of a shot are at most 5 s and 100 m apart`() {
    #expect(shots(ShotRow("a.DNG"), ShotRow("a.JPG").later(5)).count == 1)
    #expect(shots(ShotRow("a.DNG"), ShotRow("a.JPG").later(5.001)).isEmpty)
    #expect(shots(ShotRow("a.DNG"), ShotRow("a.JPG").north(99)).count == 1)
    #expect(shots(ShotRow("a.DNG"), ShotRow("a.JPG").north(101)).isEmpty)
    #expect(shots(ShotRow("a.DNG").undated, ShotRow("a.JPG").north(101)).isEmpty)
  }

  @Test func `a time without a UTC offset matches one with an offset`() {
    // The same clock: the offset is known of one file only.
    #expect(shots(ShotRow("a.DNG").later(7200, offset: nil), ShotRow("a.JPG")).count == 1)
    #expect(shots(ShotRow("a.DNG").later(7200 - 900, offset: nil), ShotRow("a.JPG")).isEmpty)
    // Local time, and a movie's or Takeout's UTC: so many quarters of an hour.
    let picture = ShotRow("a.JPG").later(20_700, offset: nil)
    #expect(shots(picture, ShotRow("a.MP4").later(3, offset: nil)).count == 1)
    #expect(shots(picture, ShotRow("a-edited.jpg").later(0, offset: nil)).count == 1)
    #expect(shots(picture, ShotRow("a.MP4").later(100, offset: nil)).isEmpty)
    #expect(shots(picture, ShotRow("a.MP4").later(20_700 + 54_000, offset: nil)).isEmpty)
    #expect(shots(picture, ShotRow("a.HEIC").later(0, offset: nil)).isEmpty)
  }

  @Test func `extreme times do not overflow`() {
    func row(_ path: String, _ milliseconds: Int64, _ offset: Int?) -> ShotRow {
      var row = ShotRow(path)
      row.captured = CaptureTime(
        instant: Instant(millisecondsSince1970: milliseconds), utcOffsetMinutes: offset)
      return row
    }
    for offset in [nil, -720, 840] {
      #expect(shots(row("a.JPG", .min, nil), row("a.MOV", .max, offset)).isEmpty)
      #expect(shots(row("a.JPG", .max, offset), row("a.MOV", .max, offset)).count == 1)
    }
  }

  @Test func `an undated photo belongs to the only nearby shot of its name`() {
    #expect(shots(ShotRow("a.NEF"), ShotRow("a.JPG").undated) == [["a.JPG", "a.NEF"]])
    #expect(shots(ShotRow("a.NEF").undated, ShotRow("a.JPG").undated).count == 1)
    let three = shots(ShotRow("a.NEF"), ShotRow("a.JPG").later(60), ShotRow("a.MOV").undated)
    #expect(three.isEmpty)
    let near = shots(
      ShotRow("a.NEF").north(500), ShotRow("a.JPG").later(60), ShotRow("a.MOV").undated)
    #expect(near == [["a.JPG", "a.MOV"]])
  }

  @Test func `a file without a position belongs to the only shot of its name`() {
    let paths = shots(
      ShotRow("a.NEF").unlocated, ShotRow("a.JPG"), ShotRow("a.MOV").unlocated,
      ShotRow("a-edited.jpg").unlocated)
    #expect(paths == [["a.JPG", "a.NEF", "a-edited.jpg", "a.MOV"]])
    #expect(shots(ShotRow("a.PNG").unlocated, ShotRow("a.JPG")).isEmpty)
    #expect(shots(ShotRow("a.NEF").unlocated, ShotRow("a.JPG").unlocated).isEmpty)
    #expect(
      shots(ShotRow("a.MOV").unlocated, ShotRow("a.JPG"), ShotRow("a.HEIC").later(60)).isEmpty)
    #expect(shots(ShotRow("A/a.NEF").unlocated, ShotRow("B/a.JPG")).isEmpty)
  }

  @Test func `equal names in different folders do not join files`() {
    #expect(shots(ShotRow("A/a.NEF", size: 1), ShotRow("B/a.JPG", size: 2)).isEmpty)
  }

  @Test func `more than 64 files with the same name are not joined`() {
    // Each letter in either case: 128 names that are equal when case is ignored.
    let rows = (0..<128).map { number in
      let letters = (0..<7).map { number >> $0 & 1 == 0 ? "a" : "A" }
      return ShotRow(letters.joined() + ".jpg", size: Int64(number))
    }
    #expect(PhotoIndex(rows).shotPaths.isEmpty)
    #expect(PhotoIndex(Array(rows.prefix(64))).shotPaths.map(\.count) == [64])
  }

  // MARK: - Copies

  @Test func `a copied folder has the same shots, whatever the names`() {
    let paths = shots(
      ShotRow("A/a.jpg", size: 1), ShotRow("A/b.jpg", size: 2), ShotRow("B/a.jpg", size: 1),
      ShotRow("B/c.jpg", size: 2), ShotRow("C/d/a.jpg", size: 1))
    #expect(paths == [["A/a.jpg", "B/a.jpg", "C/d/a.jpg"], ["A/b.jpg", "B/c.jpg"]])
  }

  @Test func `a copy has equal size, time, position and camera`() {
    let photo = ShotRow("A/a.jpg")
    #expect(shots(photo, ShotRow("B/a.jpg")).count == 1)
    #expect(shots(photo, ShotRow("B/a.jpg", size: 4_000_001)).isEmpty)
    #expect(shots(photo, ShotRow("B/a.jpg").later(0.001)).isEmpty)
    #expect(shots(photo, ShotRow("B/a.jpg").north(0.001)).isEmpty)
    #expect(shots(photo, ShotRow("B/a.jpg").undated).isEmpty)
    var other = ShotRow("B/a.jpg")
    other.model = "Two"
    #expect(shots(photo, other).isEmpty)
  }

  @Test func `an undated copy must have the original's name`() {
    let scan = ShotRow("A/a.jpg").undated
    #expect(shots(scan, ShotRow("B/a.jpg").undated) == [["A/a.jpg", "B/a.jpg"]])
    #expect(shots(scan, ShotRow("B/b.jpg").undated).isEmpty)
    #expect(shots(scan, ShotRow("B/a (1).jpg").undated).count == 1)
  }

  @Test func `burst photos of equal size stay separate, also in a backup`() {
    #expect(shots(ShotRow("A/1.NEF"), ShotRow("A/2.NEF"), ShotRow("A/3.NEF")).isEmpty)
    let backup = shots(
      ShotRow("A/1.NEF"), ShotRow("A/2.NEF"), ShotRow("A/3.NEF"), ShotRow("B/3.NEF"),
      ShotRow("B/1.NEF"))
    #expect(backup == [["A/1.NEF", "B/1.NEF"], ["A/3.NEF", "B/3.NEF"]])
    let renamed = shots(
      ShotRow("A/1.NEF"), ShotRow("A/2.NEF"), ShotRow("A/3.NEF"), ShotRow("B/x.NEF"),
      ShotRow("B/y.NEF"), ShotRow("B/3.NEF"), ShotRow("B/z.NEF"))
    #expect(
      renamed == [["A/1.NEF", "B/x.NEF"], ["A/2.NEF", "B/y.NEF"], ["A/3.NEF", "B/3.NEF"]])
  }

  @Test func `a copy in the same folder is recognised by its name`() {
    let paths = shots(
      ShotRow("A/1.NEF"), ShotRow("A/1 (1).NEF"), ShotRow("A/1 - Copy.NEF"), ShotRow("A/2.NEF"),
      ShotRow("A/2(1).NEF"), ShotRow("B/1 copy.NEF"))
    #expect(paths == [["A/1 (1).NEF", "A/1 - Copy.NEF", "A/1.NEF", "B/1 copy.NEF"]])
    // The JPEG of a browser's second download belongs to the same shot.
    let pair = shots(
      ShotRow("1.NEF", size: 9), ShotRow("1 (1).NEF", size: 9), ShotRow("1.JPG"),
      ShotRow("1 (1).JPG"))
    #expect(pair == [["1 (1).JPG", "1.JPG", "1 (1).NEF", "1.NEF"]])
  }

  @Test func `copies join whole shots, including the files joined by name`() {
    let paths = shots(
      ShotRow("A/a.JPG"), ShotRow("A/a.NEF", size: 9), ShotRow("B/a.JPG"),
      ShotRow("B/a.MOV", size: 7), ShotRow("C/x.NEF", size: 9), ShotRow("C/x.XMP.TIF", size: 8),
      ShotRow("B/a.DNG").unlocated)
    #expect(
      paths == [
        ["A/a.JPG", "B/a.JPG", "C/x.XMP.TIF", "A/a.NEF", "C/x.NEF", "B/a.MOV", "B/a.DNG"]
      ])
  }

  @Test func `copies never join two photos of the same folder`() {
    // The RAW files have equal sizes, and their JPEG files distinguish them; the backup holds the
    // second, renamed.
    let burst = [
      ShotRow("A/1.NEF", size: 9), ShotRow("A/1.JPG", size: 1), ShotRow("A/2.NEF", size: 9),
      ShotRow("A/2.JPG", size: 2), ShotRow("B/x.NEF", size: 9), ShotRow("B/x.JPG", size: 2),
    ]
    #expect(
      PhotoIndex(burst).shotPaths
        == [["A/1.JPG", "A/1.NEF"], ["A/2.JPG", "B/x.JPG", "A/2.NEF", "B/x.NEF"]])
    // Even if the copies contradict each other.
    let crossed = PhotoIndex([
      ShotRow("A/1.JPG", size: 1), ShotRow("A/2.JPG", size: 2), ShotRow("B/x.JPG", size: 1),
      ShotRow("B/x.TIF", size: 2),
    ])
    #expect(crossed.shotPaths == [["A/1.JPG", "B/x.JPG", "B/x.TIF"]] && crossed.shotCount == 2)
  }

  @Test func `a photo copied into 3000 folders is one shot`() {
    let rows = (0..<3000).map { ShotRow("\($0)/a.jpg") } + [ShotRow("0/b.jpg")]
    let index = PhotoIndex(rows)
    #expect(index.shotPaths.map(\.count) == [3000])
    #expect(index.shotCount == 2 && index.furtherFileCount == 2999)
  }

  // MARK: - The representative file of a shot

  @Test func `files added to a shot do not change its spot's id or counts`() {
    let original = [ShotRow("M/a.HEIC"), ShotRow("M/b.HEIC", size: 5).later(60)]
    let before = PhotoIndex(original).spots(clusterRadius: 15)
    let additions = [
      [ShotRow("M/a.DNG").north(3).later(-1)], [ShotRow("M/a-edited.jpg").north(-3)],
      [ShotRow("M/a.MOV").later(-3).north(2)], [ShotRow("M/a.CR3").unlocated],
      [ShotRow("A/a.HEIC"), ShotRow("A/b.HEIC", size: 5).later(60)], [ShotRow("Z/a.HEIC")],
      [ShotRow("M/a copy.HEIC")],
    ]
    for added in additions + [additions.flatMap { $0 }] {
      let after = PhotoIndex(original + added).spots(clusterRadius: 15)
      #expect(after.map(\.id) == before.map(\.id))
      #expect(after.map(\.photoCount) == [2])
      #expect(after.map(\.coordinate) == before.map(\.coordinate))
      #expect(after.map(\.firstCaptured) == before.map(\.firstCaptured))
    }
  }

  @Test func `a shot has the best rating of its files, and is a favourite if one of them is`() {
    var edited = ShotRow("a-edited.jpg")
    (edited.rating, edited.isFavorite) = (5, true)
    var raw = ShotRow("a.DNG")
    raw.rating = 2
    let index = PhotoIndex([ShotRow("a.JPG"), raw, edited, ShotRow("b.JPG").later(60)])
    let spots = index.spots(clusterRadius: 15)
    #expect(spots.map(\.photoCount) == [2] && spots.map(\.favoriteCount) == [1])
    #expect(spots.first?.cover == "/photos/a.JPG")
    for photo in 0..<3 {
      let shot = index.shot(at: photo)
      #expect(shot.photo.path == "/photos/a.JPG" && shot.photo.rating == 5)
      #expect(shot.photo.isFavorite)
      #expect(shot.files == ["/photos/a.JPG", "/photos/a.DNG", "/photos/a-edited.jpg"])
    }
    #expect(index.shot(at: 3).files == ["/photos/b.JPG"])
    #expect(index.photo(at: 0).rating == 5 && index.photo(at: 2).rating == nil)
  }

  @Test func `a spot's cover is a picture if it has one`() {
    func cover(_ rows: ShotRow...) -> String? {
      PhotoIndex(rows).spots(clusterRadius: 15).first?.cover?.lastComponent?.string
    }
    #expect(cover(ShotRow("a.JPG"), ShotRow("b.MOV").later(60)) == "a.JPG")
    #expect(cover(ShotRow("a.NEF"), ShotRow("a.JPG").unlocated) == "a.JPG")
    #expect(cover(ShotRow("a.NEF"), ShotRow("a-edited.jpg")) == "a-edited.jpg")
    #expect(cover(ShotRow("a.NEF"), ShotRow("b.MOV").later(60)) == "a.NEF")
    #expect(
      cover(ShotRow("a.JPG"), ShotRow("c.JPG").later(9), ShotRow("b.NEF").later(60)) == "c.JPG")
    var best = ShotRow("a.NEF")
    best.rating = 4
    #expect(cover(best, ShotRow("b.JPG").later(60)) == "a.NEF")
  }

  @Test(arguments: ["b.MOV", "b.psd", "b.TIF", "b.jxl", "b.jp2"])
  func `a spot's cover is a file that browsers show, whatever the rating`(other: String) {
    func cover(_ rows: ShotRow...) -> String? {
      PhotoIndex(rows).spots(clusterRadius: 15).first?.cover?.lastComponent?.string
    }
    var rated = ShotRow(other).later(60)
    rated.rating = 5
    for shown in ["a.JPG", "a.png", "a.webp", "a.avif", "a.NEF"] {
      #expect(cover(ShotRow(shown), rated) == shown)
    }
    // The files of one shot.
    #expect(cover(ShotRow("b.JPG"), rated) == "b.JPG")
    // None is shown, so that the rating decides, and only then the kind of file.
    #expect(cover(rated, ShotRow("c.tif").later(-60)) == other)
    #expect(cover(ShotRow("b.MOV").later(60), ShotRow("c.tif").later(-60)) == "c.tif")
  }

  @Test func `a shot is in the albums of all its files`() {
    let index = PhotoIndex([ShotRow("2024/a.jpg"), ShotRow("Best of/a.jpg"), ShotRow("2024/b.NEF")])
    for (album, isIn) in [("2024", true), ("Best of", true), ("Best", false)] {
      let filter = PhotoFilter(albums: [Array(album.utf8)])
      #expect(filter.accepts(index.shot(at: 0)) == isIn, "\(album)")
    }
    #expect(!PhotoFilter(albums: [Array("Best of".utf8)]).accepts(index.shot(at: 1)))
  }
}
