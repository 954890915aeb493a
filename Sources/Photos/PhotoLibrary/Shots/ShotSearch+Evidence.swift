import PhotoMetadata

extension ShotSearch {
  /// Joins files of one folder by what they agree on: time, place, camera, and the core of their
  /// names, whatever marks a program added.
  mutating func joinByEvidence(_ files: [FileID], _ alike: inout AlikeRows) {
    let names = names
    alike.forEachGroup(
      of: files, hash: { NameTokens.hashOfKey(names.range(of: $0), in: names.bytes) },
      areAlike: { one, other in
        NameTokens.key(names.range(of: one), in: names.bytes)
          == NameTokens.key(names.range(of: other), in: names.bytes)
      }
    ) { group in
      if group.count <= Self.maximumGroupCount { joinByEvidence(group) }
    }
  }

  /// Joins the files of one folder whose names have the same numbers.
  private mutating func joinByEvidence(_ files: [FileID]) {
    let located = files.filter { index.files.photo[$0.row] != nil }
    guard !located.isEmpty, files.count > 1 else { return }
    let evidence = files.map { ShotEvidence($0, member($0), in: index, names) }
    var numbers: [[ArraySlice<UInt8>]: Set<[ArraySlice<UInt8>]>] = [:]
    var pairs: [(Int, Int, ShotEvidence.Count?)] = []
    for one in evidence.indices {
      for other in evidence.indices where other > one {
        guard let relation = evidence[one].relation(with: evidence[other])
        else { continue }
        if let count = relation.count { numbers[count.words, default: []].insert(count.numbers) }
        pairs.append((one, other, relation.count))
      }
    }
    // Files whose names differ only in a number are those of a burst.
    for (one, other, count) in pairs {
      if let count, numbers[count.words, default: []].count > 1 { continue }
      let (one, other) = (evidence[one], evidence[other])
      if one.isLocated, other.isLocated { joined.join(one.file, other.file) }
    }
    for file in evidence where !file.isLocated {
      let leads = evidence.filter { $0.isLocated && $0.relation(with: file) != nil }
      guard let first = leads.first,
        leads.allSatisfy({ joined.root(of: $0.file) == joined.root(of: first.file) })
      else { continue }
      joined.join(first.file, file.file)
    }
  }
}

/// The facts of a file that show whether it is of the same press as another.
struct ShotEvidence {
  let file: FileID
  private let member: ShotMember
  private let captured: CaptureTime?
  private let camera: CameraID?
  private let name: NameTokens

  init(_ file: FileID, _ member: ShotMember, in index: PhotoIndex, _ names: ShotNames) {
    (self.file, self.member) = (file, member)
    name = NameTokens(names.range(of: file), in: names.bytes)
    let time: CaptureTime?
    if let photo = index.files.photo[file.row] {
      (time, camera) = (member.captured, index.photos.camera[photo.row])
    } else if let row = index.unlocated.row(of: file) {
      let facts = index.unlocated[row]
      (time, camera) = (facts.captured?.exact, facts.camera)
    } else {
      (time, camera) = (nil, nil)
    }
    captured = time.flatMap { $0.mayBeDayOnly ? nil : $0 }
  }

  var isLocated: Bool { member.coordinate != nil }

  /// A number that the name of one of two files has, besides words, and the other has not.
  struct Count: Hashable {
    let words: [ArraySlice<UInt8>]
    let numbers: [ArraySlice<UInt8>]
  }

  /// The relation of two files of one press.
  struct Relation {
    /// The number that one of the names has besides words; `nil` if there is none.
    let count: Count?
  }

  /// Returns the relation with another file if both can be of one press; `nil` if not.
  func relation(with other: ShotEvidence) -> Relation? {
    guard captured != nil, other.captured != nil,
      camera == nil || other.camera == nil || camera == other.camera,
      isOfSameMoment(as: other), let (own, others, shareNumber) = name.compare(other.name)
    else { return nil }
    if !shareNumber {
      // Without a number the name tells little, so the times must be the same.
      guard own.isEmpty || others.isEmpty, captured == other.captured,
        member.coordinate == other.member.coordinate
      else { return nil }
    }
    guard own.words != others.words else { return nil }
    if own.numbers.isEmpty, others.numbers.isEmpty { return Relation(count: nil) }
    if !own.numbers.isEmpty, !others.numbers.isEmpty {
      return own.words.isEmpty || others.words.isEmpty ? nil : Relation(count: nil)
    }
    let counting = own.numbers.isEmpty ? others : own
    guard !counting.words.isEmpty else { return nil }
    return Relation(count: Count(words: counting.words, numbers: counting.numbers))
  }

  private func isOfSameMoment(as other: ShotEvidence) -> Bool {
    let differInKind = (member.form.kind == .movie) != (other.member.form.kind == .movie)
    if isLocated, other.isLocated {
      return differInKind
        ? member.agrees(with: other.member) : member.agreesClosely(with: other.member)
    }
    guard let captured, let otherCaptured = other.captured, isLocated || other.isLocated else {
      return false
    }
    return member.agreesInTime(captured, with: other.member, otherCaptured)
  }
}
