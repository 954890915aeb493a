import CLibrary
import CivilTime
import Encodings
import LocationFeeds
import PhotoMetadata
import Spatial
import Storage
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Recreations

@Suite struct RecreationStoreTests {
  private let temporary = TemporaryFolder()
  private let picture = JPEGFile([.profile, .tables, .frame()]).bytes
  private var state: FilePath { temporary.path("state") }
  private var list: FilePath { state.appending("recreations.json") }
  private var folder: FilePath { temporary.path("new") }
  private var store: RecreationStore { RecreationStore(stateFolder: state) }

  private func keep(
    _ jpeg: [UInt8]? = nil, of old: OldPhoto = .arezzo, in store: RecreationStore? = nil,
    score: Double? = 0.93, after seconds: Double = 0, devices: [LocationFix] = []
  ) throws(RecreationError) -> KeptRecreation {
    try (store ?? self.store).keep(
      jpeg ?? picture, of: old, score: score, in: folder, devices: devices,
      now: now.advanced(bySeconds: seconds), localClock: clock)
  }

  /// The names in the folder of recreations, hidden ones too.
  private func names(in folder: FilePath? = nil) -> [String] {
    let folder = folder ?? self.folder
    let shown = Corpus.paths(under: folder).compactMap { $0.lastComponent?.string }
    let count = (try? Disk.entryCount(of: folder)) ?? 0
    return (shown + Array(repeating: "hidden", count: count - shown.count)).sorted()
  }

  // MARK: - Keeping

  @Test func `a picture becomes a new file with time, position and the original's reference`()
    throws
  {
    let kept = try keep(
      try samplePhoto(),
      devices: [
        LocationFix(time: now, latitude: 43.4665, longitude: 11.8851, horizontalAccuracyMeters: 6)
      ])
    #expect(kept.fileName == "2025-09-14 09.44.02 Arezzo (2008).jpg")
    #expect(kept.path == folder.appending(kept.fileName) && names() == [kept.fileName])
    #expect(kept.photoName == "k7mabcdefghijklm" && kept.spotID == "47xjsbmtz9sp")
    #expect(kept.score == 0.93 && kept.kept == now)
    let read = try #require(properties(of: try temporary.contents(of: kept.path)))
    #expect(read.captured?.iso8601 == "2025-09-14T09:44:02.733+02:00")
    #expect(kept.taken == read.captured?.instant && kept.time == kept.taken)
    // The sample was taken in Paris, and the device is of another time than the sample.
    let position = try #require(read.coordinate)
    #expect(position.distance(to: .arezzo) < 0.01 && read.altitudeMeters == 296)
    #expect(read.make == "Google" && read.model == "Pixel 6" && read.orientation == 1)
    #expect(read.heading?.degrees == 129.5)
  }

