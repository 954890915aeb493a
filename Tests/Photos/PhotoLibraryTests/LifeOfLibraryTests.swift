import CLibrary
import CivilTime
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// The evidence by which files count as unchanged, moved or gone.
@Suite struct EvidenceTests {
  private static let given = GivenPosition(
    Coordinate(latitude: 43, longitude: 1.5)!, source: .imported)

  private func sidecar(_ latitude: Int) -> String {
    #"{"geoData": {"latitude": \#(latitude), "longitude": 2.0}}"#
  }

  @Test func `an edit that keeps size and modification time is read`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.add("b.jpg", 2)
    try library.scan()
    #expect(try library.scan().filesRead == 0)
    try library.add("a.jpg", 3)
    let report = try library.scan()
    #expect(report.filesRead == 1 && report.changed == 1)
    #expect(library.index.photo(at: 0).coordinate.latitude == 10.003)
  }

  @Test func `a sidecar's edit that keeps size and modification time is read`() throws {
    var library = try Library()
    try library.folder.write(JPEGFile().bytes, to: "photos/a.jpg")
    let path = library.photos.appending("a.jpg.json")
    for latitude in [48, 49] {
      try library.folder.write(sidecar(latitude), to: path)
      try library.folder.setModified(path, seconds: 1_700_000_000)
      try library.scan()
      #expect(library.index.photo(at: 0).coordinate.latitude == Double(latitude))
    }
  }

  @Test func `a file whose change time alone differs is read and counts as unchanged`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.scan()
    #expect(library.photos.appending("a.jpg").withPlatformString { chmod($0, 0o600) } == 0)
    let report = try library.scan()
    #expect(report.filesRead == 1 && report.changed == 0)
    #expect(try library.scan().filesRead == 0)
  }

  @Test func `a link in the place of a known folder or file is named, and others are counted`()
    throws
  {
    var library = try Library()
    try library.add("2018/a.jpg", 1)
    try library.add("2019/sub/b.jpg", 2)
    try library.add("2019/sub/c.jpg", 3)
    try library.scan()
    #expect(library.index.photoCount == 3)
    let away = library.folder.path("away")
    let (folder, file) = (library.photos.appending("2019"), library.photos.appending("2018/a.jpg"))
    try library.folder.move(folder, to: away)
    try library.folder.move(file, to: library.folder.path("a.jpg"))
    for (link, target) in [
      (folder, away), (file, library.folder.path("a.jpg")),
      (library.photos.appending("other.jpg"), library.folder.path("missing")),
    ] {
      let isLinked = target.withPlatformString { target in
        link.withPlatformString { symlink(target, $0) }
      }
      #expect(isLinked == 0)
    }
    let report = try library.scan()
    #expect(report.replacedByLinks.sorted { $0.string < $1.string } == [file, folder])
    #expect(report.linkCount == 3 && report.removed == 3 && report.entries.notFiles == 3)
    #expect(try library.scan().replacedByLinks.isEmpty)
  }

  @Test func `a photo that moves with another sidecar is read again`() throws {
    var library = try Library()
    for name in ["a.jpg", "b.jpg"] {
      try library.folder.write(JPEGFile().bytes, to: "photos/in/\(name)")
    }
    try library.folder.write(sidecar(48), to: "photos/in/a.jpg.json")
    try library.folder.write(sidecar(50), to: "photos/in/b.jpg.json")
    try library.scan()
    let (old, new) = (library.photos.appending("in"), library.photos.appending("album"))
    #expect(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } } == 0)
    try library.folder.write(sidecar(-12), to: "photos/album/a.jpg.json")
    let report = try library.scan()
    #expect(report.moved == 2 && report.new == 0 && report.changed == 0 && report.removed == 0)
    #expect(report.filesRead == 1)
    #expect(library.index.allPhotos.map(\.coordinate.latitude) == [-12, 50])
  }

  @Test func `a file of the same name, size and time in an unrelated folder is read`() throws {
    var library = try Library()
    try library.add("one/a.jpg", 1)
    try library.scan()
    try library.add("two/a.jpg", 2)
    library.folder.remove(library.photos.appending("one/a.jpg"))
    let report = try library.scan()
    #expect(report.filesRead == 1)
    #expect(library.index.photo(at: 0).coordinate.latitude == 10.002)
  }

  @Test(arguments: [false, true])
  func `an undated photo keeps its given position while its content is the same`(
    isReplaced: Bool
  ) throws {
    var library = try Library()
    let path = library.photos.appending("scan.jpg")
    let content = JPEGFile().bytes + [UInt8](repeating: 7, count: 200_000)
    try library.folder.write(content, to: path)
    try library.scan()
    let photo = try #require(library.index.unlocatedPhotos.first)
    #expect(library.index.assign([(photo, Self.given)]) == 1)
    var next = content
    if isReplaced { next[next.count - 1] = 8 }
    library.folder.remove(path)
    try library.folder.write(next, to: path)
    try library.folder.setModified(path, seconds: 1_600_000_000)
    let report = try library.scan()
    #expect(library.index.photoCount == (isReplaced ? 0 : 1))
    #expect(report.droppedPositions == (isReplaced ? [path] : []))
  }
}

