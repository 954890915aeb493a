import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// The index in the file that readers map.
@Suite struct MappedIndexTests {
  let folder = TemporaryFolder()

  private var cache: PhotoIndexCache { PhotoIndexCache(path: folder.path("index.json")) }
  private var mapped: FilePath { folder.path("index.json.mapped") }

  /// Files in several folders: shots of one and of several files, dated and not, rated and not.
  private func photos(
    seed: UInt64, count: Int = Effort.isThorough ? 300 : 80
  ) -> PhotoIndex {
    var generator = SeededGenerator(seed: seed)
    var rows: [ShotRow] = []
    for number in 0..<count {
      let name = "\(["a", "b", "b/c"].randomElement(using: &generator) ?? "")/IMG_\(number)"
      var row = ShotRow(name + ".JPG", size: Int64(number)).later(Double(number) * 600)
        .north(Double.random(in: 0...400, using: &generator))
      if number % 7 == 0 { row = row.undated }
      if number % 5 == 0 { row.rating = Int8(number % 6) }
      row.isFavorite = number % 11 == 0
      rows.append(row)
      if number % 4 == 0 {
        row.path = name + ".NEF"
        rows.append(row)
      }
      if number % 9 == 0 { rows.append(ShotRow("\(name)_none.JPG", size: 1).unlocated) }
    }
    return PhotoIndex(rows)
  }

  /// Returns the answers to all queries of an index, as text.
  private func answers(_ index: PhotoIndex) -> [String] {
    var answers = index.allPhotos.map { "\($0)" } + index.albums.map { "\($0)" }
    answers += (0..<index.photoCount).map { "\(index.shot(at: $0))" }
    answers.append("\(index.fileCount) \(index.shotCount) \(index.furtherFileCount) \(index.roots)")
    let spots = SpotIndex(index, clusterRadius: 15)
    let pasts = SpotPasts(of: spots)
    for spot in spots.listed {
      answers.append(
        """
        \(spot.id) \(spot.coordinate) \(spot.anchor) \(spot.radiusMeters) \(spot.photoCount) \
        \(spot.favoriteCount) \(spot.undatedCount) \(String(describing: spot.firstCaptured)) \
        \(String(describing: spot.lastCaptured)) \(spot.cover?.string ?? "") \(spot.members) \
        \(String(describing: spot.album)) \(String(describing: pasts[spot.id]))
        """)
    }
    for place in [ShotRow.place, Coordinate(latitude: -90, longitude: 0)!] {
      answers += spots.spots(within: 150, of: place).map { "\($0.spot.id) \($0.distanceMeters)" }
      answers += spots.nearest(5, to: place).map { "\($0.spot.id) \($0.distanceMeters)" }
    }
    return answers
  }

  private func opened(radius: Double = 15) throws -> PhotoIndex {
    let opened = try #require(try cache.open(clusterRadius: radius))
    #expect(opened.obstacle == nil)
    return opened.index
  }

  @Test(arguments: [401, 402, 403] as [UInt64])
  func `a mapped index gives the same answers as the saved one`(seed: UInt64) throws {
    let index = photos(seed: seed)
    try cache.save(index, clusterRadius: 15)
    let opened = try opened()
    #expect(opened.mapping != nil && opened.computedSpots != nil)
    #expect(answers(opened) == answers(index), "seed \(seed)")
    #expect(opened.spots(clusterRadius: 40) == index.spots(clusterRadius: 40))
  }

  @Test func `an empty index can be mapped`() throws {
    try cache.save(PhotoIndex(), clusterRadius: 15)
    let opened = try opened()
    #expect(opened.mapping != nil && answers(opened) == answers(PhotoIndex()))
  }

  @Test func `a deleted mapped file is written again by the next reader`() throws {
    let index = photos(seed: 404)
    try cache.save(index, clusterRadius: 15)
    let first = try folder.contents(of: mapped)
    folder.remove(mapped)
    #expect(try answers(opened()) == answers(index))
    #expect(try folder.contents(of: mapped) == first)
  }

