package import HTTPClient
package import SystemPackage

/// The source of a map's tiles: a URL, a folder, or an MBTiles file.
public struct TileSource: Hashable, Sendable {
  /// The kinds of sources.
  package enum Kind: Hashable, Sendable {
    /// A URL with the placeholders `{z}`, `{x}` and `{y}`.
    case address(String)
    /// A folder of files named `z/x/y.png`, or with the extension of another picture format.
    case folder(FilePath)
    /// An MBTiles file (github.com/mapbox/mbtiles-spec).
    case database(FilePath)
  }

  /// The kind of the source, with its location.
  package let kind: Kind

  /// Parses the setting `mapTiles`.
  ///
  /// - Parameter setting: A URL such as `https://…/{z}/{x}/{y}.png`, the path of a folder, or the
  ///   path of an `.mbtiles` file. Whether a path exists is not checked.
  /// - Throws: ``TileSourceError`` if the setting is not valid.
  public init(setting: String) throws(TileSourceError) {
    guard setting.contains("://") else {
      guard !setting.isEmpty, !setting.utf8.contains(0) else {
        throw TileSourceError(problem: "is empty; write an address, a folder or an .mbtiles file")
      }
      // The path of a folder may include placeholders, like a URL.
      let end = setting.firstRange(of: "/{z}")?.lowerBound ?? setting.endIndex
      let path = FilePath(String(setting[..<end]))
      kind = path.extension?.lowercased() == "mbtiles" ? .database(path) : .folder(path)
      return
    }
    for place in ["{z}", "{x}", "{y}"] where !setting.contains(place) {
      throw TileSourceError(
        problem: "has no \(place); write an address as https://…/{z}/{x}/{y}.png")
    }
    kind = .address(setting)
    guard let address = address(zoom: 0, x: 0, y: 0) else {
      throw TileSourceError(problem: "is not an address that begins with http:// or https://")
    }
    guard !address.host.contains("{"), !address.path.contains("{") else {
      throw TileSourceError(problem: "has other names in braces than {z}, {x} and {y}; remove them")
    }
  }

  /// Returns the URL of a tile; `nil` if the source is not a URL.
  package func address(zoom: Int, x: Int, y: Int) -> WebAddress? {
    guard case .address(let template) = kind else { return nil }
    return WebAddress(
      template.replacing("{z}", with: "\(zoom)").replacing("{x}", with: "\(x)")
        .replacing("{y}", with: "\(y)"))
  }
}

/// A reason why a setting is not a valid source of tiles.
public struct TileSourceError: Error, Hashable, CustomStringConvertible {
  let problem: String

  /// The problem and its remedy, phrased to follow the name of the setting in a sentence.
  public var description: String { problem }
}
