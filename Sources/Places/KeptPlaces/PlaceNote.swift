public import CivilTime
import Encodings

/// A dated note about a place.
public struct PlaceNote: Hashable, Sendable, Identifiable {
  /// The id, unique among the notes of the place.
  public let id: String
  /// The date of the note.
  public let time: Instant
  /// The text, which may have several lines.
  public var text: String

  /// Creates a note whose id is derived from its time and text, so that a repeated note is the
  /// same.
  public init(text: String, time: Instant) {
    var hash = FNV1a()
    withUnsafeBytes(of: time.millisecondsSince1970.littleEndian) { hash.combine($0) }
    // The text as it is stored, so that a file of the stored place gives the same note.
    hash.combine(StoredText.lines(text).utf8)
    self.init(id: String(Base32.text(hash.mixed).prefix(Self.idLength)), time: time, text: text)
  }

  package init(id: String, time: Instant, text: String) {
    (self.id, self.time, self.text) = (id, time, text)
  }

  /// Ten digits, or 50 bits, suffice for the notes of a place.
  private static let idLength = 10

  /// Returns whether the left note precedes the right one in a list: newest first, then by id.
  static func comesFirst(_ left: PlaceNote, _ right: PlaceNote) -> Bool {
    left.time != right.time ? left.time > right.time : left.id < right.id
  }
}

/// A note in its stored form.
struct NoteContent: ElementValue {
  /// Milliseconds since 1970.
  let date: Int64
  let text: ByteText
  let isPresent: Bool

  static let absent = NoteContent(date: 0, text: ByteText(""), isPresent: false)

  func prevails(over other: NoteContent) -> Bool {
    if isPresent != other.isPresent { return isPresent }
    if date != other.date { return date > other.date }
    return text.prevails(over: other.text)
  }
}
