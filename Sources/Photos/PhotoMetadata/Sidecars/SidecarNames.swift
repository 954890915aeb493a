/// The sidecars in a folder, matched to photos by name.
///
/// XMP sidecars are named `IMG_1.jpg.xmp` or `IMG_1.xmp`; both belong to the photo, and the former
/// takes precedence. Google Takeout appends `.json`, or since 2024 `.supplemental-metadata.json`,
/// to the photo's title, and truncates the part before `.json` to 46 characters. A title may lack
/// the extension. The number of a second photo with the same title moves from `IMG_1(1).jpg` to
/// `IMG_1.jpg(1).json`; a number of the title itself stays. An edited copy, `IMG_1-edited.jpg`,
/// shares the sidecar of the original, and the movie of a Live Photo or motion photo, which has
/// none, that of its picture.
///
/// A name agrees exactly, in another Unicode normalization form, or in other letter case. A sidecar
/// belongs only to the photos with which its name agrees best.
public struct SidecarNames: Sendable {
  /// The agreement of two names, best first. A raw value is the index of its table.
  enum Spelling: Int, CaseIterable {
    case exact, canonical, caseless

    /// Returns the form in which names are compared.
    func key(_ name: ArraySlice<UInt8>) -> Key {
      switch self {
      case .exact: .bytes(Array(name))
      case .canonical: .text(String(decoding: name, as: UTF8.self))
      case .caseless: .text(String(decoding: name, as: UTF8.self).lowercased())
      }
    }
  }

  /// A name in the form in which it is compared. Equal texts are canonically equivalent (Unicode
  /// Standard Annex 15).
  enum Key: Hashable { case bytes([UInt8]), text(String) }

  /// A Takeout title and the number that was moved behind it.
  private struct Title: Hashable {
    let core: Key
    let number: [UInt8]
  }

  /// The sidecars whose names agree in one spelling.
  private struct Table {
    var xmp: [Key: [Int]] = [:]
    /// The sidecars by title, those with the longest names first.
    var takeout: [Title: [Int]] = [:]
    /// The sidecars whose names may have been truncated, by the rest of their title.
    var truncated: [Title: [Int]] = [:]
  }

  /// A photo's candidate for a sidecar.
  private struct Claim {
    let kind: Sidecar.Kind
    let index: Int
    /// The agreement; the lowest is the best.
    let rank: Int
  }

  /// The number of characters to which Takeout truncates a name.
  private static let truncatedLength = 46
  private static let supplement = Array(".supplemental-metadata".utf8)

  private var tables = Spelling.allCases.map { _ in Table() }
  private var lengths: [Int: Int] = [:]
  /// The names of Takeout sidecars.
  private(set) var takeoutNames: [Int: TakeoutName] = [:]
  /// The length of the longest truncated name in bytes.
  private var longestTruncated = 0
  private var hasNonASCII = false

  /// Creates an empty collection.
  public init() {}

  /// Whether there are no sidecars.
  public var isEmpty: Bool { lengths.isEmpty }

