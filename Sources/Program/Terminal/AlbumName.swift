import PhotoLibrary
import ProgramSettings

/// The lookup of albums by names typed by the user.
package enum AlbumName {
  /// Returns the albums with a given name, ignoring case, or else the albums whose names begin with
  /// it.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - albums: The names of all albums, as the system's bytes.
  /// - Returns: The names of the matching albums; empty if there are none.
  package static func matches(_ text: String, among albums: [[UInt8]]) -> Set<[UInt8]> {
    let wanted = text.lowercased()
    let names = albums.map { (bytes: $0, folded: CommandLineBytes.text(of: $0).lowercased()) }
    let same = names.filter { $0.folded == wanted }
    return Set((same.isEmpty ? names.filter { $0.folded.hasPrefix(wanted) } : same).map(\.bytes))
  }

  /// Returns the albums with a given name, ignoring case, accents and punctuation: that of the
  /// folder, or the name of a place in it.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - albums: The names of all albums, as the system's bytes.
  /// - Returns: The names of the matching albums; empty if none has the name.
  package static func named(_ text: String, among albums: [[UInt8]]) -> Set<[UInt8]> {
    let query = NameQuery(text)
    return Set(
      albums.filter { album in
        query.match(CommandLineBytes.text(of: album)) == .whole
          || PlaceName.name(ofAlbum: album).flatMap { query.match($0) } == .whole
      })
  }
}
