import CLibrary
import CivilTime
import PhotoMetadata
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Every entry that a scan meets ends in one counter.
@Suite struct EntryCountTests {
  @Test func `the counters of a scan add up to the entries of its folders`() throws {
    var library = try Library()
    let photos = library.photos
    try library.add("a.jpg", 1)
    let files: [(name: String, content: [UInt8])] = [
      ("b.jpg", photoWithoutPosition), ("empty.jpg", []), ("text.jpg", Array("text".utf8)),
      ("cut.heic", Array("....ftypheic".utf8)), ("note", Array("text".utf8)),
      ("note.txt", Array("text".utf8)), ("a.jpg.xmp", Array("<x:xmpmeta/>".utf8)),
      ("gone.xmp", []), ("gone.jpg.json", []), ("settings.json", Array("{}".utf8)),
      (".hidden.jpg", photoWithoutPosition), ("sub/c.png", photoWithoutPosition),
      ("sub/skipped/d.jpg", photoWithoutPosition), ("@eaDir/e.jpg", photoWithoutPosition),
      ("new.jpg", photoWithoutPosition),
    ]
    for file in files {
      try library.folder.write(file.content, to: photos.appending(file.name))
      try library.folder.setModified(photos.appending(file.name), seconds: 1_700_000_000)
    }
    #expect(symlink("a.jpg", photos.appending("link.jpg").string) == 0)
    #expect(mkfifo(photos.appending("pipe.jpg").string, 0o600) == 0)
    let now = Int(library.now.millisecondsSince1970 / 1000) + 60
    try library.folder.setModified(photos.appending("new.jpg"), seconds: now)

    var settings = PhotoIndexer.Settings(excludes: ["skipped"])
    settings.settleSeconds = 2
    for isKnown in [false, true] {
      let report = try library.scan(settings: settings)
      let entries = report.entries
      #expect(entries.sum == entries.met)
      // The names written, the folders sub, sub/skipped and @eaDir, the link and the FIFO, without
      // what is in folders that are not walked.
      #expect(entries.met == 1 + files.count - 2 + 3 + 2)
      #expect(entries.sidecars == 1 && entries.unowned == 2 && entries.otherFiles == 2)
      #expect(entries.folders == 1 && entries.excluded == 2 && entries.hidden == 1)
      #expect(entries.notFiles == 2 && entries.failed == 0 && entries.vanished == 0)
      #expect(report.unsettled == (isKnown ? 0 : 1))
      #expect(entries.candidates == report.files.photos + report.files.notPhotos + report.unsettled)
      #expect(report.files.notPhotos == 1 && report.unreadable == report.files.unreadable)
      #expect(library.index.fileCounts == report.files)
    }
  }
}
