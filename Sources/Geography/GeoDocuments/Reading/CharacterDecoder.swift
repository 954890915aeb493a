import CLibrary

/// Converts text of any character encoding that the C library knows to UTF-8.
enum CharacterDecoder {
  /// A text in UTF-8.
  struct Text: Sendable {
    /// The text. Each byte that is not part of a character is U+FFFD in it.
    var bytes: [UInt8]
    /// The number of such bytes.
    var badByteCount: Int
  }

  /// The reason why a text is not converted.
  enum Failure: Error, Hashable, Sendable {
    /// The name is not that of an encoding, or the C library of this machine does not know it.
    case unknown
    /// The text in UTF-8 would be longer than the limit.
    case tooLong
  }

  private static let pieceSize = 1 << 16
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// The names by which files declare an encoding, and the one that their programs write (Encoding
  /// Standard, section 4.2, "Names and labels"). Others are given to the C library as they are.
  private static let labels: [String: String] = {
    let table = [
      "CP1252": "ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso_8859-1 latin1 l1 x-cp1252",
      "CP1254": "iso-8859-9 iso8859-9 iso_8859-9 latin5 l5 x-cp1254",
      "CP874": "iso-8859-11 tis-620 dos-874", "CP1251": "x-cp1251", "CP1250": "x-cp1250",
      "CP932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932",
      "GB18030": "gb2312 gb_2312 gb_2312-80 gbk x-gbk chinese csgb2312",
      "CP949": "euc-kr ks_c_5601-1987 ksc5601 ksc_5601 korean windows-949",
      "BIG5-HKSCS": "big5 cn-big5 x-x-big5 csbig5", "EUC-JP": "x-euc-jp",
      "MACINTOSH": "x-mac-roman mac", "MAC-CYRILLIC": "x-mac-cyrillic",
      "UTF-8": "utf8 unicode-1-1-utf-8",
    ]
    var labels: [String: String] = [:]
    for (name, list) in table {
      for label in list.split(separator: " ") { labels[String(label)] = name }
    }
    return labels
  }()

  /// Returns the name that the C library is asked for; `nil` where the text is not a name.
  ///
  /// Names have the characters of XML 1.0, production 81 (EncName), so that neither a path nor an
  /// option such as `//TRANSLIT` reaches the C library.
  static func name(_ declared: String) -> String? {
    let bytes = declared.utf8
    guard let first = bytes.first, isLetter(first), bytes.count <= 40 else { return nil }
    let isName = bytes.allSatisfy { byte in
      isLetter(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isName else { return nil }
    return labels[declared.lowercased()] ?? declared.uppercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// Converts a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - declared: The name of its encoding, in any case.
  ///   - limit: The maximum length in bytes of the text in UTF-8.
  /// - Returns: The text in UTF-8.
  /// - Throws: A ``Failure`` where the encoding is not known, or the text is too long.
  /// - Complexity: O(*n*), where *n* is the number of bytes; beside the result, 64 KiB of memory.
  static func text(
    _ bytes: some Collection<UInt8>, encoding declared: String, limit: Int = 1 << 30
  ) throws(Failure) -> Text {
    // No byte above 127 is ASCII, so the text is in another encoding than it declares.
    let isUTF8 =
      ["ascii", "us-ascii"].contains(declared.lowercased())
      && String(validating: bytes, as: UTF8.self) != nil
    guard let name = isUTF8 ? "UTF-8" : name(declared), let conversion = Conversion(from: name)
    else { throw .unknown }
    var text = Text(bytes: [], badByteCount: 0)
    text.bytes.reserveCapacity(min(limit, bytes.count + bytes.count / 4))
    var rest = Array(bytes)[...]
    var isDone = false
    while !isDone {
      let step = conversion.step(rest, pieceSize: pieceSize)
      text.bytes += step.output
      rest = rest.dropFirst(step.consumedCount)
      if step.isBad || (step.output.isEmpty && step.consumedCount == 0 && !rest.isEmpty) {
        text.bytes += replacement
        text.badByteCount += 1
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        text.bytes += conversion.end()
        isDone = true
      }
      guard text.bytes.count <= limit else { throw .tooLong }
    }
    return text
  }
}

/// A conversion to UTF-8 by `iconv` (POSIX.1-2017).
@safe private struct Conversion: ~Copyable {
  private let descriptor: iconv_t

  /// Begins a conversion; `nil` where the C library does not know the encoding.
  init?(from name: String) {
    guard let descriptor = unsafe iconv_open("UTF-8", name),
      unsafe descriptor != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    unsafe self.descriptor = descriptor
  }

  deinit { unsafe iconv_close(descriptor) }

  struct Step {
    var output: [UInt8] = []
    var consumedCount = 0
    /// Whether the next byte is not part of a character.
    var isBad = false
  }

  /// Converts the beginning of a text: as much as fits into a piece, at most up to a bad byte.
  borrowing func step(_ input: ArraySlice<UInt8>, pieceSize: Int) -> Step {
    var step = Step()
    guard !input.isEmpty else { return step }
    // iconv does not write to its input, but its parameter is not constant.
    var input = Array(input.prefix(pieceSize))
    let isWhole = input.count < pieceSize
    step.output = unsafe [UInt8](unsafeUninitializedCapacity: pieceSize * 4) { output, count in
      let capacity = output.count
      unsafe input.withUnsafeMutableBytes { input in
        var next = unsafe input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        var free = capacity
        unsafe output.withMemoryRebound(to: CChar.self) { output in
          var end = output.baseAddress
          let result = unsafe iconv(descriptor, &next, &left, &end, &free)
          // EINVAL is a part of a character, which the next piece completes.
          let isIncomplete = errno == EINVAL && !isWhole && left < input.count
          step.isBad = result == -1 && errno != E2BIG && !isIncomplete
        }
        step.consumedCount = input.count - left
        count = capacity - free
      }
    }
    return step
  }

  /// Returns what ends the text in an encoding with states.
  borrowing func end() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 64) { output, count in
      var free = output.count
      let capacity = free
      unsafe output.withMemoryRebound(to: CChar.self) { output in
        var end = output.baseAddress
        _ = unsafe iconv(descriptor, nil, nil, &end, &free)
      }
      count = capacity - free
    }
  }
}