  /// Returns whether a file's name is that of a sidecar.
  @inlinable
  public static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard name.count > 4 else { return false }
    return hasEnding(name, ".xmp") || hasEnding(name, ".json") && name.count > 5
  }

  /// Returns whether the name of a sidecar shows that it is one of a photo: it is XMP, or contains
  /// the name of a photo or Takeout's ending. Other JSON files may be anything.
  package static func namesPhoto(_ name: [UInt8]) -> Bool {
    guard hasEnding(name, ".json") else { return hasEnding(name, ".xmp") }
    let (core, _) = withoutNumber(name.dropLast(5))
    return PhotoFormats.claim(ofName: core) == .photo
      || (4...supplement.count).contains { isEnding(supplement.prefix($0), of: core) }
  }

  /// Adds a sidecar.
  ///
  /// - Parameters:
  ///   - name: The bytes of the file's name.
  ///   - index: A number that identifies the sidecar in results.
  public mutating func add(_ name: [UInt8], at index: Int) {
    let isXMP = Self.hasEnding(name, ".xmp")
    guard isXMP || Self.hasEnding(name, ".json") else { return }
    let core = Array(name.dropLast(isXMP ? 4 : 5))[...]
    lengths[index] = core.count
    if !Self.isASCII(core) { hasNonASCII = true }
    for spelling in spellings(of: core) {
      if isXMP {
        tables[spelling.rawValue].xmp[spelling.key(core), default: []].append(index)
      } else {
        addTakeout(core, at: index, spelling)
      }
    }
  }

  /// Returns the sidecars of one photo in order of precedence, without regard to other photos.
  public func sidecars(
    of photo: some BidirectionalCollection<UInt8>
  ) -> [(kind: Sidecar.Kind, index: Int)] {
    sidecars(ofAll: [Array(photo)[...]])[0]
  }

  /// Returns the sidecars of all photos of the folder, each in order of precedence.
  ///
  /// - Parameter photos: The names.
  /// - Returns: The sidecars of each photo. Several XMP sidecars are all its own; of several
  ///   Takeout sidecars only the first is.
  public func sidecars(
    ofAll photos: [ArraySlice<UInt8>]
  ) -> [[(kind: Sidecar.Kind, index: Int)]] {
    guard !isEmpty else { return photos.map { _ in [] } }
    let all = photos.map { claims(of: $0) }
    var best: [Int: Int] = [:]
    for claim in all.joined() {
      best[claim.index] = min(best[claim.index] ?? .max, claim.rank)
    }
    return all.map { claims in
      var hasTakeout = false
      var found: [(kind: Sidecar.Kind, index: Int)] = []
      for claim in claims where claim.rank == best[claim.index] {
        guard !found.contains(where: { $0.index == claim.index }) else { continue }
        if claim.kind == .takeout {
          if hasTakeout { continue }
          hasTakeout = true
        }
        found.append((claim.kind, claim.index))
      }
      return found
    }
  }

  // MARK: - Adding

  private mutating func addTakeout(
    _ name: ArraySlice<UInt8>, at index: Int, _ spelling: Spelling
  ) {
    let (core, digits) = Self.withoutNumber(name)
    let number = Array(digits)
    let whole = Title(core: spelling.key(core), number: number)
    Self.insert(whole, index, lengths, into: &tables[spelling.rawValue].takeout)
    // The ending may be truncated at any point.
    let last = core.last.map(Self.lowercased)
    for length in 1...Self.supplement.count
    where Self.supplement[length - 1] == last
      && Self.isEnding(Self.supplement.prefix(length), of: core)
    {
      let title = core.dropLast(length)
      guard !title.isEmpty else { continue }
      Self.insert(
        Title(core: spelling.key(title), number: number), index, lengths,
        into: &tables[spelling.rawValue].takeout)
    }
    let text = String(decoding: core, as: UTF8.self)
    let isCut = max(text.utf16.count, core.count) >= Self.truncatedLength
    takeoutNames[index] = TakeoutName(number: number, isCut: isCut)
    guard isCut else { return }
    longestTruncated = max(longestTruncated, core.count)
    Self.insert(whole, index, lengths, into: &tables[spelling.rawValue].truncated)
  }

  /// Adds a sidecar to those of a title, behind those with names that are as long or longer.
  private static func insert(
    _ title: Title, _ index: Int, _ lengths: [Int: Int], into table: inout [Title: [Int]]
  ) {
    var all = table[title] ?? []
    guard !all.contains(index) else { return }
    let length = lengths[index] ?? 0
    all.insert(index, at: all.firstIndex { lengths[$0] ?? 0 < length } ?? all.count)
    table[title] = all
  }

  // MARK: - Matching

  /// The spellings in which a name can agree with another without agreeing in an earlier one.
  private func spellings(of name: ArraySlice<UInt8>) -> [Spelling] {
    hasNonASCII && !Self.isASCII(name) ? Spelling.allCases : [.exact, .caseless]
  }

  private func claims(of photo: ArraySlice<UInt8>) -> [Claim] {
    let (stem, suffix) = Self.split(photo)
    var claims: [Claim] = []
    for name in suffix.isEmpty ? [photo] : [photo, stem] {
      for spelling in spellings(of: name) {
        let table = tables[spelling.rawValue].xmp
        guard !table.isEmpty, let found = table[spelling.key(name)] else { continue }
        claims += found.map { Claim(kind: .xmp, index: $0, rank: spelling.rawValue) }
        break
      }
    }
    guard !takeoutNames.isEmpty else { return claims }
    claimTakeout(stem, suffix, &claims)
    if let original = Self.original(of: stem, suffix) {
      claimTakeout(original[...], suffix, &claims)
    }
    if PhotoFormats.kind(ofName: photo) == .movie,
      !claims.contains(where: { $0.kind == .takeout })
    {
      for picture in Self.pictures {
        claimTakeout(stem, picture, &claims)
        // `PXL_1.MP` is the movie of `PXL_1.MP.jpg`.
        if Self.hasEnding(photo, ".mp") { claimTakeout(photo, picture, &claims) }
      }
    }
    return claims
  }

  /// The extensions of pictures with movies, as phones write them.
  private static let pictures = [".HEIC", ".heic", ".JPG", ".jpg", ".jpeg", ".JPEG"]
    .map { Array($0.utf8)[...] }

  /// Adds the Takeout sidecars of a photo's name: of its whole name, of the name with its number
  /// moved, and of the name without its extension.
  private func claimTakeout(
    _ stem: ArraySlice<UInt8>, _ suffix: ArraySlice<UInt8>, _ claims: inout [Claim]
  ) {
    let (base, number) = Self.withoutNumber(stem)
    claimTakeout(Array(stem + suffix)[...], [], form: 0, &claims)
    if !number.isEmpty {
      claimTakeout(Array(base + suffix)[...], number, form: 0, &claims)
    }
    // The file `metadata.json` describes the album.
    guard !suffix.isEmpty, !stem.elementsEqual("metadata".utf8) else { return }
    claimTakeout(stem, [], form: 1, &claims)
    if !number.isEmpty { claimTakeout(base, number, form: 1, &claims) }
  }

  private func claimTakeout(
    _ title: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>, form: Int, _ claims: inout [Claim]
  ) {
    for spelling in spellings(of: title) {
      let table = tables[spelling.rawValue]
      guard !table.takeout.isEmpty else { return }
      var found = table.takeout[Title(core: spelling.key(title), number: Array(number))]
      if found == nil, !table.truncated.isEmpty {
        found = truncated(title, number, spelling, table)
      }
      guard let found else { continue }
      let rank = form * Spelling.allCases.count + spelling.rawValue
      claims += found.map { Claim(kind: .takeout, index: $0, rank: rank) }
      return
    }
  }

  /// Returns the sidecars with the longest truncated form of a title; `nil` if there are none.
  private func truncated(
    _ title: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>, _ spelling: Spelling, _ table: Table
  ) -> [Int]? {
    let whole = title + Self.supplement
    var length = min(whole.count, 4 * longestTruncated)
    while length >= Self.truncatedLength {
      let key = spelling.key(whole.prefix(length))
      if let found = table.truncated[Title(core: key, number: Array(number))] { return found }
      length -= 1
    }
    return nil
  }

  // MARK: - Parts of names

  /// Splits a name into its stem and its extension, which begins with the dot.
  static func split(
    _ name: ArraySlice<UInt8>
  ) -> (stem: ArraySlice<UInt8>, suffix: ArraySlice<UInt8>) {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return (stem, name[stem.endIndex...])
  }

  /// The lengths in UTF-16 of names with extensions that Takeout may have truncated, with and
  /// without a number.
  static let cutLengths = 46...51

  /// Returns the stem of the original from which an edited copy was made.
  ///
  /// - Parameters:
  ///   - stem: The name without its extension.
  ///   - suffix: The extension. In a name that Takeout may have truncated, the mark may be too.
  /// - Returns: The stem; `nil` for another photo.
  static func original(of stem: ArraySlice<UInt8>, _ suffix: ArraySlice<UInt8>) -> [UInt8]? {
    let (base, _) = withoutNumber(stem)
    guard let dash = base.lastIndex(of: UInt8(ascii: "-")), dash > base.startIndex else {
      return nil
    }
    guard
      TakeoutEdit.isMark(base[dash...])
        || isCut(stem + suffix)
          && TakeoutEdit.isCutMark(base[dash...])
    else { return nil }
    return Array(base[..<dash] + stem[base.endIndex...])
  }

  private static func isCut(_ name: ArraySlice<UInt8>) -> Bool {
    // A character has one to three bytes for each unit of UTF-16.
    name.count >= cutLengths.lowerBound
      && cutLengths.contains(String(decoding: name, as: UTF8.self).utf16.count)
  }

  /// Splits `name(1)` into `name` and `1`; the number is empty if there is none.
  static func withoutNumber(
    _ name: ArraySlice<UInt8>
  ) -> (core: ArraySlice<UInt8>, number: ArraySlice<UInt8>) {
    guard name.last == UInt8(ascii: ")"), let open = name.lastIndex(of: UInt8(ascii: "(")) else {
      return (name, [])
    }
    let number = name[(open + 1)...].dropLast()
    guard !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return (name, [])
    }
    return (name[..<open], number)
  }

  private static func isASCII(_ name: ArraySlice<UInt8>) -> Bool {
    name.allSatisfy { $0 < 0x80 }
  }

  /// Returns whether a name has an extension, given in lower case.
  @inlinable
  static func hasEnding(
    _ name: some BidirectionalCollection<UInt8>, _ ending: String
  ) -> Bool {
    let ending = ending.utf8
    return name.count > ending.count
      && zip(name.suffix(ending.count), ending).allSatisfy { lowercased($0) == $1 }
  }

  /// Returns whether a name ends with some bytes in lower case.
  private static func isEnding(_ ending: ArraySlice<UInt8>, of name: ArraySlice<UInt8>) -> Bool {
    name.count >= ending.count
      && zip(name.suffix(ending.count), ending).allSatisfy { lowercased($0) == $1 }
  }

  @inlinable
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
