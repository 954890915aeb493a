import PhotoMetadata
import Spatial
import TestSupport
import Testing

@testable import PhotoLibrary

/// A straightforward implementation of the rule, without regard to speed.
private struct ShotTwin {
  let rows: [ShotRow]
  private(set) var sets: [Set<Int>] = []
  private let members: [ShotMember]

  /// - Parameter rows: In the order of the index.
  init(_ rows: [ShotRow]) {
    self.rows = rows
    let index = PhotoIndex(rows)
    members = rows.indices.map { ShotMember(FileID($0), in: index) }
    sets = rows.indices.map { [$0] }
    for (one, other) in pairs where rows[one].folder == rows[other].folder {
      if areOfOneName(one, other), areOfOneMoment(one, other) { join(one, other) }
    }
    for file in rows.indices where rows[file].coordinate == nil {
      let alike = rows.indices.filter {
        rows[$0].folder == rows[file].folder && areOfOneName($0, file)
          && rows[$0].coordinate != nil
      }
      guard Set(alike.map { set(of: $0) }).count == 1,
        let lead = alike.min(by: { members[$0].order < members[$1].order })
      else { continue }
      if members[lead].form != members[file].form { join(lead, file) }
    }
    for (one, other) in pairs where rows[one].folder == rows[other].folder {
      if differInCopy(one, other), areOfOneMoment(one, other) { join(one, other) }
    }
    joinCopies()
  }

  private var pairs: [(Int, Int)] {
    rows.indices.flatMap { one in rows.indices.dropFirst(one + 1).map { (one, $0) } }
  }

  func set(of file: Int) -> Set<Int> { sets.first { $0.contains(file) } ?? [] }

  private func areOfOneName(_ one: Int, _ other: Int) -> Bool {
    let names = Array(rows[one].name.utf8) + Array(rows[other].name.utf8)
    let middle = rows[one].name.utf8.count
    return ShotName(0..<middle, in: names)
      .hasCore(of: ShotName(middle..<names.count, in: names), in: names)
  }

  /// In the layouts of the test, "copy" is the only word that is not a mark of edited copies.
  private func differInCopy(_ one: Int, _ other: Int) -> Bool {
    let stems = [one, other].map { rows[$0].name.split(separator: ".")[0].lowercased() }
    return stems[0] == stems[1] + " copy" || stems[1] == stems[0] + " copy"
  }

  /// In the layouts of the test, times and places are the same or far apart.
  private func areOfOneMoment(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (rows[one], rows[other])
    return one.coordinate != nil && one.coordinate == other.coordinate
      && one.captured == other.captured
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (set(of: one), set(of: other))
    sets.removeAll { $0 == first || $0 == second }
    sets.append(first.union(second))
  }

  private mutating func joinIfApart(_ one: Int, _ other: Int) -> Bool {
    let (first, second) = (set(of: one), set(of: other))
    if first == second { return true }
    guard Set(first.map { rows[$0].folder }).isDisjoint(with: second.map { rows[$0].folder }) else {
      return false
    }
    join(one, other)
    return true
  }

  private func copyName(_ file: Int) -> [UInt8] {
    let name = Array(rows[file].name.utf8)
    return CopyName.original(of: 0..<name.count, in: name)
  }

  private mutating func joinCopies() {
    var classes: [[Int]] = []
    for file in rows.indices where rows[file].coordinate != nil {
      let place = classes.firstIndex { group in
        let (one, other) = (rows[group[0]], rows[file])
        return one.size == other.size && one.coordinate == other.coordinate
          && one.captured?.instant == other.captured?.instant && one.model == other.model
      }
      if let place { classes[place].append(file) } else { classes.append([file]) }
    }
    func isClear(_ group: [Int]) -> Bool {
      Set(group.map { rows[$0].folder }).count == group.count
    }
    for group in classes {
      for one in group {
        for other in group
        where one < other && rows[one].folder == rows[other].folder
          && copyName(one) == copyName(other)
        { join(one, other) }
      }
    }
    for group in classes.filter(isClear) + classes.filter({ !isClear($0) }) { match(group) }
  }

