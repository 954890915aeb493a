public import PhotoLibrary

/// A place of the user's own in a notification: the entered place, or the one that the entered spot
/// is pinned to.
public struct NotifiedPlace: Hashable, Sendable, Identifiable {
  /// The maximum total length of the notes in a notification, in Unicode scalars. The newest notes
  /// come first, and the last one is cut.
  public static let maximumNotesLength = 500
  /// The maximum number of notes in a notification.
  public static let maximumNoteCount = 10
  /// The maximum number of collections in a notification.
  public static let maximumCollectionCount = 20
  /// The maximum length of a name in a notification, in Unicode scalars.
  public static let maximumNameLength = 200

  /// The place's id.
  public let id: String
  /// The name of the place.
  public let name: String
  /// The kind of the place.
  public let kind: String
  /// The newest notes, newest first.
  public let notes: [OwnPlace.Note]
  /// The collections that the place belongs to.
  public let collections: [String]

  /// Creates a place from its parts, which are cut to the limits.
  public init(
    id: String, name: String, kind: String, notes: [OwnPlace.Note] = [], collections: [String] = []
  ) {
    self.id = id
    self.name = Self.cut(name, to: Self.maximumNameLength)
    self.kind = Self.cut(kind, to: Self.maximumNameLength)
    var room = Self.maximumNotesLength
    self.notes = notes.prefix(Self.maximumNoteCount).compactMap { note in
      guard room > 0 else { return nil }
      let text = Self.cut(note.text, to: room)
      room -= text.unicodeScalars.count
      return OwnPlace.Note(time: note.time, text: text)
    }
    self.collections = collections.prefix(Self.maximumCollectionCount).map {
      Self.cut($0, to: Self.maximumNameLength)
    }
  }

  /// Creates the description of a place; without notes and collections for a place beside the
  /// notified one.
  init(_ place: OwnPlace, isBeside: Bool) {
    self.init(
      id: place.id, name: place.name, kind: place.kind, notes: isBeside ? [] : place.notes,
      collections: isBeside ? [] : place.collections)
  }

  private static func cut(_ text: String, to length: Int) -> String {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars.prefix(length - 1)) + "…"
  }
}
