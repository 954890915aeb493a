package import PhotoLibrary
import PhotoMetadata
import Spatial

/// The photos of an index for which a database has positions.
package struct PositionMatches: Sendable {
  /// A photo without a position of its own.
  package struct Match: Sendable {
    /// The photo.
    package let photo: UnlocatedPhoto
    /// The position from the database.
    package let position: GivenPosition
    /// The basis of the match.
    package let basis: PhotoMatching.Basis
  }

  /// Records that were not used.
  package struct Rejected: Sendable {
    /// The number of records.
    package fileprivate(set) var count = 0
    /// The paths of the first ones as stored in the database.
    package fileprivate(set) var examples: [[UInt8]] = []

    fileprivate mutating func add(_ record: RecordedPhoto) {
      count += 1
      if examples.count < PositionMatches.exampleCount {
        examples.append(record.paths.first?.text ?? [])
      }
    }
  }

  /// The maximum number of examples of each kind.
  package static let exampleCount = 20

  /// The matched photos, in the order of the index.
  package private(set) var matches: [Match] = []
  /// The number of photos that have a position of their own, which is kept.
  package private(set) var ownCount = 0
  /// Records of photos that are not in the index.
  package private(set) var missing = Rejected()
  /// Records that match several photos, or that give different positions for one photo.
  package private(set) var ambiguous = Rejected()
  /// Records whose time or size differs from that of the photo with their path.
  package private(set) var contradicted = Rejected()

  /// The best record found so far for a photo.
  private struct Claim {
    var record: Int
    var basis: PhotoMatching.Basis
    var depth: Int
    var isCopy: Bool
    /// Whether an equally good record has another position.
    var isContested = false

    var rank: (PhotoMatching.Basis, Int, Int) { (basis, depth, isCopy ? 0 : 1) }
  }

  /// Matches records with the photos of an index, which must not have been read for questions only.
  package init(_ records: PositionRecords, with index: PhotoIndex) {
    let matching = PhotoMatching(index)
    var claims: [Int32: Claim] = [:]
    for (number, record) in records.photos.enumerated() {
      let results = record.paths.enumerated().map { place, path in
        matching.find(path, of: record, isOwn: place == 0)
      }
      var isFound = false
      for (photo, basis, depth) in results.flatMap(\.found) {
        isFound = true
        let claim = Claim(record: number, basis: basis, depth: depth, isCopy: record.isCopy)
        claims[photo] = claims[photo].map { Self.better(claim, $0, records.photos) } ?? claim
      }
      guard !isFound else { continue }
      switch results.first {
      case .ambiguous: ambiguous.add(record)
      case .contradicted: contradicted.add(record)
      case .found, .copies, .missing, nil: missing.add(record)
      }
    }
    let unlocated = index.unlocatedPhotos.filter { !$0.path.isRemote }
    for (photo, claim) in claims.sorted(by: { $0.key < $1.key }) {
      let record = records.photos[claim.record]
      if claim.isContested {
        ambiguous.add(record)
      } else if Int(photo) < unlocated.count {
        let position = GivenPosition(
          record.coordinate, altitudeMeters: record.altitudeMeters, source: .imported)
        matches.append(
          Match(photo: unlocated[Int(photo)], position: position, basis: claim.basis))
      } else {
        ownCount += 1
      }
    }
  }

  /// Returns the claim with the higher rank; of equal ranks the older one, contested if the
  /// positions differ.
  private static func better(_ new: Claim, _ old: Claim, _ records: [RecordedPhoto]) -> Claim {
    if new.rank > old.rank { return new }
    guard new.rank == old.rank else { return old }
    var old = old
    let (first, second) = (records[old.record].coordinate, records[new.record].coordinate)
    let isSame =
      abs(first.latitude - second.latitude) < 1e-7
      && abs(first.longitude - second.longitude) < 1e-7
    old.isContested = old.isContested || !isSame
    return old
  }

  /// Assigns the positions to the photos of the index.
  ///
  /// - Returns: The number of photos whose position changed.
  package func apply(to index: inout PhotoIndex) -> Int {
    index.assign(matches.map { (photo: $0.photo, position: $0.position) })
  }

  /// Removes all imported positions.
  ///
  /// - Returns: The number of photos whose position was removed.
  package static func drop(from index: inout PhotoIndex) -> Int {
    let imported = index.unlocatedPhotos.filter { $0.given?.source == .imported }
    return index.assign(imported.map { (photo: $0, position: nil) })
  }
}

extension PhotoMatching.Result {
  /// The photos that match, with the basis and the number of common path components.
  fileprivate var found: [(photo: Int32, basis: PhotoMatching.Basis, depth: Int)] {
    switch self {
    case .found(let photo, let basis, let depth): [(photo, basis, depth)]
    case .copies(let photos, let basis, let depth): photos.map { ($0, basis, depth) }
    case .ambiguous, .contradicted, .missing: []
    }
  }
}