  @Test func `a family can read pictures as its umask allows, and nobody else the list`() throws {
    let kept = try keep()
    #expect(try temporary.permissions(of: kept.path) == temporary.permissionsOfUmask())
    #expect(
      try temporary.permissions(of: folder) == temporary.permissionsOfUmask(isFolder: true))
    let list = state.appending("recreations.json")
    #expect(try temporary.permissions(of: list) == .ownerReadWrite)
  }

  @Test func `the list is never older than the newest file`() throws {
    let kept = try keep()
    var (ofList, ofFile) = (stat(), stat())
    #expect(stat(state.appending("recreations.json").string, &ofList) == 0)
    #expect(stat(kept.path.string, &ofFile) == 0)
    let times = [ofFile, ofList].map { [$0.st_mtim.tv_sec, $0.st_mtim.tv_nsec] }
    #expect(!times[1].lexicographicallyPrecedes(times[0]))
  }

  @Test func `a picture sent later is named and listed by its capture time`()
    throws
  {
    let taken = CaptureTime(instant: now.advanced(bySeconds: -90_000), utcOffsetMinutes: 60)
    let kept = try store.keep(
      picture, of: .arezzo, score: nil, in: folder, taken: taken, now: now, localClock: clock)
    #expect(kept.fileName == "2026-11-21 09.15.03 Arezzo (2008).jpg")
    #expect(kept.taken == taken.instant && kept.kept == now)
    #expect(properties(of: try temporary.contents(of: kept.path))?.captured == taken)
  }

  @Test func `a picture without metadata gets time, position and direction`()
    throws
  {
    let kept = try keep(devices: [
      LocationFix(time: now, latitude: 43.4665, longitude: 11.8851, horizontalAccuracyMeters: 6)
    ])
    #expect(kept.fileName == "2026-11-22 10.15.03 Arezzo (2008).jpg")
    let read = try #require(properties(of: try temporary.contents(of: kept.path)))
    #expect(read.captured == CaptureTime(instant: now, utcOffsetMinutes: 60))
    #expect(read.captureTimeSource == .dateTimeOriginal && read.positionSource == .exif)
    let position = try #require(read.coordinate)
    #expect(abs(position.latitude - 43.4665) < 1e-9 && abs(position.longitude - 11.8851) < 1e-9)
    #expect(read.horizontalAccuracyMeters == 6 && read.heading?.degrees == 123.5)
    #expect(read.make == nil && read.orientation == 1)
  }

  @Test func `a picture is kept without a clock and a position`() throws {
    var old = OldPhoto(name: "k7m", path: "/photos/a.jpg")
    old.heading = Heading(degrees: 3)
    let unset = Instant(secondsSince1970: 60)
    let kept = try store.keep(
      picture, of: old, score: 2, in: folder, now: unset, localClock: clock)
    #expect(kept.fileName == "Photo.jpg" && kept.taken == nil && kept.time == unset)
    #expect(kept.score == nil && kept.spotID == nil)
    let read = try #require(properties(of: try temporary.contents(of: kept.path)))
    #expect(read.captured == nil && read.coordinate == nil && read.exifPosition == .absent)
    #expect(try store.all() == [kept])
  }

  @Test func `the XMP packet holds the original photo's name, escaped`() throws {
    var old = OldPhoto(name: "k7m<\"&", path: FilePath("/p").appending("a\"<&>'é.jpg"))
    old.captured = OldPhoto.arezzo.captured
    for (path, name) in [
      (old.path, "a\"<&>'é.jpg"),
      (temporary.path(bytes: [0x61, 0xFF, 0x0A, 0x62]), "a\u{EFFF}\nb"),
    ] {
      old.path = path
      let text = String(
        decoding: RecreationPacket.bytes(of: old, score: 0.5), as: UTF8.self)
      var reader = XMLReader(Array(text.utf8))
      var (attributes, source, isSource) = ([XMLAttribute](), "", false)
      while let event = try reader.next() {
        switch event {
        case .start(let name, let found):
          attributes += found
          isSource = name == XMLName(namespace: "http://purl.org/dc/elements/1.1/", local: "source")
        case .text(let text): if isSource { source += text }
        case .end: isSource = false
        }
      }
      let value = { (local: String) in
        attributes.first {
          $0.name == XMLName(namespace: RecreationPacket.namespace, local: local)
        }?.value
      }
      #expect(source == name && value("recreationOf") == name)
      #expect(value("recreationOfID") == "k7m<\"&" && value("score") == "0.5")
    }
  }

  @Test func `an existing file name gets a number, and the existing file is kept`() throws {
    let name = "2026-11-22 10.15.03 Arezzo (2008)"
    try temporary.write("mine", to: folder.appending("\(name).jpg"))
    // A dangling link must not be followed.
    try temporary.link(folder.appending("\(name) 2.jpg"), to: temporary.path("elsewhere.jpg"))
    try temporary.createFolder(folder.appending("\(name) 3.jpg"))
    #expect(try keep().fileName == "\(name) 4.jpg")
    #expect(try keep(picture + [0]).fileName == "\(name) 5.jpg")
    #expect(try temporary.contents(of: folder.appending("\(name).jpg")) == Array("mine".utf8))
    #expect(!temporary.exists(temporary.path("elsewhere.jpg")))
  }

  @Test func `original photos are never changed`() throws {
    let album = temporary.path("album")
    let sample = try samplePhoto()
    try temporary.write(sample, to: album.appending("a.jpg"))
    let hash = SHA256.hash(sample)
    try temporary.setPermissions(of: album.appending("a.jpg"), to: .ownerRead)
    try temporary.setPermissions(of: album, to: [.ownerRead, .ownerExecute])
    defer { try? temporary.setPermissions(of: album, to: .ownerReadWriteExecute) }
    var old = OldPhoto.arezzo
    old.path = album.appending("a.jpg")
    let kept = try keep(sample, of: old)
    #expect(try temporary.contents(of: kept.path) != sample)
    #expect(SHA256.hash(try temporary.contents(of: old.path)) == hash)
    #expect(names(in: album) == ["a.jpg"])
    // Nor if new pictures go into their folder.
    try temporary.setPermissions(of: album, to: .ownerReadWriteExecute)
    let beside = try store.keep(
      sample + [0], of: old, score: nil, in: album, now: now, localClock: clock)
    #expect(names(in: album) == ["a.jpg", beside.fileName].sorted())
    #expect(SHA256.hash(try temporary.contents(of: old.path)) == hash)
    // A missing original photo is not an error.
    old.path = album.appending("gone.jpg")
    #expect(throws: Never.self) { try keep(picture, of: old) }
  }

  @Test func `rejects an incomplete or oversized picture without leaving files`() {
    #expect(throws: RecreationError.self) { try keep(Array(picture.dropLast(2))) }
    let large = [UInt8](repeating: 0, count: RecreationStore.maximumPictureSize + 1)
    #expect(throws: RecreationError.tooLarge) { try keep(large) }
    #expect(!temporary.exists(folder) && !temporary.exists(state))
  }

  // MARK: - Repeated pictures

  @Test func `an identical picture is kept once`() throws {
    let first = try keep()
    #expect(try keep(after: 59) == first && keep(after: 86_400) == first)
    #expect(names().count == 1)
    // Another picture, or another original photo, is kept separately.
    var other = OldPhoto.arezzo
    other.name = "another"
    let ids = [first.id, try keep(picture + [0]).id, try keep(of: other).id]
    #expect(Set(ids).count == 3 && names().count == 3)
    #expect(ids.allSatisfy { $0.utf8.count == 16 })
    // A picture that its owner deleted is kept again.
    temporary.remove(first.path)
    #expect(try store.all().map(\.id) == [ids[2], ids[1]] && store.file(of: first.id) == nil)
    #expect(try keep(after: 60).fileName == "2026-11-22 10.16.03 Arezzo (2008).jpg")
    #expect(names().count == 3)
  }

  @Test func `pictures sent concurrently are all kept, identical ones once`() throws {
    let store = store
    let kept = Mutex<[KeptRecreation]>([])
    var threads: [Thread] = []
    for number in 0..<8 {
      threads.append(
        try Thread {
          if let one = try? keep(picture + [UInt8(number % 4)], in: store) {
            kept.withLock { $0.append(one) }
          }
        })
    }
    for thread in threads { thread.join() }
    #expect(kept.withLock { $0.count } == 8)
    #expect(Set(kept.withLock { $0.map(\.path) }).count == 4 && names().count == 4)
    #expect(try store.all().count == 4)
  }

  @Test func `a locked list throws an error, and a retry succeeds`() throws {
    try temporary.createFolder(state)
    let lock = try #require(try Disk.lock(state.appending("recreations.json.lock")))
    #expect(throws: RecreationError.inUse(list)) { try keep() }
    Disk.unlockAndClose(lock)
    #expect(throws: Never.self) { try keep() }
  }

  // MARK: - Failing disks

  @Test func `a full disk leaves no files, and the picture can be sent again`() throws {
    let earlier = try keep(picture + [1])
    var uncertain = 0
    let steps = try FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      let before = names()
      do {
        try disk.run { _ = try keep() }
        #expect(disk.failed == nil || disk.failed == .remove, "\(String(describing: disk.failed))")
      } catch let error as RecreationError {
        if case .uncertain = error {
          uncertain += 1
        } else {
          #expect(names() == before, "\(error)")
        }
      }
      let kept = try keep()
      #expect(try store.all().map(\.id) == [kept.id, earlier.id])
      #expect(names().count == 2)
      #expect(properties(of: try temporary.contents(of: kept.path))?.coordinate != nil)
      temporary.remove(kept.path)
      _ = try store.forget(kept.id)
    }
    #expect(steps.contains(.rename) && steps.count > 8 && uncertain == 2, "\(steps)")
  }

  @Test
  func `a crash at any step keeps the picture or none, and resending keeps it once`()
    throws
  {
    let earlier = try keep(picture + [1])
    let steps = try FaultyDisk.forEachStep(.canceled, staysFaulty: true) { disk in
      try? disk.run { _ = try keep() }
      for one in try store.all() {
        #expect(properties(of: try temporary.contents(of: one.path))?.coordinate != nil)
      }
      // Later, so that the file name would differ.
      let kept = try keep(after: 60)
      #expect(try store.all().map(\.id) == [kept.id, earlier.id], "\(disk.failed as Any)")
      #expect(names() == [kept.fileName, earlier.fileName].sorted(), "\(disk.failed as Any)")
      temporary.remove(kept.path)
      _ = try store.forget(kept.id)
    }
    #expect(steps.contains(.rename) && steps.contains(.synchronizeFolder), "\(steps)")
  }

  @Test func `the error for an unwritable folder holds its path`() throws {
    try temporary.write("a file", to: folder)
    #expect(throws: RecreationError.cannotWrite(folder, .fileExists)) { try keep() }
    #expect(try store.all() == [])
  }

  // MARK: - The list

  @Test func `the list is read by another store, and each change gives a new generation`() throws {
    #expect(try store.all() == [] && store.generation.isEmpty)
    var old = OldPhoto.arezzo
    old.path = temporary.path(bytes: [0x61, 0xFF, 0x0A, 0x62])
    let first = try keep(of: old)
    let generation = store.generation
    let second = try keep(picture + [0], score: nil, after: 5)
    #expect(try store.all() == [second, first] && store.generation != generation)
    #expect(try store.file(of: first.id) == first.path && store.file(of: "") == nil)
    #expect(try temporary.permissions(of: list) == .ownerReadWrite)
  }

  @Test func `forgetting a recreation keeps its file`() throws {
    let kept = try keep()
    #expect(try store.forget(kept.id) && !store.forget(kept.id) && !store.forget("other"))
    #expect(try store.all() == [] && temporary.exists(kept.path))
  }

  @Test(arguments: [
    "[]", #"{"format":"photospots-index","version":1}"#,
    #"{"format":"photospots-recreations","version":2,"recreations":[]}"#,
    #"{"format":"photospots-recreations","version":1,"recreations":[{"id":"a"}]}"#,
    #"{"format":"photospots-recreations","version":1,"recreations":[{"id":"a","photo":"b","kept":"2026-11-22T10:00:00Z","path":"relative"}]}"#,
    #"{"format":"photospots-recreations","version":1,"recreations":[{"id":"a","photo":"b","kept":"2026-11-22T10:00:00Z","path":"/a","score":1.5}]}"#,
    #"{"format":"photospots-recreations","version":1,"recreations":[{"id":"a","photo":"b","kept":"yesterday","path":"/a"}]}"#,
    #"{"format":"photospots-recreations","version":1,"recreations":[{"id":"a","photo":"b","kept":"2026-11-22T10:00:00Z","path":"/a\u0000b"}]}"#,
  ])
  func `an invalid list is rejected and left unchanged`(_ text: String) throws {
    try temporary.write(text, to: list)
    #expect(throws: RecreationError.self) { try store.all() }
    #expect(throws: RecreationError.self) { try store.forget("a") }
    #expect(throws: RecreationError.self) { try keep() }
    #expect(try temporary.contents(of: list) == Array(text.utf8) && names() == [])
  }

  @Test func `a damaged list is read or rejected`() throws {
    for number in 0..<3 { _ = try keep(picture + [UInt8(number)]) }
    let sound = try temporary.contents(of: list)
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed)
      try temporary.write(Damage.apply(to: sound, using: &generator), to: list)
      // Otherwise the error has the list's type.
      if let all = try? store.all() { #expect(all.count <= 3, "seed \(seed)") }
    }
  }

  @Test func `the oldest pictures above the list's limit are dropped`() throws {
    let list = RecreationList(in: state)
    let kept = try keep()
    let many = (0..<RecreationList.maximumCount).map { number in
      KeptRecreation(
        id: "\(number)", photoName: "p", photoPath: "/p", spotID: nil, taken: nil, kept: now,
        score: nil, path: kept.path)
    }
    try list.save(many)
    let newest = try keep(picture + [1])
    let read = try list.load()
    #expect(read.count == RecreationList.maximumCount && read.first?.id == "1")
    #expect(read.last == newest)
  }

  // MARK: - A share that is away

  @Test func `a folder that is away is not made anew`() throws {
    let first = try keep()
    func move(_ old: String, _ new: String) {
      #expect(rename(temporary.path(old).string, temporary.path(new).string) == 0)
    }
    let memory = state.appending("recreations-folder.json")
    move("new", "away")
    for isMade in [false, true] {
      if isMade { try Disk.createFolder(folder) }
      // Another store, as after a start of the program.
      for store in [store, store] {
        #expect(throws: RecreationError.away(folder, memory: memory)) {
          try keep(picture + [0], in: store, after: 60)
        }
        #expect(throws: RecreationError.away(folder, memory: memory)) { try store.check(folder) }
      }
      #expect(names() == [])
    }
    #expect(rmdir(folder.string) == 0)
    move("away", "new")
    _ = try keep(picture + [0], after: 60)
    #expect(names().count == 2 && names().contains(first.fileName))
  }

  @Test func `a folder with pictures of the list is known, whatever its inode`() throws {
    _ = try keep()
    let memory = state.appending("recreations-folder.json")
    let text = String(decoding: try temporary.contents(of: memory), as: UTF8.self)
    try temporary.write(text.replacing(#/"inode":"\d+"/#, with: #""inode":"1""#), to: memory)
    _ = try keep(picture + [0], after: 60)
    #expect(names().count == 2)
  }

  @Test func `a list of a newer version is not called damaged`() throws {
    _ = try keep()
    let text = String(decoding: try temporary.contents(of: list), as: UTF8.self)
    try temporary.write(text.replacing(#""version": 1"#, with: #""version": 2"#), to: list)
    do {
      _ = try store.all()
      Issue.record("the list was read")
    } catch {
      guard case .newer = error else {
        Issue.record("\(error)")
        return
      }
      #expect("\(error)".contains("newer photospots") && !"\(error)".contains("Repair"))
    }
  }
}

/// A copyable thread, for use in an array.
private final class Thread {
  private var thread: BackgroundThread?

  init(_ body: @escaping @Sendable () -> Void) throws { thread = try BackgroundThread(body) }

  func join() { thread.take()?.join() }
}
