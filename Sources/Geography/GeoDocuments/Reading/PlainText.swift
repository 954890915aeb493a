/// Converts descriptions in HTML to plain text.
enum PlainText {
  /// Returns whether a text contains HTML tags that are usual in descriptions.
  static func isMarkup(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
    var rest = Array(text.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if let name = tagName(rest), known.contains(name) { return true }
    }
    return false
  }

  /// Returns the addresses of the pictures in HTML, in their order; those of pictures within the
  /// text itself begin with `data:`.
  static func pictures(ofMarkup markup: String) -> [String] {
    guard isMarkup(markup) else { return [] }
    var pictures: [String] = []
    var rest = Array(markup.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      guard startsTag(rest.dropFirst()) else {
        rest = rest.dropFirst()
        continue
      }
      guard let end = endOfTag(rest) else { break }
      let tag = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      guard tagName(tag) == "img" else { continue }
      let source = attribute("src", of: tag) ?? []
      // The rest of an embedded picture is not its address.
      pictures.append(String(decoding: source.prefix(4096), as: UTF8.self))
    }
    return pictures
  }

  /// Returns HTML without its pictures, each with the line break directly after it.
  static func withoutPictures(_ markup: String) -> String {
    guard !pictures(ofMarkup: markup).isEmpty else { return markup }
    var kept: [UInt8] = []
    var rest = Array(markup.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      kept += rest[..<start]
      rest = rest[start...]
      guard startsTag(rest.dropFirst()), let end = endOfTag(rest),
        tagName(rest[(start + 1)..<end]) == "img"
      else {
        kept.append(UInt8(ascii: "<"))
        rest = rest.dropFirst()
        continue
      }
      rest = rest[(end + 1)...]
      let lineBreak = Array("<br/>".utf8)
      if rest.starts(with: lineBreak) { rest = rest.dropFirst(lineBreak.count) }
    }
    return String(decoding: kept + rest, as: UTF8.self)
  }

