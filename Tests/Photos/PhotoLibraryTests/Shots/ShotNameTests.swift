import Testing

@testable import PhotoLibrary

@Suite struct ShotNameTests {
  private func name(_ text: String) -> (ShotName, [UInt8]) {
    // Embedded between other names, so that reading beyond the name's range is noticed.
    let names = Array("x-edited.jpg".utf8) + Array(text.utf8) + Array("-edited(1).jpg".utf8)
    return (ShotName(12..<12 + text.utf8.count, in: names), names)
  }

  private func haveOneCore(_ one: String, _ other: String) -> Bool {
    let names = Array(one.utf8) + Array(other.utf8)
    let first = ShotName(0..<one.utf8.count, in: names)
    let second = ShotName(one.utf8.count..<names.count, in: names)
    let areEqual = first.hasCore(of: second, in: names)
    #expect(areEqual == second.hasCore(of: first, in: names))
    if areEqual { #expect(first.hashOfCore(in: names) == second.hashOfCore(in: names)) }
    return areEqual
  }

  @Test(arguments: [
    ("IMG_1.JPG", "IMG_1.CR2"), ("IMG_1.HEIC", "img_1.mov"), ("IMG_1.HEIC", "IMG_1_HEVC.MOV"),
    ("IMG_1(1).HEIC", "IMG_1(1).MP4"), ("IMG_1.jpg", "IMG_1-edited.jpg"),
    ("IMG_1(1).jpg", "IMG_1-edited(1).jpg"), ("IMG_1.jpg", "IMG_1-bearbeitet.jpg"),
    ("IMG_1.jpg", "IMG_1-изменено.jpg"), ("IMG_1.jpg", "IMG_1-编辑.jpg"),
    ("IMG_1234.HEIC", "IMG_E1234.JPG"), ("IMG_1234.MOV", "IMG_E1234.MOV"),
    ("IMG_1234 (1).HEIC", "IMG_E1234 (1).JPG"), ("IMG_1.jpeg", "IMG_1_edited.jpeg"),
    ("DSC_1.NEF", "DSC_1-Edit.tif"), ("PXL_20250907_1.jpg", "PXL_20250907_1~2.jpg"),
    ("PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-02.ORIGINAL.dng"), ("PXL_1.MP.jpg", "PXL_1.MP"),
    ("PXL_1.RAW-01.MP.COVER.jpg", "PXL_1.dng"), ("PXL_1.MP.jpg", "PXL_1.dng"),
    ("PXL_1.PORTRAIT-01.COVER.jpg", "PXL_1.PORTRAIT-02.ORIGINAL.jpg"), ("IMG_1", "IMG_1.jpg"),
    ("a.b.jpg", "a.b.dng"), ("PXL_20250907_1.MP.jpg", "PXL_20250907_1.MP~2.jpg"),
    ("PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-01.COVER-edited.jpg"),
    ("PXL_1.MP(1).jpg", "PXL_1.MP-edited(1).jpg"), ("PXL_1.MP(1).jpg", "PXL_1(1).MP"),
  ])
  func `the file names of one shot have the same core`(one: String, other: String) {
    #expect(haveOneCore(one, other))
  }

  @Test(arguments: [
    ("IMG_1.JPG", "IMG_2.JPG"), ("IMG_1.jpg", "IMG_1(1).jpg"), ("IMG_1.jpg", "IMG_1 (1).jpg"),
    ("IMG_1.jpg", "IMG_1_01.jpg"), ("IMG_1.jpg", "IMG_1-2.jpg"), ("IMG_1.jpg", "IMG_1-edited2.jpg"),
    ("IMG_1(1).jpg", "IMG_1-edited(2).jpg"), ("IMG_1.jpg", "IMG_1-editedx.jpg"),
    ("IMG_1.HEIC", "IMG_1_HEVC.HEIC"), ("DSC_00.JPG", "DSC_00~1.JPG"),
    ("PXL_20250907_1.jpg", "PXL_20250907_1~abc.jpg"), ("IMG_123.JPG", "IMG_E123.JPG"),
    ("album.jpg", "album.cover.jpg"), ("PXL_1.NIGHT.jpg", "PXL_1.jpg"), ("a.b.jpg", "a.jpg"),
    ("PXL_1.RAW-1.COVER.jpg", "PXL_1.jpg"), ("MG_1.jpg", "IMG_1.jpg"), ("IMG_1.jpg", "IMG_12.jpg"),
    ("IMG_1.jpg", "_MG_1.jpg"), ("é.jpg", "É.jpg"),
  ])
  func `the file names of different shots have different cores`(one: String, other: String) {
    #expect(!haveOneCore(one, other))
  }

  @Test func `edited copies are distinguished from originals`() {
    let edited = [
      "a-edited.jpg", "a-Edited.JPG", "a-edited(3).jpg", "a-수정됨.jpg", "IMG_E1234.HEIC",
      "a_edited.jpeg", "a-Edit.psd.tif", "a-edit.tif", "PXL_20250907_1~2.jpg",
      "PXL_20250907_1.MP~2.jpg",
    ].map { ($0, name($0).0.isEdited) }
    #expect(edited.filter { !$0.1 }.map(\.0) == ["a-Edit.psd.tif"])
    for other in [
      "-edited.jpg", "edited.jpg", "a-edited-.jpg", "credited.jpg", "IMG_EDIT1.jpg", "a~1.jpg",
      "~1",
      "a-", "-", "~", "_", "a~.jpg", "()", "(1)", "-edited", "-edited(1).jpg", "IMG_E123.jpg",
      "IMG_E",
    ] {
      #expect(!name(other).0.isEdited, "\(other)")
    }
  }

  @Test(arguments: [
    ("a (1).jpg", "a.jpg"), ("A (12).JPG", "a.jpg"), ("a copy.jpg", "a.jpg"),
    ("a copy 2.jpg", "a.jpg"), ("a - Copy.jpg", "a.jpg"), ("a - Copy (2).jpg", "a.jpg"),
    ("a - Kopie.jpg", "a.jpg"), ("a copie.jpg", "a.jpg"), ("a - копия.jpg", "a.jpg"),
    ("Copy of a.jpg", "a.jpg"), ("a b 3.jpg", "a b 3.jpg"), ("a(1).jpg", "a(1).jpg"),
    ("copy.jpg", "copy.jpg"), (" copy.jpg", " copy.jpg"), ("acopy.jpg", "acopy.jpg"),
    (" (1).jpg", " (1).jpg"), ("a (b).jpg", "a (b).jpg"), ("a", "a"),
    ("copy of .jpg", "copy of .jpg"),
    ("a () .jpg", "a () .jpg"), (" - copy.jpg", " - copy.jpg"), ("a copy", "a"),
  ])
  func `the original's name is derived from a copy's name`(copy: String, original: String) {
    let names = Array("x (1)".utf8) + Array(copy.utf8) + Array(" copy.jpg".utf8)
    let name = CopyName.original(of: 5..<5 + copy.utf8.count, in: names)
    #expect(String(decoding: name, as: UTF8.self) == original)
  }
}