  /// Pairs the k-th file of one folder with the k-th of another, after files joined already and
  /// equal names.
  private mutating func match(_ group: [Int]) {
    var photos: [Int] = []
    var names: [[UInt8]: Int] = [:]
    for folder in group.map({ rows[$0].folder }).uniqued() {
      var files: [Int] = []
      for file in group where rows[file].folder == folder {
        if !files.contains(where: { set(of: $0) == set(of: file) }) { files.append(file) }
      }
      var taken: Set<Int> = []
      let known = photos.count
      files.removeAll { file in
        guard let photo = photos.firstIndex(where: { set(of: $0) == set(of: file) }) else {
          return false
        }
        taken.insert(photo)
        return true
      }
      var left: [Int] = []
      for file in files {
        if let photo = names[copyName(file)], !taken.contains(photo),
          joinIfApart(file, photos[photo])
        {
          taken.insert(photo)
        } else {
          left.append(file)
        }
      }
      for file in left {
        let name = copyName(file)
        if rows[file].captured != nil, let free = (0..<known).first(where: { !taken.contains($0) }),
          joinIfApart(file, photos[free])
        {
          taken.insert(free)
          if names[name] == nil { names[name] = free }
        } else {
          photos.append(file)
          if names[name] == nil { names[name] = photos.count - 1 }
        }
      }
    }
  }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

@Suite struct ShotTwinTests {
  /// Files with few names, sizes, times and places in a few folders, so that many are alike.
  private func rows(seed: UInt64) -> [ShotRow] {
    var generator = SeededGenerator(seed: seed)
    let names = [
      "IMG_1111.JPG", "IMG_1111.NEF", "IMG_1111.MOV", "IMG_E1111.JPG", "IMG_1111 (1).JPG",
      "IMG_1111 copy.NEF", "IMG_2222.NEF", "IMG_2222.JPG", "IMG_2222-edited.jpg", "x.NEF", "y.NEF",
    ]
    let folders = ["A", "B", "B/C", "D"].prefix(Int.random(in: 1...4, using: &generator))
    return folders.flatMap { folder in
      names.filter { _ in Int.random(in: 0..<5, using: &generator) < 3 }.map { name in
        var row = ShotRow("\(folder)/\(name)", size: Int64.random(in: 1...2, using: &generator))
        if Int.random(in: 0..<4, using: &generator) == 0 { row = row.later(60) }
        if Int.random(in: 0..<6, using: &generator) == 0 { row = row.north(1000) }
        if Int.random(in: 0..<6, using: &generator) == 0 { row = row.unlocated }
        return row
      }
    }
  }

  private func sorted(_ rows: [ShotRow]) -> [ShotRow] {
    rows.sorted {
      $0.folder != $1.folder
        ? $0.folder.utf8.lexicographicallyPrecedes($1.folder.utf8)
        : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  @Test func `shots agree with a brute-force implementation of the rule`() {
    var shots = 0
    for seed in UInt64(1)...300 {
      let rows = sorted(rows(seed: seed))
      let index = PhotoIndex(rows)
      let twin = ShotTwin(rows)
      let found = Set(index.shotPaths.map { Set($0) })
      let expected = Set(twin.sets.filter { $0.count > 1 }.map { Set($0.map { rows[$0].path }) })
      #expect(found == expected, "seed \(seed)")
      #expect(
        index.shotCount
          == twin.sets.count { set in set.contains { rows[$0].coordinate != nil } })
      shots += found.count
    }
    #expect(shots > 500)
  }

  @Test func `a file is in at most one shot, and each shot begins with its best file`() {
    for seed in UInt64(301)...400 {
      let index = PhotoIndex(rows(seed: seed))
      #expect(Set(index.shots.files).count == index.shots.files.count, "seed \(seed)")
      for shot in index.shots.ids {
        let files = Array(index.shots[shot])
        let orders = files.map { ShotMember($0, in: index).order }
        #expect(orders == orders.sorted() && files.count > 1, "seed \(seed)")
        #expect(index.files[files[0]].photo != nil)
        for file in files { #expect(index.files[file].shot == shot) }
      }
      let joined = Set(index.shots.files)
      for file in index.files.ids where !joined.contains(file) {
        #expect(index.files[file].shot == nil)
      }
    }
  }
}
