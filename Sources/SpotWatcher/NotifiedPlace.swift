public import PhotoLibrary

/// What a notification says about a place of one's own: the place that was entered, or the one that
/// is pinned to the spot that was.
public struct NotifiedPlace: Hashable, Sendable, Identifiable {
  /// The notes of a place together are no longer in a notification, in Unicode scalars; the newest
  /// come first, and the last of them is cut.
  public static let maximumNotesLength = 500
  /// No more notes are in a notification.
  public static let maximumNoteCount = 10
  /// No more collections are in a notification.
  public static let maximumCollectionCount = 20
  /// No name is longer in a notification, in Unicode scalars.
  public static let maximumNameLength = 200

  /// The place's id.
  public let id: String
  /// What the place is called.
  public let name: String
  /// What kind of place it is.
  public let kind: String
  /// The newest notes, newest first.
  public let notes: [OwnPlace.Note]
  /// The collections that the place belongs to.
  public let collections: [String]

  /// Creates a place from its parts, which are cut to what a notification may hold.
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

  /// What the notification about a place says; of one beside it there are no notes.
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
