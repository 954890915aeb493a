import CLibrary
import CivilTime
import Encodings
import PhotoLibrary
import Spatial
import Storage
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

@Suite struct PlaceStoreTests {
  private let temporary = TemporaryFolder()
  private let now = PlaceHistories.start
  private let notices = Notices()

  private final class Notices: Sendable {
    private let all = Mutex<[PlaceStoreNotice]>([])
    func add(_ notice: PlaceStoreNotice) { all.withLock { $0.append(notice) } }
    var texts: [String] { all.withLock { $0.map(\.description) } }
  }

  private var store: PlaceStore {
    PlaceStore(stateFolder: temporary.path("state")) { [notices] in notices.add($0) }
  }
  private var file: FilePath { temporary.path("state/places.json") }

  private func fields(_ name: String) throws -> PlaceFields {
    PlaceFields(
      coordinate: try #require(Coordinate(latitude: 48.8584, longitude: 2.2945)), name: name)
  }

  @discardableResult
  private func add(_ name: String, to store: PlaceStore? = nil) throws -> KeptPlace {
    let fields = try fields(name)
    return try (store ?? self.store).update(now: now) { document throws(PlaceError) in
      try document.add(fields, now: now)
    }
  }

  private func names(_ document: PlaceDocument) -> [String] { document.places.map(\.name).sorted() }

  // MARK: - Keeping

  @Test func `places round-trip through the store`() throws {
    var fields = try fields("Tower")
    fields.kind = "viewpoint"
    fields.alertRadiusMeters = 250
    fields.spotID = "47xjsbmtz9sp"
    fields.notes = [PlaceNote(text: "At dusk.\nEast side", time: now)]
    fields.photos = ["/photos/a.jpg", FilePath(bytes: Array("/photos/".utf8) + [0xE9])]
    fields.collections = ["Paris", "Été"]
    let place = try store.update(now: now) { [fields] document throws(PlaceError) in
      try document.add(fields, now: now)
    }
    let document = try store.load()
    #expect(document.places == [place] && document.count == 1)
    #expect(document[place.id]?.fields == fields)
    #expect(place.createdTime == now && place.changedTime == now && place.removedTime == nil)
    #expect(try temporary.permissions(of: file) == .ownerReadWrite)
  }

  @Test func `a missing file has no places, and reading creates no folder`() throws {
    #expect(try store.load() == PlaceDocument() && store.generation.isEmpty)
    #expect(!temporary.exists(temporary.path("state")))
  }

  @Test func `an edit without effect writes nothing`() throws {
    let place = try add("A")
    let generation = store.generation
    try store.update(now: now) { document throws(PlaceError) in
      _ = try document.change(place.id, now: now) { $0.name = "A" }
    }
    #expect(throws: PlaceStoreError.refused(.missing(PlaceID(hashing: [])))) {
      try store.update(now: now) { document throws(PlaceError) in
        try document.remove(PlaceID(hashing: []), now: now)
      }
    }
    #expect(store.generation == generation && !generation.isEmpty)
    try store.update(now: now) { document throws(PlaceError) in
      _ = try document.change(place.id, now: now) { $0.name = "B" }
    }
    #expect(store.generation != generation)
  }

  @Test func `a merge that changes only known places is written`() throws {
    let place = try add("Old")
    var other = try store.load()
    let later = now.advanced(bySeconds: 60)
    try other.change(place.id, now: later) { fields in
      fields.name = "New"
      fields.notes = [PlaceNote(text: "At dusk", time: later)]
      fields.collections = ["Walks"]
    }
    try store.update(now: later) { document in document.merge(other) }
    #expect(try store.load() == other)
    let generation = store.generation
    try store.update(now: later) { document in document.merge(other) }
    #expect(store.generation == generation, "a merge without effect writes nothing")
  }

  @Test func `a document that replaces the whole of another one is written`() throws {
    var other = PlaceDocument()
    try other.add(try fields("B"), now: now)
    try add("A")
    try store.update(now: now) { document in document = other }
    #expect(names(try store.load()) == ["B"])
  }

