/// The result of reading a file.
public enum FileOutcome: Hashable, Sendable {
  /// A photo with a position.
  case located
  /// A photo without a valid position.
  case noPosition
  /// Not a photo, and without a photo's file extension.
  case notAPhoto
  /// A file with invalid content, with the reason.
  case malformed(String)
  /// A file that could not be read, with the reason.
  case unreadable(String)

  /// The outcome as written in the index file: a few words, followed by a colon and the reason if
  /// there is one.
  var text: String {
    switch self {
    case .located: "located"
    case .noPosition: "no position"
    case .notAPhoto: "not a photo"
    case .malformed(let reason): "malformed: " + reason
    case .unreadable(let reason): "unreadable: " + reason
    }
  }

  /// Parses an outcome of the index file; `nil` if the text is not an outcome.
  init?(text: String) {
    switch text {
    case "located": self = .located
    case "no position": self = .noPosition
    case "not a photo": self = .notAPhoto
    default:
      if text.hasPrefix("malformed: ") {
        self = .malformed(String(text.dropFirst("malformed: ".count)))
      } else if text.hasPrefix("unreadable: ") {
        self = .unreadable(String(text.dropFirst("unreadable: ".count)))
      } else {
        return nil
      }
    }
  }
}