  @Test func `a mapped file of another document is replaced`() throws {
    let (old, new) = (photos(seed: 405), photos(seed: 406))
    try cache.save(old, clusterRadius: 15)
    let olderMapped = try folder.contents(of: mapped)
    try cache.save(new, clusterRadius: 15)
    let newer = try folder.contents(of: mapped)
    try folder.write(olderMapped, to: mapped)
    #expect(try answers(opened()) == answers(new))
    #expect(try folder.contents(of: mapped) == newer)
    // A document written by another program, or edited, has no mapped file.
    try folder.write(indexText(of: [], folder: "/photos"), to: cache.path)
    #expect(try answers(opened()) == answers(try #require(try cache.load())))
  }

  @Test func `an index of an earlier version, without spots, is mapped with spots`() throws {
    let place = try #require(Coordinate(latitude: 1, longitude: 2))
    let rows = ["1.JPG", "1.NEF", "2.JPG"].map { PhotoRow(name: $0, coordinate: place) }
    try folder.write(indexText(of: rows, folder: "/photos"), to: cache.path)
    let opened = try opened()
    #expect(opened.mapping != nil && opened.shotCount == 2)
    #expect(SpotIndex(opened, clusterRadius: 15).spots.map(\.photoCount) == [2])
  }

  @Test func `an open mapped index stays valid after another is saved`() throws {
    let (old, new) = (photos(seed: 407), photos(seed: 408))
    try cache.save(old, clusterRadius: 15)
    let held = try opened()
    try cache.save(new, clusterRadius: 15)
    #expect(answers(held) == answers(old) && !held.isCutOff)
    #expect(try answers(opened()) == answers(new))
  }

  // MARK: - Publishing

  /// The failing steps after which the answers are compared: all, or for a quick test those of
  /// another kind than the step before, and each fifth.
  private struct StepSample {
    private var count = 0
    private var last: DiskStep?

    mutating func includes(_ failed: DiskStep?) -> Bool {
      defer { (count, last) = (count + 1, failed) }
      return Effort.isThorough || failed != last || count % 5 == 0
    }
  }

  /// An index saved in a separate folder, with its answers.
  private func saved(
    _ index: PhotoIndex, in folder: TemporaryFolder
  ) throws -> PhotoIndexCache {
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(index, clusterRadius: 15)
    return cache
  }

  /// Returns the answers of the mapped index, and checks that the document has the same contents.
  private func answers(_ cache: PhotoIndexCache) throws -> [String] {
    let opened = try #require(try cache.open(clusterRadius: 15))
    #expect(opened.obstacle == nil && opened.index.mapping != nil)
    let answers = answers(opened.index)
    let document = try #require(try cache.load())
    #expect(self.answers(document) == answers)
    return answers
  }

  @Test func `after a crash at any step of saving, the index is the old or the new one`() throws {
    let (old, new) = (
      photos(seed: 409, count: Effort.scaled(40)), photos(seed: 410, count: Effort.scaled(40))
    )
    let (oldAnswers, newAnswers) = (answers(old), answers(new))
    var sample = StepSample()
    let steps = try FaultyDisk.forEachStep(.canceled, staysFaulty: true) { disk in
      let folder = TemporaryFolder()
      let cache = try saved(old, in: folder)
      _ = disk.run { try? cache.save(new, clusterRadius: 15) }
      guard sample.includes(disk.failed) else { return }
      let found = try answers(cache)
      let isNew = disk.failed == nil || found == newAnswers
      #expect(found == (isNew ? newAnswers : oldAnswers), "\(String(describing: disk.failed))")
      // Files left behind do not interfere.
      try cache.save(new, clusterRadius: 15)
      #expect(try answers(cache) == newAnswers)
      #expect(!Corpus.paths(under: folder.root).contains { $0.string.hasSuffix(".new") })
    }
    // The document is created, written and on the disk; then the mapped file under its lock, with a
    // write for its head, and two for each section; then both names.
    #expect(steps.first == .create && steps.last == .synchronizeFolder)
    #expect(steps.count { $0 == .create } == 3 && steps.count { $0 == .rename } == 2)
    #expect(steps.count { $0 == .synchronize } == 2)
    #expect(steps.count { $0 == .synchronizeFolder } == 2)
  }