extension EvidenceTests {
  @Test func `a removed photo with an imported position is named`() throws {
    var library = try Library()
    try library.add("home.jpg", 1)
    let path = library.photos.appending("scan.jpg")
    try library.folder.write(JPEGFile().bytes, to: path)
    try library.scan()
    let photo = try #require(library.index.unlocatedPhotos.first)
    #expect(library.index.assign([(photo, Self.given)]) == 1)
    let moved = library.photos.appending("moved.jpg")
    #expect(path.withPlatformString { old in moved.withPlatformString { rename(old, $0) } } == 0)
    #expect(try library.scan().lostPositions.isEmpty)
    library.folder.remove(moved)
    #expect(try library.scan().lostPositions == [moved])
    #expect(try library.scan().lostPositions.isEmpty)
  }
}

extension EvidenceTests {
  @Test(arguments: [false, true])
  func `the new paths of moved photos are known, and those of other photos are not`(
    isFull: Bool
  ) throws {
    var library = try Library()
    for number in 1...3 { try library.add("in/\(number).jpg", number) }
    try library.scan()
    let before = library.index
    let (old, new) = (library.photos.appending("in"), library.photos.appending("out"))
    #expect(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } } == 0)
    library.folder.remove(new.appending("3.jpg"))
    var settings = PhotoIndexer.Settings()
    settings.isFull = isFull
    let report = try library.scan(settings: settings)
    let moved = MovedPhotos(report, from: before, to: library.index)
    for name in ["1.jpg", "2.jpg"] {
      #expect(moved.newPath(of: old.appending(name)) == new.appending(name))
      #expect(moved.newPath(of: new.appending(name)) == nil)
    }
    #expect(moved.newPath(of: old.appending("3.jpg")) == nil)
    #expect(moved.name(ofPhotoAt: new.appending("1.jpg")) != nil)
  }

  @Test func `a file that holds another photo is not the moved one`() throws {
    var library = try Library()
    let (old, new) = ("one/scan.jpg", "two/scan.jpg")
    try library.folder.write(photoContent(1), to: library.photos.appending(old))
    try library.folder.setModified(library.photos.appending(old), seconds: 1_700_000_000)
    try library.scan()
    let before = library.index
    // The same name, size and modification time, taken at another time.
    let content = photoContent(1).replacing(Array("20:34:30".utf8), with: Array("20:34:31".utf8))
    try library.folder.write(content, to: library.photos.appending(new))
    try library.folder.setModified(library.photos.appending(new), seconds: 1_700_000_000)
    library.folder.remove(library.photos.appending(old))
    let report = try library.scan()
    let moved = MovedPhotos(report, from: before, to: library.index)
    #expect(moved.newPath(of: library.photos.appending(old)) == nil)
  }
}

/// The guards of removals.
@Suite struct RemovalGuardTests {
  @Test func `most photos of a folder are removed only by a full scan`() throws {
    var library = try Library()
    for number in 1...30 { try library.add("\(number).jpg", number) }
    try library.scan()
    for number in 1...20 { library.folder.remove(library.photos.appending("\(number).jpg")) }
    let report = try library.scan()
    #expect(report.removed == 0 && library.index.photoCount == 30)
    #expect(report.staleRoots == [library.photos])
    #expect(report.heldBack[library.photos]?.missing == 20)
    #expect(report.heldBack[library.photos]?.isOtherDevice == false)
    #expect(library.index.roots[0].isStale)
    let full = try library.scan(settings: .init(isFull: true))
    #expect(full.removed == 20 && library.index.photoCount == 10)
    #expect(!library.index.roots[0].isStale)
  }

  @Test func `a few deletions, and photos that were moved, are not doubted`() throws {
    var library = try Library()
    for number in 1...30 { try library.add("in/\(number).jpg", number) }
    try library.scan()
    for number in 1...9 { library.folder.remove(library.photos.appending("in/\(number).jpg")) }
    #expect(try library.scan().removed == 9)
    let (old, new) = (library.photos.appending("in"), library.photos.appending("out"))
    #expect(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } } == 0)
    let report = try library.scan()
    #expect(report.moved == 21 && report.heldBack.isEmpty)
  }

