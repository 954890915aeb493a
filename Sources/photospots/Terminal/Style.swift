import ArgumentParser
import CLibrary
import Interchange
import Synchronization

/// How a part of a text stands out on a terminal: the codes of ECMA-48, section 8.3.117 (SGR).
enum Style: String, CaseIterable {
  case bold = "1"
  case faint = "2"
  case warning = "31"

  /// When text is styled.
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  private static let isOn = Atomic(false)

  /// Decides for the process: `auto` is on a terminal that can do it, unless `NO_COLOR` is set
  /// (no-color.org); `CLICOLOR_FORCE` is as `always`.
  static func choose(_ choice: Choice) {
    let isWanted =
      switch choice {
      case .always: true
      case .never: false
      case .auto:
        !isSet("NO_COLOR")
          && (isSet("CLICOLOR_FORCE", unlike: "0")
            || StandardOutput.isTerminal && isSet("TERM", unlike: "dumb"))
      }
    isOn.store(isWanted, ordering: .relaxed)
  }

  private static func isSet(_ name: String, unlike other: String? = nil) -> Bool {
    guard let value = getenv(name), value[0] != 0 else { return false }
    return String(cString: value) != other
  }

  /// The text as it stands out, or as it is.
  func of(_ text: String) -> String {
    guard Self.isOn.load(ordering: .relaxed), !text.isEmpty else { return text }
    return Self.mark + rawValue + "m" + text + Self.mark + Self.end + "m"
  }

  /// Stands before a style until the text is written. Others cannot write it: the number is drawn
  /// anew for each process.
  private static let mark = "\u{1B}\(UInt64.random(in: .min ... .max));"
  private static let end = "0"

  /// Lines as they are written: with the codes of their styles, and to a terminal with nothing else
  /// that it would obey.
  static func written(_ bytes: [UInt8], isTerminal: Bool) -> [UInt8] {
    func plain(_ piece: ArraySlice<UInt8>) -> [UInt8] {
      isTerminal ? TerminalText.printable(Array(piece)) : Array(piece)
    }
    guard isOn.load(ordering: .relaxed) else { return plain(bytes[...]) }
    let mark = Array(mark.utf8)
    let codes = (allCases.map { ($0.rawValue, "0;\($0.rawValue)") } + [(end, end)]).map {
      (name: mark + Array("\($0)m".utf8), code: Array("\u{1B}[\($1)m".utf8))
    }
    var text: [UInt8] = []
    var piece = bytes.startIndex
    var place = piece
    while let escape = bytes[place...].firstIndex(of: 0x1B) {
      place = escape + 1
      let code = codes.first { bytes[escape...].starts(with: $0.name) }
      guard let code else { continue }
      text += plain(bytes[piece..<escape]) + code.code
      piece = escape + code.name.count
      place = piece
    }
    return text + plain(bytes[piece...])
  }
}
