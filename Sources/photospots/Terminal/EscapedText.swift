import Interchange
import Storage
import SystemPackage

extension FilePath {
  /// The path as ``Swift/Sequence/escaped`` shows it.
  var escaped: String { bytes.escaped }
}

extension String {
  /// The text as ``Swift/Sequence/escaped`` shows it.
  var escaped: String { utf8.escaped }
}

extension Sequence<UInt8> {
  /// The bytes as text, with everything escaped that could do more to a terminal than show a character:
  /// control characters as `\n` or `\x1b`, and bytes that are not UTF-8 as `\xff`.
  var escaped: String {
    var text = ""
    var rest = Array(self)[...]
    while let byte = rest.first {
      let length = Swift.min(byte.utf8SequenceLength, rest.count)
      if let character = String(validating: rest.prefix(length), as: UTF8.self),
        let scalar = character.unicodeScalars.first, !EscapeRules.isUnsafe(scalar)
      {
        text += character
        rest = rest.dropFirst(length)
      } else {
        text += EscapeRules.escape(byte)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}

private enum EscapeRules {
  static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: return "\\n"
    case 0x09: return "\\t"
    case 0x0D: return "\\r"
    default:
      let digits = String(byte, radix: 16)
      return "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
  }

  /// Controls, and characters that turn the direction of the text around them.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }
}