  @Test(.enabled(if: mayMount("tmpfs")), arguments: [false, true])
  func `the photos of a disk inside a root stay while it is not mounted`(isFull: Bool) throws {
    var library = try Library()
    try library.add("home.jpg", 1)
    let disk = library.photos.appending("disk")
    try library.folder.createFolder(disk)
    #expect(mount("tmpfs", disk.string, "tmpfs", 0, nil) == 0)
    defer { umount2(disk.string, CInt(MNT_DETACH)) }
    try library.add("disk/a.jpg", 2)
    try library.add("disk/deep/b.jpg", 3)
    try library.scan()
    #expect(library.index.roots[0].foldersOfAwayDisks.isEmpty)
    umount(disk.string)
    #expect(library.index.roots[0].foldersOfAwayDisks == [disk])
    for _ in 1...2 {
      let report = try library.scan(settings: .init(isFull: isFull))
      #expect(
        report.removed == 0 && library.located == ["home.jpg", "disk/a.jpg", "disk/deep/b.jpg"])
      #expect(report.heldBack[disk]?.isOtherDevice == true)
      #expect(library.index.roots[0].foldersOfAwayDisks == [disk])
    }
    let (forgotten, removed) = PhotoIndexer().forget([disk], in: library.index, now: library.now)
    #expect(removed == 2 && forgotten.photoCount == 1)
  }

  @Test(
    arguments: [
      (0, 0, false, true), (0, 30, true, true), (0, 0, true, false), (0, nil, false, true),
      (5, 5, false, false), (5, nil, false, true), (5, 30, true, true), (25, nil, false, false),
    ] as [(listed: Int, total: Int?, isFull: Bool, isKept: Bool)])
  func `a remote library that lost most photos is believed only after a second look`(
    _ example: (listed: Int, total: Int?, isFull: Bool, isKept: Bool)
  ) throws {
    let library = try #require(RemoteLibrary("immich://photos.example"))
    func changes(_ count: Int, total: Int?) -> RemoteChanges {
      let records = (0..<count).map { number in
        RemoteRecord(
          id: "0000000\(number + 10)-0000-4000-8000-000000000000".suffix(36).description,
          name: "a.jpg", size: 1, version: 1, properties: PhotoProperties())
      }
      return RemoteChanges(
        of: library, isWhole: true, records: records, anchor: "x", total: total)
    }
    let now = Instant(secondsSince1970: 1_800_000_000)
    let (index, _) = PhotoIndexer().update(PhotoIndex(), with: changes(30, total: 30), now: now)
    #expect(index.fileCount == 30)
    let indexer = PhotoIndexer(settings: .init(isFull: example.isFull))
    let (next, report) = indexer.update(
      index, with: changes(example.listed, total: example.total), now: now)
    #expect(next.fileCount == (example.isKept ? 30 : example.listed))
    #expect(report.staleRoots == (example.isKept ? [library.rootPath] : []))
  }
}

@Suite struct ProgramFolderTests {
  @Test(arguments: [
    "#recycle", "#Recycle", "@Recycle", "$RECYCLE.BIN", "$Recycle.Bin", "@eaDir", "lost+found",
    "System Volume Information", "node_modules", "Catalog Previews.lrdata", "RECYCLED", "LOST.DIR",
    "FOUND.000", "found.012", "files_trashbin", "@Transcode", "Temporary Items",
    "Photos Library.photoslibrary/resources/derivatives", "a.PhotosLibrary/Resources/proxies",
    "iPhoto.photolibrary/Previews", "Aperture.aplibrary/Thumbnails",
  ])
  func `bins and folders of programs are skipped, and photos moved there are removed`(
    name: String
  ) throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.add("2016/b.jpg", 2)
    try library.scan()
    try library.folder.createFolder(library.photos.appending("2016/\(name)"))
    let (old, new) = (
      library.photos.appending("2016/b.jpg"), library.photos.appending("2016/\(name)/b.jpg")
    )
    #expect(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } } == 0)
    let report = try library.scan()
    #expect(report.moved == 0 && report.removed == 1 && library.located == ["a.jpg"])
  }

  @Test(arguments: [
    "Recycle", "#beach", "eaDir", "Snapshots", "lrdata", "found.abc", "found.0000", "lost",
    "Previews", "derivatives", "resources/derivatives", "a.photoslibrary/originals/derivatives",
    "a.photoslibrary/resources/renders", "a.photoslibrary/previews",
  ])
  func `folders with similar names are scanned`(name: String) throws {
    var library = try Library()
    try library.add(library.photos.appending(name).appending("a.jpg"), 1)
    #expect(try library.scan().files.located == 1)
  }
}
