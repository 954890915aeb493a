extension SidecarNames {
  /// The title of a photo in its Takeout sidecar.
  public enum OwnTitle: Hashable, Sendable {
    /// The title of the photo.
    case text(String)
    /// The file has no title, or belongs to something other than a photo.
    case none
    /// The file cannot be read now.
    case unreadable
  }

  /// The sidecars of the photos of a folder.
  public struct Assignment: Sendable {
    /// The sidecars of each photo, in order of precedence.
    public fileprivate(set) var sidecars: [[(kind: Sidecar.Kind, index: Int)]]
    /// The photos to which a sidecar may belong that cannot be read.
    public fileprivate(set) var uncertain: Set<Int> = []
  }

  /// Returns the sidecars of all photos of the folder, and asks Takeout sidecars for their titles
  /// where their names fit no photo, or several.
  ///
  /// Takeout cuts the names of photos and of sidecars at different places, numbers them apart, and
  /// replaces characters that a file system may not allow, so only the title inside tells which of
  /// two long names a sidecar belongs to. A photo that is the title of several sidecars gets none
  /// by title.
  ///
  /// - Parameters:
  ///   - photos: The names.
  ///   - title: Returns the title in a sidecar.
  /// - Returns: The sidecars of each photo, as ``sidecars(ofAll:)`` returns them.
  public func sidecars(
    ofAll photos: [ArraySlice<UInt8>], title: (Int) -> OwnTitle
  ) -> Assignment {
    var assignment = Assignment(sidecars: sidecars(ofAll: photos))
    guard !takeoutNames.isEmpty else { return assignment }
    var owners: [Int: [Int]] = [:]
    for (photo, found) in assignment.sidecars.enumerated() {
      for sidecar in found where sidecar.kind == .takeout {
        owners[sidecar.index, default: []].append(photo)
      }
    }
    let unsure = takeoutNames.keys.sorted().filter { sidecar in
      guard let photos = owners[sidecar].map({ $0.map { photos[$0] } }) else { return true }
      // A movie shares the sidecar of its picture.
      let pictures = photos.filter { PhotoFormats.kind(ofName: $0) != .movie }
      return Set((pictures.isEmpty ? photos : pictures).map(Self.nameOfOriginal)).count > 1
    }
    let isUnsure = Set(unsure)
    // The photos whose sidecar is not clear, or that have none.
    let open = photos.indices.filter { photo in
      let own = assignment.sidecars[photo].first { $0.kind == .takeout }
      return own.map { isUnsure.contains($0.index) } ?? true
    }
    guard !unsure.isEmpty, !open.isEmpty else { return assignment }
    decide(unsure, among: open, photos, owners, title, &assignment)
    return assignment
  }

  private func decide(
    _ unsure: [Int], among open: [Int], _ photos: [ArraySlice<UInt8>], _ owners: [Int: [Int]],
    _ title: (Int) -> OwnTitle, _ assignment: inout Assignment
  ) {
    let candidates = open.map { (photo: $0, name: TitledName(photos[$0])) }
    var winners: [(sidecar: Int, photos: [Int])] = []
    var wins: [Int: Int] = [:]
    for sidecar in unsure {
      guard let name = takeoutNames[sidecar] else { continue }
      switch title(sidecar) {
      case .none: continue
      case .unreadable: assignment.uncertain.formUnion(owners[sidecar] ?? open)
      case .text(let text):
        let written = WrittenTitle(text)
        let fits = candidates.compactMap { photo, own in
          own.rank(under: written, name).map { (photo: photo, rank: $0) }
        }
        guard let best = fits.map(\.rank).min() else { continue }
        let found = fits.filter { $0.rank == best }.map(\.photo)
        winners.append((sidecar, found))
        for photo in found { wins[photo, default: 0] += 1 }
      }
    }
    winners.removeAll { $0.photos.contains { wins[$0, default: 0] > 1 } }
    for (sidecar, _) in winners {
      for photo in owners[sidecar] ?? [] {
        assignment.sidecars[photo].removeAll { $0.kind == .takeout && $0.index == sidecar }
      }
    }
    for (sidecar, found) in winners {
      // The movie of a Live Photo keeps the sidecar of its picture.
      let stems = Set(found.map { Self.stem(photos[$0]) })
      let movies = (owners[sidecar] ?? []).filter {
        PhotoFormats.kind(ofName: photos[$0]) == .movie && stems.contains(Self.stem(photos[$0]))
      }
      for photo in Set(found + movies) {
        guard !assignment.sidecars[photo].contains(where: { $0.kind == .takeout }) else { continue }
        assignment.sidecars[photo].append((.takeout, sidecar))
      }
    }
  }

  private static func stem(_ name: ArraySlice<UInt8>) -> [UInt8] { Array(split(name).stem) }

  private static func nameOfOriginal(_ name: ArraySlice<UInt8>) -> [UInt8] {
    let (stem, suffix) = split(name)
    return (original(of: stem, suffix) ?? Array(stem)) + suffix
  }

  /// The name of a Takeout sidecar, as far as it tells which of several photos of one title it is.
  struct TakeoutName {
    /// The number at the end, without the parentheses; empty if there is none.
    let number: [UInt8]
    /// Whether the name may have been truncated.
    let isCut: Bool
  }

  /// A title, in the form in which titles and names of files are compared.
  private struct WrittenTitle {
    let whole: String
    /// The title without the extension, and the extension with its dot.
    let stem: String
    let suffix: String

    init(_ text: String) {
      whole = TitledName.key(text)
      let dot = whole.lastIndex(of: ".") ?? whole.endIndex
      stem = String(whole[..<dot])
      suffix = String(whole[dot...])
    }
  }

  /// The name of a photo, in the form in which it is compared with titles.
  private struct TitledName {
    /// The name of the original without the extension, and the same without a number.
    private let stem: String
    private let base: String
    private let number: [UInt8]
    private let suffix: String

    init(_ name: ArraySlice<UInt8>) {
      let (written, suffix) = SidecarNames.split(name)
      let original = SidecarNames.original(of: written, suffix) ?? Array(written)
      let (base, number) = SidecarNames.withoutNumber(original[...])
      stem = Self.key(String(decoding: original, as: UTF8.self))
      self.base = Self.key(String(decoding: base, as: UTF8.self))
      self.suffix = Self.key(String(decoding: suffix, as: UTF8.self))
      self.number = Array(number)
    }

    /// Returns a text in lower case, with the characters that Takeout replaces by `_`. Equal keys
    /// are canonically equivalent.
    static func key(_ text: String) -> String {
      String(text.lowercased().map { #"\/:*?"<>|%&'"#.contains($0) || $0 == "\0" ? "_" : $0 })
    }

    /// Returns how well the name fits a title and the number of its sidecar, best first; `nil` if
    /// it does not.
    func rank(under title: WrittenTitle, _ sidecar: TakeoutName) -> Int? {
      // The number of the photo's own title stays; that of a second photo is the sidecar's too. The
      // number of a truncated name counts the sidecars of one beginning.
      let isNumbered = !sidecar.number.isEmpty
      if !isNumbered || sidecar.isCut, let rank = rank(stem, title) {
        return rank + (isNumbered ? 1 : 0)
      }
      guard isNumbered, number == sidecar.number else { return nil }
      return rank(base, title)
    }

    private func rank(_ stem: String, _ title: WrittenTitle) -> Int? {
      if stem == title.stem, suffix == title.suffix { return 0 }
      if stem == title.whole { return 2 }
      guard suffix == title.suffix || title.suffix.isEmpty,
        SidecarNames.cutLengths.contains(stem.utf16.count + suffix.utf16.count),
        title.stem.hasPrefix(stem)
      else { return nil }
      return 4
    }
  }
}
