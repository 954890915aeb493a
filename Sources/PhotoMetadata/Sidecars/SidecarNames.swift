/// The names of the sidecars in a folder, and which photo each speaks for.
///
/// XMP: `IMG_1.jpg.xmp`, then `IMG_1.xmp`. Google Takeout puts `.json`, or since 2024
/// `.supplemental-metadata.json`, behind the photo's name and clips what comes before `.json` to 46
/// characters; the number of a second photo of the same name moves from `IMG_1(1).jpg` to
/// `IMG_1.jpg(1).json`; an edited copy, `IMG_1-edited.jpg`, has the original's. Letters are
/// compared without their case.
public struct SidecarNames: Sendable {
  private var xmp: [[UInt8]: Int] = [:]
  private var takeout: [TakeoutKey: Int] = [:]

  /// A Takeout sidecar's name without its ending and its number.
  private struct TakeoutKey: Hashable {
    let core: ArraySlice<UInt8>
    let number: ArraySlice<UInt8>
  }

  /// So many bytes of a name survive Takeout's clipping.
  private static let clippedLength = 46
  private static let supplement = Array(".supplemental-metadata".utf8)

  /// Creates the names of an empty folder.
  public init() {}

  /// Whether there is no sidecar.
  public var isEmpty: Bool { xmp.isEmpty && takeout.isEmpty }

  /// Whether a file may be a sidecar, by its name.
  public static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard name.count > 4 else { return false }
    let end = Self.lowercased(name.suffix(5))
    return end.suffix(4).elementsEqual(".xmp".utf8) || end.elementsEqual(".json".utf8)
  }

  /// Adds a sidecar.
  ///
  /// - Parameters:
  ///   - name: The file's name, as the system's bytes.
  ///   - index: What is given back for it.
  public mutating func add(_ name: some BidirectionalCollection<UInt8>, at index: Int) {
    let name = Self.lowercased(name)
    if name.suffix(4).elementsEqual(".xmp".utf8) {
      xmp[Array(name.dropLast(4))] = index
    } else if name.suffix(5).elementsEqual(".json".utf8) {
      let (core, number) = Self.withoutNumber(name.dropLast(5))
      takeout[TakeoutKey(core: core, number: number)] = index
    }
  }

  /// Returns the sidecars of a photo, in the order in which they are asked.
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

  /// The Takeout sidecar of a photo's name, whole or clipped; the one that keeps most of it.
  private func takeout(_ name: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>) -> Int? {
    let whole = (name + Self.supplement)[...]
    for length in stride(from: whole.count, through: min(name.count, Self.clippedLength), by: -1) {
      let key = TakeoutKey(core: whole.prefix(length), number: number)
      if let index = takeout[key] { return index }
    }
    return nil
  }

  /// The Takeout sidecar of the photo that an edited copy was made of.
  private func original(
    of base: ArraySlice<UInt8>, _ suffix: ArraySlice<UInt8>, _ number: ArraySlice<UInt8>
  ) -> Int? {
    for edited in TakeoutEdit.suffixes where base.suffix(edited.count).elementsEqual(edited) {
      return takeout(base.dropLast(edited.count) + suffix, number)
    }
    return nil
  }

  /// Splits `name(1)` into `name` and `1`; a name without a number has an empty one.
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
