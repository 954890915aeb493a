/// The sidecars in a folder, matched to photos by name.
///
/// XMP sidecars are named `IMG_1.jpg.xmp` or `IMG_1.xmp`; the former takes precedence. Google
/// Takeout appends `.json`, or since 2024 `.supplemental-metadata.json`, to the photo's name, and
/// truncates the part before `.json` to 46 characters. The number of a second photo with the same
/// name moves from `IMG_1(1).jpg` to `IMG_1.jpg(1).json`. An edited copy, `IMG_1-edited.jpg`,
/// shares the sidecar of the original. Names are compared without case.
public struct SidecarNames: Sendable {
  private var xmp: [[UInt8]: Int] = [:]
  private var takeout: [TakeoutKey: Int] = [:]

  /// The name of a Takeout sidecar without its extension, split into the number and the rest.
  private struct TakeoutKey: Hashable {
    let core: ArraySlice<UInt8>
    let number: ArraySlice<UInt8>
  }

  /// The number of bytes to which Takeout truncates a name.
  private static let clippedLength = 46
  private static let supplement = Array(".supplemental-metadata".utf8)

  /// Creates an empty collection.
  public init() {}

  /// Whether there are no sidecars.
  public var isEmpty: Bool { xmp.isEmpty && takeout.isEmpty }

  /// Returns whether a file's name is that of a sidecar.
  public static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard name.count > 4 else { return false }
    let end = Self.lowercased(name.suffix(5))
    return end.suffix(4).elementsEqual(".xmp".utf8) || end.elementsEqual(".json".utf8)
  }

  /// Adds a sidecar.
  ///
  /// - Parameters:
  ///   - name: The bytes of the file's name.
  ///   - index: A number that identifies the sidecar in results.
  public mutating func add(_ name: some BidirectionalCollection<UInt8>, at index: Int) {
    let name = Self.lowercased(name)
    if name.suffix(4).elementsEqual(".xmp".utf8) {
      xmp[Array(name.dropLast(4))] = index
    } else if name.suffix(5).elementsEqual(".json".utf8) {
      let (core, number) = Self.withoutNumber(name.dropLast(5))
      takeout[TakeoutKey(core: core, number: number)] = index
    }
  }

  /// Returns the sidecars of a photo in order of precedence.
  public func sidecars(
    of photo: some BidirectionalCollection<UInt8>
  ) -> [(kind: Sidecar.Kind, index: Int)] {
    let name = Self.lowercased(photo)[...]
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    let suffix = name[stem.endIndex...]
    var found: [(kind: Sidecar.Kind, index: Int)] = []
    if let index = xmp[Array(name)] ?? xmp[Array(stem)] { found.append((.xmp, index)) }
    guard !takeout.isEmpty else { return found }
    let (base, number) = Self.withoutNumber(stem)
    if let index = takeout(base + suffix, number) ?? original(of: base, suffix, number) {
      found.append((.takeout, index))
    }
    return found
  }

  /// Returns the Takeout sidecar for a photo's name, whole or truncated; the longest match wins.
  private func takeout(_ name: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>) -> Int? {
    let whole = (name + Self.supplement)[...]
    for length in stride(from: whole.count, through: min(name.count, Self.clippedLength), by: -1) {
      let key = TakeoutKey(core: whole.prefix(length), number: number)
      if let index = takeout[key] { return index }
    }
    return nil
  }

  /// Returns the Takeout sidecar of the photo from which an edited copy was made.
  private func original(
    of base: ArraySlice<UInt8>, _ suffix: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>
  ) -> Int? {
    for edited in TakeoutEdit.suffixes where base.suffix(edited.count).elementsEqual(edited) {
      return takeout(base.dropLast(edited.count) + suffix, number)
    }
    return nil
  }

  /// Splits `name(1)` into `name` and `1`; the number is empty if there is none.
  private static func withoutNumber(
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

  private static func lowercased(_ name: some Collection<UInt8>) -> [UInt8] {
    name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
