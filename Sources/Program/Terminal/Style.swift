import ArgumentParser
import CLibrary
import Encodings
import Synchronization

/// A style of text on a terminal, as a code of ECMA-48, section 8.3.117 (SGR).
package enum Style: String, CaseIterable {
  case bold = "1"
  case faint = "2"
  case warning = "31"
  /// Black on white, by numbers of the 256 colours of xterm that themes do not change.
  case darkOnLight = "38;5;16;48;5;231"

  /// The user's choice whether text is styled.
  package enum Choice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  private static let isOn = Atomic(false)

  /// Applies the choice to the process. `auto` styles text on a capable terminal, unless `NO_COLOR`
  /// is set (no-color.org); `CLICOLOR_FORCE` has the effect of `always`.
  package static func choose(_ choice: Choice) {
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

  /// Whether styles are on.
  package static var areOn: Bool { isOn.load(ordering: .relaxed) }

  private static func isSet(_ name: String, unlike other: String? = nil) -> Bool {
    guard let value = getenv(name), value[0] != 0 else { return false }
    return String(cString: value) != other
  }

  /// Returns the text marked with the style if styles are on, or else unchanged.
  package func of(_ text: String) -> String {
    guard Self.isOn.load(ordering: .relaxed), !text.isEmpty else { return text }
    return Self.mark + rawValue + "m" + text + Self.mark + Self.end + "m"
  }

  /// The marker before a style until the text is written. It contains a random number for each
  /// process, so that untrusted text cannot forge it.
  private static let mark = "\u{1B}\(UInt64.random(in: .min ... .max));"
  private static let end = "0"

  /// Returns the bytes to write: styles become terminal codes, and for a terminal all other control
  /// characters are escaped.
  package static func written(_ bytes: [UInt8], isTerminal: Bool) -> [UInt8] {
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
