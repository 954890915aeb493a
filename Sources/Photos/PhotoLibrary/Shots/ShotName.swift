import PhotoMetadata

/// A file's name, parsed into its core, which all files of a shot share, and a mark of an edited
/// copy.
///
/// The core is the name without its extension and without
/// - the mark of an edited copy: `IMG_1-edited.jpg` in Google Takeout, also in other languages and
///   before a number, `IMG_1-edited(1).jpg`; `IMG_E1234.JPG` of the iPhone; `IMG_1_edited.jpg` of
///   osxphotos; `IMG_1-Edit.tif` of Lightroom; `PXL_20250907_130834063~2.jpg` of Google Photos on a
///   phone;
/// - the suffixes with which Pixel phones describe a file's processing, also before such a mark:
///   `PXL_1.MP.jpg`, `PXL_1.RAW-01.COVER.jpg` and `PXL_1.RAW-02.ORIGINAL.dng`,
///   `PXL_1.PORTRAIT-02.ORIGINAL.jpg`;
/// - the suffix `_HEVC` of a movie, which icloudpd adds to that of a Live Photo.
///
/// Letters are compared case-insensitively. A number is part of the core: `IMG_1(1).jpg` is a
/// different photo from `IMG_1.jpg`, and `IMG_1_01.jpg` may be one.
struct ShotName {
  /// The core as a range of the names, and a range within it to leave out.
  private let core: Range<Int>
  private let hole: Range<Int>
  /// Whether the name is that of an edited copy.
  let isEdited: Bool

  /// Parses a name.
  ///
  /// - Parameters:
  ///   - name: The range of the name, which is not empty.
  ///   - names: The bytes of many names.
  init(_ name: Range<Int>, in names: [UInt8]) {
    let dot = names.last(UInt8(ascii: "."), in: name) ?? name.upperBound
    var stem = name.lowerBound..<dot
    if names.hasSuffix("_hevc", in: stem), PhotoFormats.kind(ofName: names[name]) == .movie {
      stem = stem.dropLast("_hevc".utf8.count)
    }
    core = stem
    let numberStart = Self.endBeforeNumber(stem, names)
    let markStart = Self.endBeforeEditMark(stem.lowerBound..<numberStart, names)
    let partsStart = Self.endBeforeCameraParts(stem.lowerBound..<markStart, names)
    if partsStart == numberStart, let letter = Self.appleEditMark(in: stem, names) {
      hole = letter
      isEdited = true
    } else {
      hole = partsStart..<numberStart
      isEdited = markStart < numberStart
    }
  }

  /// Returns whether another name has the same core.
  func hasCore(of other: ShotName, in names: [UInt8]) -> Bool {
    guard coreCount == other.coreCount else { return false }
    for offset in 0..<coreCount
    where names[place(offset)].lowercased != names[other.place(offset)].lowercased { return false }
    return true
  }