  /// Returns a text without tags in which the references of HTML are decoded; white space stays.
  static func resolved(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return String(decoding: resolved(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// Returns the visible text of HTML, in lines.
  ///
  /// Tags are removed, tags of blocks and breaks become line breaks, and the address of a link is
  /// put after its text. Scripts, styles and pictures have no text. Character references are
  /// decoded.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  static func text(ofMarkup markup: String) -> String {
    var output = Output()
    var rest = Array(markup.utf8)[...]
    var hidden: String?
    var link: [UInt8]?
    var isEndless = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "<"), !isEndless, startsTag(rest.dropFirst()) {
        guard let end = endOfTag(rest) else {
          // Without an end for this tag, no later tag can end either.
          isEndless = true
          continue
        }
        let tag = rest[(rest.startIndex + 1)..<end]
        rest = rest[(end + 1)...]
        let name = tagName(tag) ?? ""
        if let open = hidden {
          if name == "/" + open { hidden = nil }
          continue
        }
        switch name {
        case "script", "style", "head", "title": hidden = name
        case "br", "p", "div", "tr", "ul", "ol", "table", "h1", "h2", "h3", "h4", "/p", "/div",
          "/tr", "/ul", "/ol", "/table", "/h1", "/h2", "/h3", "/h4", "hr":
          output.breakLine()
        case "li":
          output.breakLine()
          output.append(contentsOf: "- ".utf8)
        case "td", "th", "/td", "/th": output.space()
        case "a": link = attribute("href", of: tag)
        case "/a":
          if let address = link, address.starts(with: Array("http".utf8)),
            !output.ends(with: address)
          {
            output.append(contentsOf: " (".utf8)
            output.append(contentsOf: address)
            output.append(UInt8(ascii: ")"))
          }
          link = nil
        default: break
        }
      } else if hidden != nil {
        rest = rest.dropFirst()
      } else if byte == UInt8(ascii: "&"), let (text, end) = reference(rest) {
        output.append(contentsOf: text)
        rest = rest[end...]
      } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
        output.space()
        rest = rest.dropFirst()
      } else {
        output.append(byte)
        rest = rest.dropFirst()
      }
    }
    return output.text
  }

  /// Text in which a run of spaces becomes one, and a run of line breaks at most two.
  private struct Output {
    private var bytes: [UInt8] = []
    private var isSpacePending = false
    private var breaks = 0

    mutating func append(_ byte: UInt8) {
      if breaks > 0 { bytes.append(contentsOf: repeatElement(0x0A, count: min(breaks, 2))) }
      if isSpacePending, breaks == 0, !bytes.isEmpty { bytes.append(0x20) }
      (breaks, isSpacePending) = (0, false)
      bytes.append(byte)
    }

    mutating func append(contentsOf text: some Sequence<UInt8>) {
      for byte in text { byte == 0x20 ? space() : append(byte) }
    }

    mutating func space() { isSpacePending = true }

    mutating func breakLine() { if !bytes.isEmpty { breaks += 1 } }

    func ends(with text: [UInt8]) -> Bool { bytes.suffix(text.count).elementsEqual(text) }

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private static let known: Set<String> = [
    "br", "p", "/p", "div", "/div", "b", "/b", "i", "/i", "a", "/a", "img", "table", "/table", "tr",
    "td", "ul", "ol", "li", "span", "/span", "strong", "em", "h1", "h2", "h3", "h4", "hr", "html",
    "body", "font", "u", "center",
  ]

  /// Returns whether bytes after `<` begin a tag, an end tag or a comment (HTML, section 13.2.5.6).
  private static func startsTag(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    return isLetter(first) || first == UInt8(ascii: "/") || first == UInt8(ascii: "!")
      || first == UInt8(ascii: "?")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  /// Returns the name of a tag in lower case, with a slash before it for an end tag; `nil` where
  /// there is no name.
  private static func tagName(_ bytes: ArraySlice<UInt8>) -> String? {
    let isEnd = bytes.first == UInt8(ascii: "/")
    let name = (isEnd ? bytes.dropFirst() : bytes).prefix(16).prefix {
      isLetter($0) || (0x30...0x39).contains($0)
    }
    guard let first = name.first, isLetter(first) else { return nil }
    return (isEnd ? "/" : "") + String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Returns the index of the `>` that ends a tag, outside of quotes, or a comment.
  private static func endOfTag(_ bytes: ArraySlice<UInt8>) -> Int? {
    let isComment = bytes.starts(with: Array("<!--".utf8))
    var quote: UInt8?
    for place in bytes.indices {
      let byte = bytes[place]
      if byte == UInt8(ascii: ">"), quote == nil {
        if !isComment { return place }
        if place - bytes.startIndex >= 6, bytes[place - 1] == 0x2D, bytes[place - 2] == 0x2D {
          return place
        }
      } else if !isComment, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      }
    }
    return nil
  }

  /// Returns the value of a quoted attribute; `nil` where there is none.
  private static func attribute(_ name: String, of tag: ArraySlice<UInt8>) -> [UInt8]? {
    let wanted = Array("\(name)=".utf8)
    var rest = tag
    while let first = rest.first {
      guard first | 0x20 == wanted[0],
        rest.prefix(wanted.count).map({ $0 | 0x20 }) == wanted.map({ $0 | 0x20 })
      else {
        rest = rest.dropFirst()
        continue
      }
      let value = rest.dropFirst(wanted.count)
      guard let quote = value.first, quote == 0x22 || quote == 0x27 else { return nil }
      return resolved(value.dropFirst().prefix { $0 != quote })
    }
    return nil
  }

  private static func resolved(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let (text, end) = reference(rest) {
        result += text
        rest = rest[end...]
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The names of U+00A1 to U+00FF in their order (HTML 4.01, section 24.2).
  private static let latin = """
    iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute \
    Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH \
    Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave \
    iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute \
    ucirc uuml yacute thorn yuml
    """

  private static let references: [String: String] = {
    var references = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–",
      "mdash": "—", "hellip": "…", "euro": "€", "rsquo": "’", "lsquo": "‘", "ldquo": "“",
      "rdquo": "”", "bdquo": "„", "sbquo": "‚", "lsaquo": "‹", "rsaquo": "›", "bull": "•",
      "dagger": "†", "trade": "™", "minus": "−", "prime": "′", "Prime": "″", "larr": "←",
      "uarr": "↑", "rarr": "→", "darr": "↓", "OElig": "Œ", "oelig": "œ", "Scaron": "Š",
      "scaron": "š", "Yuml": "Ÿ", "ensp": " ", "emsp": " ", "thinsp": " ", "zwj": "\u{200D}",
      "zwnj": "\u{200C}",
    ]
    for (offset, name) in latin.split(separator: " ").enumerated() {
      references[String(name)] = Unicode.Scalar(UInt32(0xA1 + offset)).map { String($0) }
    }
    return references
  }()

  /// Decodes a character reference at the start, and returns the index after it; `nil` where there
  /// is none.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], end: Int)? {
    guard let end = bytes.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
    if let text = references[name] { return (Array(text.utf8), end + 1) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let scalar = code.flatMap(Unicode.Scalar.init) else { return nil }
    return (Array(String(scalar).utf8), end + 1)
  }
}
