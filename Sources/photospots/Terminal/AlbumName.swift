/// The names of albums as people type them.
enum AlbumName {
  /// The albums that a text means: those of that name in whatever case, else those whose names
  /// begin so.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - albums: The names of all albums, as the system's bytes.
  /// - Returns: The names that are meant; none where no album is called so.
  static func matches(_ text: String, among albums: [[UInt8]]) -> Set<[UInt8]> {
    let wanted = text.lowercased()
    let names = albums.map { (bytes: $0, folded: CommandLineBytes.text(of: $0).lowercased()) }
    let same = names.filter { $0.folded == wanted }
    return Set((same.isEmpty ? names.filter { $0.folded.hasPrefix(wanted) } : same).map(\.bytes))
  }
}
