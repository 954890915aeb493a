/// A kind of file without a readable feed, recognised by its first bytes.
public enum ForeignFeed: Hashable, Sendable, CaseIterable {
  case archive, compressed, database, picture, webPage

  /// Recognises a file by its start; `nil` for others.
  ///
  /// The signatures are those of ZIP (APPNOTE, 4.3.7), which KMZ is too, gzip (RFC 1952), SQLite
  /// ("Database File Format", 1.3), JPEG and PNG.
  init?(start: [UInt8]) {
    let found = Self.signatures.first { start.starts(with: $0.bytes) }
    if let found {
      self = found.feed
      return
    }
    let text = String(decoding: start[...].trimmed.prefix(14), as: UTF8.self).lowercased()
    guard text.hasPrefix("<!doctype html") || text.hasPrefix("<html") else { return nil }
    self = .webPage
  }

  private static let signatures: [(bytes: [UInt8], feed: ForeignFeed)] = [
    (Array("PK\u{3}\u{4}".utf8), .archive), ([0x1F, 0x8B], .compressed),
    (Array("SQLite format".utf8), .database), ([0xFF, 0xD8, 0xFF], .picture),
    ([0x89, 0x50, 0x4E, 0x47], .picture),
  ]

  /// A message that names the kind of file, with advice.
  package var advice: String {
    switch self {
    case .archive: "it is an archive (ZIP, KMZ); unpack it, and read the files in it"
    case .compressed:
      "it is compressed by gzip, which is unpacked in files only; pass it through 'gunzip -c'"
    case .database: "it is a database (SQLite); export its positions as GPX, GeoJSON or CSV"
    case .picture: "it is a picture; 'photospots index' reads the positions of photos"
    case .webPage: "it is a web page, as a download without a login may be"
    }
  }
}