  /// Returns a hash of the core, valid within this run of the program.
  func hashOfCore(in names: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    var word: UInt64 = 0
    for offset in 0..<coreCount {
      word = word << 8 | UInt64(names[place(offset)].lowercased)
      if offset % 8 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    hasher.combine(word)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  private var coreCount: Int { core.count - hole.count }

  private func place(_ offset: Int) -> Int {
    let place = core.lowerBound + offset
    return place < hole.lowerBound ? place : place + hole.count
  }

  // MARK: - Camera parts

  /// Returns the end of a name without the suffixes of Pixel phones.
  private static func endBeforeCameraParts(_ stem: Range<Int>, _ names: [UInt8]) -> Int {
    var rest = stem
    var end = stem.upperBound
    while let dot = names.last(UInt8(ascii: "."), in: rest), dot > stem.lowerBound {
      let part = dot + 1..<rest.upperBound
      if names.isNumbered("raw-", in: part) || names.isNumbered("portrait-", in: part)
        || names.holds("mp", in: part)
      {
        end = dot
      } else if !names.holds("cover", in: part), !names.holds("original", in: part) {
        // These two are suffixes only after one of the others, since a photo may be named
        // `album.cover.jpg`.
        break
      }
      rest = stem.lowerBound..<dot
    }
    return end
  }

  // MARK: - Edited copies

  /// The suffixes of edited copies, which may be followed by a number.
  private static let suffixes =
    TakeoutEdit.suffixes + ["-edit", "_edited"].map { Array($0.utf8) }

  /// Returns the end of a name without the mark of an edited copy.
  private static func endBeforeEditMark(_ stem: Range<Int>, _ names: [UInt8]) -> Int {
    guard let start = stem.last(where: { names[$0].isEditSeparator }), start > stem.lowerBound,
      start + 1 < stem.upperBound
    else { return stem.upperBound }
    let mark = start..<stem.upperBound
    let isMark: Bool
    if names[start] == UInt8(ascii: "~") {
      // After at most six letters it is a DOS short name: `DSC_00~1.JPG`.
      isMark =
        mark.count <= 3 && names.areDigits(mark.dropFirst()) && start - stem.lowerBound > 6
    } else {
      // Most names end in a number, with which no mark begins.
      isMark =
        !names[start + 1].isDigit
        && suffixes.contains { $0.count == mark.count && names.hasSuffix($0, in: mark) }
    }
    return isMark ? start : stem.upperBound
  }

  /// Returns the end of a name without a number in parentheses.
  private static func endBeforeNumber(_ stem: Range<Int>, _ names: [UInt8]) -> Int {
    guard let last = stem.last, names[last] == UInt8(ascii: ")"),
      let open = names.last(UInt8(ascii: "("), in: stem), names.areDigits(open + 1..<last)
    else { return stem.upperBound }
    return open
  }

  /// Returns the range of the E in `IMG_E1234`, if at least four digits follow.
  private static func appleEditMark(in stem: Range<Int>, _ names: [UInt8]) -> Range<Int>? {
    let letter = stem.lowerBound + 4
    guard stem.count >= 9, names.holds("img_e", in: stem.lowerBound..<letter + 1),
      names.areDigits(letter + 1..<letter + 5)
    else { return nil }
    return letter..<letter + 1
  }
}

extension [UInt8] {
  /// Returns the last index of a byte in a range.
  func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.upperBound
    while place > range.lowerBound {
      place -= 1
      if self[place] == byte { return place }
    }
    return nil
  }

  /// Returns whether a range equals a lower-case ASCII text, compared case-insensitively.
  func holds(_ text: StaticString, in range: Range<Int>) -> Bool {
    range.count == text.utf8CodeUnitCount && hasSuffix(text, in: range)
  }

  /// Returns whether a range ends with a lower-case ASCII text, compared case-insensitively.
  func hasSuffix(_ text: StaticString, in range: Range<Int>) -> Bool {
    text.withUTF8Buffer { hasSuffix($0, in: range) }
  }

  /// Returns whether a range ends with some bytes, ASCII letters compared case-insensitively.
  func hasSuffix(_ suffix: some RandomAccessCollection<UInt8>, in range: Range<Int>) -> Bool {
    guard range.count >= suffix.count else { return false }
    var place = range.upperBound - suffix.count
    for byte in suffix {
      guard self[place].lowercased == byte else { return false }
      place += 1
    }
    return true
  }

  /// Returns whether a range consists of a text and two digits, compared case-insensitively.
  fileprivate func isNumbered(_ text: StaticString, in range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount + 2 else { return false }
    let digits = range.upperBound - 2
    return areDigits(digits..<range.upperBound) && hasSuffix(text, in: range.lowerBound..<digits)
  }

  /// Returns whether a range is not empty and contains only digits.
  func areDigits(_ range: Range<Int>) -> Bool {
    !range.isEmpty && range.allSatisfy { self[$0].isDigit }
  }
}

extension UInt8 {
  /// The byte in lower case if it is an ASCII letter; unchanged otherwise.
  var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  var isDigit: Bool { (0x30...0x39).contains(self) }

  fileprivate var isEditSeparator: Bool {
    self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }
}