  /// Each look at the places is by a new store, which reads the disk.
  @Test func `histories of three machines are on disk after every change, and end equal`() throws {
    for seed in Effort.seeds(10_000).prefix(Effort.isThorough ? 10_000 : 8) {
      var histories = PlaceHistories(seed: seed)
      temporary.remove(temporary.path("machines"))
      let folders = histories.machines.indices.map { temporary.path("machines/\($0)") }
      func merge(_ document: PlaceDocument, into machine: Int) throws -> PlaceDocument {
        let now = histories.now(machine)
        try PlaceStore(stateFolder: folders[machine]).update(now: now) { $0.merge(document) }
        return try PlaceStore(stateFolder: folders[machine]).load()
      }
      for step in 0..<30 {
        let machine = try histories.step()
        var expected = histories.machines[machine]
        expected.dropRemoved(now: histories.now(machine))
        let found = try merge(histories.machines[machine], into: machine)
        #expect(found == expected, "seed \(seed), step \(step)")
      }
      // Two rounds, since a machine with an early clock keeps what others have dropped.
      let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
      let order = orders[Int(seed) % orders.count]
      for _ in 0..<2 {
        for one in order {
          for other in order where other != one {
            _ = try merge(try PlaceStore(stateFolder: folders[other]).load(), into: one)
          }
        }
      }
      let ends = try folders.map { try PlaceStore(stateFolder: $0).load().places }
      #expect(ends[0] == ends[1] && ends[1] == ends[2], "seed \(seed)")
    }
  }

