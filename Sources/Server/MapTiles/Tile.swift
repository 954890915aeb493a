/// A square picture of a map. At each zoom level the map has 2^zoom × 2^zoom tiles, in the Web
/// Mercator projection ("slippy maps").
public struct Tile: Hashable, Sendable {
  /// The media type: `image/png`, `image/jpeg` or `image/webp`.
  public let mediaType: String
  /// The content of the file.
  public let bytes: [UInt8]
  /// The number of seconds for which a browser may cache the tile.
  public let freshSeconds: Int
}

/// A reason why a tile is unavailable.
public enum TileError: Error, Hashable, CustomStringConvertible {
  /// The map has no such tile.
  case notFound
  /// Too many requests are waiting.
  case busy
  /// The requesting task was cancelled.
  case cancelled
  /// The source cannot provide tiles, with the reason.
  case unavailable(String)

  /// A description of the reason.
  public var description: String {
    switch self {
    case .notFound: "there is no such tile"
    case .busy: "too many tiles are being fetched"
    case .cancelled: "interrupted"
    case .unavailable(let reason): reason
    }
  }
}

/// The coordinates of a tile.
struct TilePlace: Hashable, Sendable {
  let zoom: Int
  let x: Int
  /// The row, counted from the north.
  let y: Int

  /// Creates coordinates, or returns `nil` if the map has no such tile; zoom levels are 0 to 22.
  init?(zoom: Int, x: Int, y: Int) {
    guard (0...22).contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y) else {
      return nil
    }
    (self.zoom, self.x, self.y) = (zoom, x, y)
  }
}

/// Functions that recognise tile pictures.
enum TilePicture {
  /// The endings of the names of files that are read as tiles.
  static let endings = ["png", "jpg", "jpeg", "webp"]
  /// The maximum size of a tile in bytes.
  static let longest = 2 << 20

  /// Returns the media type according to the first bytes; `nil` if it is not one that all browsers
  /// support.
  static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    return nil
  }

  /// Returns whether a picture is complete, according to its end: the chunk IEND, the marker EOI,
  /// or the length in the RIFF header.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    switch mediaType(of: bytes) {
    case "image/png": bytes.suffix(8).starts(with: "IEND".utf8)
    case "image/jpeg": bytes.suffix(2) == [0xFF, 0xD9]
    case "image/webp":
      bytes.count >= 8 + bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    default: false
    }
  }
}