  @Test func `after a crash at any step of mapping, the index still answers`()
    throws
  {
    let index = photos(seed: 413, count: Effort.scaled(40))
    let expected = answers(index)
    var sample = StepSample()
    let steps = try FaultyDisk.forEachStep(.canceled, staysFaulty: true) { disk in
      let folder = TemporaryFolder()
      let cache = try saved(index, in: folder)
      folder.remove(folder.path("index.json.mapped"))
      _ = disk.run { try? cache.open(clusterRadius: 15) }
      guard sample.includes(disk.failed) else { return }
      #expect(try answers(cache) == expected)
    }
    #expect(steps.contains(.rename))
  }

  @Test func `if the disk fills up at any step of saving, the index still answers`() throws {
    let (old, new) = (
      photos(seed: 414, count: Effort.scaled(40)), photos(seed: 415, count: Effort.scaled(40))
    )
    let (oldAnswers, newAnswers) = (answers(old), answers(new))
    var sample = StepSample()
    _ = try FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      let folder = TemporaryFolder()
      let cache = try saved(old, in: folder)
      _ = disk.run { try? cache.save(new, clusterRadius: 15) }
      guard sample.includes(disk.failed) else { return }
      let found = try answers(cache)
      #expect(found == oldAnswers || found == newAnswers)
      #expect(!Corpus.paths(under: folder.root).contains { $0.string.hasSuffix(".new") })
    }
  }

  @Test func `in a read-only folder the document answers, and the obstacle is reported`() throws {
    let index = photos(seed: 416, count: 40)
    let cache = try saved(index, in: folder)
    folder.remove(mapped)
    let disk = FaultyDisk(after: 0, .readOnlyFileSystem, staysFaulty: true)
    let opened = try #require(try disk.run { try cache.open(clusterRadius: 15) })
    guard case .unmapped(_, .readOnlyFileSystem) = opened.obstacle else {
      Issue.record("\(String(describing: opened.obstacle))")
      return
    }
    #expect(answers(opened.index) == answers(index))
    #expect(!Corpus.paths(under: folder.root).contains(mapped))
  }

  @Test func `the file is read if the file system cannot map it`() throws {
    let index = photos(seed: 417, count: 40)
    let cache = try saved(index, in: folder)
    let disk = FaultyDisk(after: 0, .notSupported, staysFaulty: true)
    let opened = try #require(try disk.run { try cache.open(clusterRadius: 15) })
    #expect(disk.failed == .map && opened.obstacle == nil && opened.index.mapping != nil)
    #expect(answers(opened.index) == answers(index) && !opened.index.isCutOff)
  }

  @Test func `a hundred readers beside a writer each see one of the two indexes`() async throws {
    let indexes = [photos(seed: 418, count: 30), photos(seed: 419, count: 60)]
    let cache = try saved(indexes[0], in: folder)
    let counts = Set(indexes.map(\.fileCount))
    let spots = Dictionary(
      uniqueKeysWithValues: indexes.map { ($0.fileCount, $0.spots(clusterRadius: 15).map(\.id)) })
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        for round in 1...Effort.scaled(120) {
          try cache.save(indexes[round % 2], clusterRadius: 15)
        }
        return true
      }
      for _ in 0..<100 {
        group.addTask {
          for _ in 0..<Effort.scaled(5) {
            guard let opened = try cache.open(clusterRadius: 15), opened.obstacle == nil,
              counts.contains(opened.index.fileCount),
              opened.index.spots(clusterRadius: 15).map(\.id) == spots[opened.index.fileCount]
            else { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func `one of two concurrent writers waits, and the index stays valid`() async throws {
    let indexes = [photos(seed: 420, count: 30), photos(seed: 427, count: 60)]
    let cache = try saved(indexes[0], in: folder)
    let counts = Set(indexes.map(\.fileCount))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in indexes {
        group.addTask {
          var saved = 0
          while saved < Effort.scaled(40) {
            do throws(PhotoIndexCacheError) {
              let lock = try cache.lock()
              try cache.save(index, clusterRadius: 15)
              _ = consume lock
              saved += 1
            } catch {
              guard case .locked = error else { throw error }
              await Task.yield()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try #require(try cache.load())
    #expect(counts.contains(last.fileCount))
    #expect(try answers(cache) == answers(last))
  }

  @Test func `a foreign file in place of the mapped one is reported and left unchanged`()
    throws
  {
    let index = photos(seed: 411)
    try folder.write("mine", to: mapped)
    let foreign = PhotoIndexCacheError.foreign(mapped)
    #expect(try cache.save(index, clusterRadius: 15) == foreign)
    let opened = try #require(try cache.open(clusterRadius: 15))
    #expect(opened.obstacle == foreign && answers(opened.index) == answers(index))
    #expect(try folder.contents(of: mapped) == Array("mine".utf8))
  }

  @Test func `the mapped file has the document's permissions`() throws {
    try cache.save(PhotoIndex())
    try folder.setPermissions(of: cache.path, to: [.ownerReadWrite, .groupRead])
    try cache.save(photos(seed: 412), clusterRadius: 15)
    #expect(try folder.permissions(of: mapped) == [.ownerReadWrite, .groupRead])
  }

  // MARK: - Damage

  @Test(arguments: [421, 422, 423] as [UInt64])
  func `a damaged mapped file is replaced, or can be queried safely`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let index = photos(seed: seed, count: 40)
    try cache.save(index, clusterRadius: 15)
    let whole = try folder.contents(of: mapped)
    let document = try #require(cache.stamp()).identity
    // A file that no longer has our signature is treated as another program's.
    let start = 64
    let expected = answers(index)
    for round in 0..<Effort.scaled(30) {
      let damage = Damage.apply(to: Array(whole[start...]), using: &generator)
      try folder.write(whole[..<start] + damage, to: mapped)
      if let damaged = cache.mapped(document) {
        #expect(!answers(damaged).isEmpty, "seed \(seed), round \(round)")
        _ = damaged.spots(clusterRadius: 30)
      }
      // The next scan verifies all of it.
      #expect(cache.restoreMapped(index, clusterRadius: 15) == nil)
      #expect(
        try answers(#require(cache.mapped(document))) == expected,
        "seed \(seed), round \(round)")
    }
  }

  @Test func `random numbers in the sections of a mapped file do not crash queries`() throws {
    var generator = SeededGenerator(seed: 424)
    let index = photos(seed: 424, count: 40)
    try cache.save(index, clusterRadius: 15)
    let whole = try folder.contents(of: mapped)
    let document = try #require(cache.stamp()).identity
    let start = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 9
    for round in 0..<Effort.scaled(80) {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...200, using: &generator) {
        let place = Int.random(in: start..<whole.count, using: &generator)
        damaged[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      }
      try folder.write(damaged, to: mapped)
      // The head, which is whole, fits the document.
      let opened = try #require(cache.mapped(document), "round \(round)")
      #expect(!answers(opened).isEmpty)
      _ = opened.spots(clusterRadius: 30)
    }
  }

  @Test func `a truncated mapped file is replaced`() throws {
    let index = photos(seed: 425, count: 10)
    try cache.save(index, clusterRadius: 15)
    let whole = try folder.contents(of: mapped)
    let document = try #require(cache.stamp()).identity
    for length in stride(from: 0, to: whole.count, by: 97) {
      try folder.write(whole[..<length], to: mapped)
      #expect(cache.mapped(document) == nil, "\(length) bytes")
    }
    #expect(try answers(opened()) == answers(index))
  }

  @Test func `truncating a mapped file in use does not crash, and is detected`() throws {
    let index = photos(seed: 426, count: 400)
    try cache.save(index, clusterRadius: 15)
    let held = try opened()
    #expect(!held.isCutOff)
    let file = try FileDescriptor.open(mapped, .readWrite)
    try file.resize(to: 4096)
    try file.close()
    #expect(answers(held).count > index.photoCount)
    #expect(held.isCutOff)
  }
}
