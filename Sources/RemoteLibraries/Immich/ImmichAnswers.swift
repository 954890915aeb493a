package import Interchange
import PhotoLibrary

/// A page of `POST /api/search/metadata`: SearchResponseDto.
package struct ImmichSearchPage: Sendable {
  /// The assets.
  package var assets: [ImmichAsset] = []
  /// The number of the next page; `nil` on the last.
  package var nextPage: Int?

  /// Reads an answer.
  ///
  /// - Throws: `JSONError` where it is not JSON, or has no list of assets.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    var hasItems = false
    try reader.members { (reader, key) throws(JSONError) in
      guard key == "assets" else { return try reader.skipValue() }
      try reader.members { (reader, key) throws(JSONError) in
        switch key {
        case "items":
          hasItems = true
          try reader.elements { (reader) throws(JSONError) in
            assets.append(try ImmichAsset(from: &reader))
          }
        case "nextPage": nextPage = try reader.number().map { Int(saturating: $0) }
        default: try reader.skipValue()
        }
      }
    }
    try reader.end()
    guard hasItems else { throw JSONError(offset: reader.offset, reason: "it has no assets") }
  }
}

/// The albums of `GET /api/albums`: AlbumResponseDto.
package struct ImmichAlbums: Sendable {
  /// An album.
  package struct Album: Hashable, Sendable {
    /// The id.
    package var id = ""
    /// The name, at most 100 characters.
    package var name = ""
  }

  /// The albums.
  package var albums: [Album] = []
  /// A text of all members that show whether an album changed.
  package var signature = ""

  /// Reads an answer.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    guard try reader.peek() == .array else {
      throw JSONError(offset: reader.offset, reason: "it has no list of albums")
    }
    try reader.elements { (reader) throws(JSONError) in
      var album = Album()
      var changes = ""
      try reader.members { (reader, key) throws(JSONError) in
        switch key {
        case "id": album.id = try reader.text() ?? ""
        case "albumName": album.name = String((try reader.text() ?? "").prefix(100))
        case "assetCount": changes += " \(try reader.number() ?? 0)"
        case "updatedAt", "lastModifiedAssetTimestamp": changes += " \(try reader.text() ?? "")"
        default: try reader.skipValue()
        }
      }
      guard RemotePhoto.isID(album.id.utf8) else { return }
      signature += "\(album.id) \(album.name)\(changes)\n"
      albums.append(album)
    }
    try reader.end()
  }
}