  @Test func `the document has one line per place and omits default values`() throws {
    let id = try #require(PlaceID("0123456789abcdef"))
    var document = PlaceDocument()
    var fields = try fields("Tower")
    fields.collections = ["Paris"]
    fields.photos = ["/a.jpg"]
    fields.notes = [PlaceNote(id: "n", time: now, text: "dusk")]
    try document.add(fields, id: id, now: now)
    try document.change(id, now: now.advanced(bySeconds: 2)) { fields in
      fields.kind = "bench"
      fields.photos = []
    }
    #expect(
      String(decoding: document.json, as: UTF8.self) == """
        {"format":"photospots-places","version":1,"places":[
        {"id":"0123456789abcdef","created":1795176000000,"latitude":48.8584,"longitude":2.2945,\
        "name":"Tower","kind":"bench","notes":[{"id":"n","date":1795176000000,"text":"dusk"}],\
        "photos":[{"path":"/a.jpg","removed":true,"time":2000}],"collections":["Paris"],\
        "times":{"kind":2000}}]}

        """)
  }

  @Test func `reads members in any order and ignores unknown ones`() throws {
    let text = """
      { "format" : "photospots-places", "generator": {"a": [1]}, "version": 1,
        "places": [ {"times": {"name": 5, "new": 1}, "longitude": 2.2945, "more": null,
          "collections": [{"time": 3, "name": "Paris", "more": 1}, "Été"], "latitude": 48.85840001,
          "name": "Tower", "created": 1795176000000, "notes": [{"text": "t", "id": "n", "x": 1}],
          "radius": 1e300, "id": "0123456789abcdef"} ] }
      """
    let document = try PlaceDocument(json: Array(text.utf8))
    let place = try #require(document.places.first)
    #expect(place.name == "Tower" && place.coordinate.latitude == 48.8584)
    #expect(place.collections == ["Paris", "Été"] && place.notes.map(\.text) == ["t"])
    #expect(place.alertRadiusMeters == 5000 && place.kind == "place")
    #expect(place.changedTime.millisecondsSince1970 == 1_795_176_000_005)
    #expect(try PlaceDocument(json: document.json) == document)
  }

  // MARK: - Files that cannot be used

  @Test func `rejects a newer version, and the error names both versions`() throws {
    let newer = #"{"format":"photospots-places","version":2,"places":[{"id":7}]}"#
    try temporary.write(newer, to: file)
    let error = PlaceStoreError.newer(file, version: 2)
    #expect(throws: error) { try store.load() }
    #expect(error.description.contains("version 2") && error.description.contains("version 1"))
    #expect(throws: error) { try add("A") }
    #expect(try temporary.contents(of: file) == Array(newer.utf8))
  }

  @Test func `a file of another format is left unchanged`() throws {
    for text in ["my notes", #"{"format":"photospots-mutes","version":1}"#, "[]"] {
      try temporary.write(text, to: file)
      #expect(throws: PlaceStoreError.foreign(file)) { try store.load() }
      #expect(throws: PlaceStoreError.foreign(file)) { try add("A") }
      #expect(try temporary.contents(of: file) == Array(text.utf8))
    }
  }

  @Test func `the next change sets a damaged file aside and keeps its readable places`()
    throws
  {
    try add("A")
    try add("B")
    let whole = try temporary.contents(of: file)
    let cut = Array(whole.dropLast(20))
    try temporary.write(cut, to: file)
    let error = #expect(throws: PlaceStoreError.self) { try store.load() }
    guard case .damaged(let path, reason: _)? = error, path == file else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try temporary.contents(of: file) == cut)
    try add("C")
    #expect(notices.texts.count == 1)
    let aside = temporary.path("state/places.json.damaged-20261120T120000000")
    #expect(notices.texts.first?.contains(aside.string) == true, "\(notices.texts)")
    #expect(try temporary.contents(of: aside) == cut)
    let kept = try store.load()
    #expect(kept.count == 2 && names(kept).contains("C"))
    // The repaired file restores the missing places.
    try temporary.write(whole, to: aside)
    try store.update(now: now) { document throws(PlaceError) in
      document.merge((try? PlaceStore.document(at: aside)) ?? PlaceDocument())
    }
    #expect(names(try store.load()) == ["A", "B", "C"])
  }

  @Test func `invalid rows are reported as damage`() throws {
    for row in [
      #"{"created":1,"latitude":1,"longitude":2}"#, #"{"id":"x","latitude":1,"longitude":2}"#,
      #"{"id":"0123456789abcdef","latitude":91,"longitude":2}"#,
      #"{"id":"0123456789abcdef","latitude":1}"#,
      #"{"id":"0123456789abcdef","created":9223372036854775807}"#,
      #"{"id":"0123456789abcdef","created":4503599627370496,"times":{"removed":1}}"#,
      #"{"id":"0123456789abcdef","created":5,"times":{"removed":9223372036854775807}}"#,
      #"{"id":"0123456789abcdef","latitude":1,"longitude":2,"photos":["a.jpg"]}"#,
      #"{"id":"0123456789abcdef","latitude":1,"longitude":2,"notes":[{"text":"a"}]}"#,
      #"{"id":"0123456789abcdef","latitude":1,"longitude":2,"notes":[{"id":"a","time":-9223372036854775808}]}"#,
      "7", "null",
    ] {
      let text = #"{"format":"photospots-places","version":1,"places":["# + row + "]}"
      #expect(throws: JSONError.self, "\(row)") { try PlaceDocument(json: Array(text.utf8)) }
    }
  }

  // MARK: - Other writers

  /// A document that another machine wrote.
  private func other(_ name: String) throws -> [UInt8] {
    var document = PlaceDocument()
    try document.add(try fields(name), now: now)
    return document.json
  }

  @Test(arguments: [
    "places.sync-conflict-20261122-161800-ABCDEFG.json",
    "places (conflicted copy 2026-11-22 161800).json", "places_conflict-20261122-161800.json",
    "places (Anna's conflicted copy 2026-11-22).json",
    "places (Copia en conflicto de Anna 2026-11-22).json",
    "places (In Konflikt stehende Kopie von Anna 2026-11-22).json",
    "places (SFConflict anna@example.com 2026-11-22-16-18-00).json",
    "places_nas_Nov-22-161800-2026_Conflict.json",
  ])
  func `conflict copies are merged, and removed after the document is saved`(name: String) throws {
    try add("A")
    let conflict = temporary.path("state/" + name)
    try temporary.write(try other("B"), to: conflict)
    let bystanders = [
      "places.sync-conflict-1.txt", "my-places.sync-conflict-1.json", "places (2).json",
      "places 2026.json", "placesconflict.json", "places.json.conflict",
      "places_before_conflict_2024.json", "places-backup without conflicts.json",
      "places (no conflict).json",
    ]
    for name in bystanders { try temporary.write(try other("C"), to: "state/" + name) }
    let store = store
    #expect(names(try store.load()) == ["A", "B"])
    #expect(temporary.exists(conflict))
    // Nothing is removed if the document cannot be written.
    FaultyDisk(after: 3, .noSpace, staysFaulty: true).run { _ = try? add("D", to: store) }
    #expect(temporary.exists(conflict))
    try add("D", to: store)
    #expect(!temporary.exists(conflict))
    for name in bystanders { #expect(temporary.exists(temporary.path("state/" + name))) }
    #expect(names(try self.store.load()) == ["A", "B", "D"] && notices.texts.isEmpty)
  }

  @Test func `an unreadable conflict copy is reported and stays`() throws {
    try add("A")
    let conflict = temporary.path("state/places.sync-conflict-20261122-161800-ABCDEFG.json")
    try temporary.write("nothing", to: conflict)
    #expect(names(try store.load()) == ["A"])
    try add("B")
    #expect(temporary.exists(conflict) && notices.texts.count == 2)
  }

  @Test func `the advice about a damaged copy does not promise that a change repairs it`() throws {
    try add("A")
    let copy = temporary.path("state/places.sync-conflict-20261122-161800-ABCDEFG.json")
    try temporary.write("{\"format\":\"photospots-places\",\"version\":1,", to: copy)
    let error = try #require(throws: PlaceStoreError.self) { try PlaceStore.document(at: copy) }
    let advice = error.descriptionOfCopy
    #expect(advice.contains("are damaged") && !advice.contains("The next change"))
    _ = try store.load()
    #expect(notices.texts.count == 1)
    #expect(notices.texts.allSatisfy { !$0.contains("The next change") }, "\(notices.texts)")
  }

  @Test func `places that another machine's file adds during a change are not lost`() throws {
    try add("A")
    let bytes = try other("B")
    let fields = try fields("C")
    var count = 0
    _ = try store.update(now: now) { document throws(PlaceError) in
      count += 1
      // Replaced by renaming a file, as Syncthing does, without the lock.
      do { try temporary.write(bytes, to: temporary.path("state/places.tmp")) } catch {}
      do { try temporary.move(temporary.path("state/places.tmp"), to: file) } catch {}
      return try document.add(fields, now: now)
    }
    #expect(count == 1)
    // The other machine's file is not merged in between, so its places are added to ours.
    #expect(names(try store.load()) == ["A", "B", "C"])
  }

  @Test func `changes by other programs are seen, and only one program writes at a time`() throws {
    let reader = store
    try add("A")
    #expect(names(try reader.load()) == ["A"])
    try add("B")
    #expect(names(try reader.load()) == ["A", "B"])
    let lock = try #require(try Disk.lock(temporary.path("state/places.json.lock")))
    #expect(throws: PlaceStoreError.inUse(file)) { try add("C") }
    Disk.unlockAndClose(lock)
    try add("C")
  }

  @Test func `changes at the same time wait for each other, and none is lost`() throws {
    let added = Mutex(0)
    // Each addition has a store of its own, as in another process.
    let other = try BackgroundThread {
      for number in 0..<8 where (try? add("B\(number)")) != nil { added.withLock { $0 += 1 } }
    }
    for number in 0..<8 where (try? add("A\(number)")) != nil { added.withLock { $0 += 1 } }
    other.join()
    #expect(added.withLock { $0 } == 16)
    #expect(names(try store.load()).count == 16)
  }

  @Test func `a crash or a full disk at any step leaves the places before or after the change`()
    throws
  {
    for staysFaulty in [false, true] {
      temporary.remove(temporary.path("state"))
      try add("A")
      let steps = try FaultyDisk.forEachStep(.noSpace, staysFaulty: staysFaulty) { disk in
        let store = store
        let before = names(try store.load())
        do {
          try disk.run { _ = try add("B", to: store) }
          #expect(names(try self.store.load()) == before + ["B"])
        } catch let error as PlaceStoreError {
          let now = names(try self.store.load())
          if case .uncertain = error {
            #expect(now == before + ["B"])
          } else {
            #expect(now == before, "\(error)")
          }
          #expect(!error.description.isEmpty)
        }
      }
      #expect(steps.count > 4)
    }
  }

  // MARK: - A share that is away

  @Test func `a share that is away is an error, and no first use`() throws {
    let share = temporary.path("nas/shared")
    let file = share.appending("places.json")
    func opened() -> PlaceStore {
      PlaceStore(stateFolder: temporary.path("state"), file: file)
    }
    let first = opened()
    #expect(try names(first.load()) == [])
    try add("Mill", to: first)
    func move(_ old: String, _ new: String) {
      #expect(rename(temporary.path(old).string, temporary.path(new).string) == 0)
    }
    move("nas", "away")
    let memory = temporary.path("state/places-folder.json")
    // Without a mount point, with an empty one, and with an empty folder of the same name.
    for folder in [nil, "nas", "nas/shared"] {
      if let folder { try Disk.createFolder(temporary.path(folder)) }
      for store in [first, opened()] {
        #expect(throws: PlaceStoreError.away(file, memory: memory)) { try store.load() }
        #expect(throws: PlaceStoreError.away(file, memory: memory)) { try add("Ford", to: store) }
      }
      #expect(Corpus.paths(under: temporary.path("nas")).isEmpty)
    }
    temporary.remove(temporary.path("nas"))
    move("away", "nas")
    for store in [first, opened()] { #expect(try names(store.load()) == ["Mill"]) }
    try add("Ford", to: opened())
    #expect(try names(opened().load()) == ["Ford", "Mill"])
  }

  @Test func `a file that was deleted in its folder is a first use again`() throws {
    let file = temporary.path("shared/places.json")
    let store = PlaceStore(stateFolder: temporary.path("state"), file: file)
    try add("Mill", to: store)
    #expect(unlink(file.string) == 0)
    #expect(try store.load().places.isEmpty)
    try add("Oak", to: store)
    #expect(try names(store.load()) == ["Oak"])
  }

  @Test func `a file that cannot be looked at is an error for readers and writers`() throws {
    #expect(symlink("loop", temporary.path("loop").string) == 0)
    let file = temporary.path("loop/places.json")
    let store = PlaceStore(stateFolder: temporary.path("state"), file: file)
    #expect(store.generation != "")
    #expect(throws: PlaceStoreError.self) { try store.load() }
    #expect(throws: PlaceStoreError.self) { try add("Mill", to: store) }
  }
}
