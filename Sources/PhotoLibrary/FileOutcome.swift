/// What reading a file came to.
public enum FileOutcome: Hashable, Sendable {
  /// It is a photo with a position.
  case located
  /// It is a photo without a valid position.
  case noPosition
  /// It is no photo, and its name does not claim that.
  case notAPhoto
  /// It cannot be made sense of, and why.
  case malformed(String)
  /// The system would not give it out, and why.
  case unreadable(String)

  /// The outcome as the index file has it: a word, and the reason behind a colon.
  var text: String {
    switch self {
    case .located: "located"
    case .noPosition: "no position"
    case .notAPhoto: "not a photo"
    case .malformed(let reason): "malformed: " + reason
    case .unreadable(let reason): "unreadable: " + reason
    }
  }

  /// Reads an outcome from the index file; `nil` where it is none.
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
