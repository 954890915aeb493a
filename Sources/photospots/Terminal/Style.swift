import ArgumentParser
import Interchange
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
    return code + text + Self.end
  }

  /// Written so as nobody else writes it, so that no name in a file looks like it.
  private var code: String { "\u{1B}[0;\(rawValue)m" }
  private static let end = "\u{1B}[00m"

  /// Lines that may be written to a terminal: as `TerminalText.printable`, but with these codes.
  static func printable(_ bytes: [UInt8]) -> [UInt8] {
    guard isOn.load(ordering: .relaxed) else { return TerminalText.printable(bytes) }
    let codes = (allCases.map(\.code) + [end]).map { Array($0.utf8) }
    var text: [UInt8] = []
    var piece = bytes.startIndex
    var place = piece
    while let escape = bytes[place...].firstIndex(of: 0x1B) {
      let code = codes.first { bytes[escape...].starts(with: $0) }
      if let code {
        text += TerminalText.printable(Array(bytes[piece..<escape])) + code
        piece = escape + code.count
      }
      place = escape + (code?.count ?? 1)
    }
    return text + TerminalText.printable(Array(bytes[piece...]))
  }
}
