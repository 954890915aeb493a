package import SystemPackage
package import WebRequests

/// The source of a map's tiles: an address, a folder, or an MBTiles file.
public struct TileSource: Hashable, Sendable {
  /// The kinds of sources.
  package enum Kind: Hashable, Sendable {
    /// An address with `{z}`, `{x}` and `{y}` in it.
    case address(String)
    /// A folder of files `z/x/y.png`, or of another picture's ending.
    case folder(FilePath)
    /// An MBTiles file (github.com/mapbox/mbtiles-spec).
    case database(FilePath)
  }

  /// The kind of the source, with its location.
  package let kind: Kind

  /// Reads the setting `mapTiles`.
  ///
  /// - Parameter setting: An address `https://…/{z}/{x}/{y}.png`, the path of a folder, or the
  ///   path of an `.mbtiles` file. Paths are not checked for existence.
  /// - Throws: ``TileSourceError`` for an address that is none.
  public init(setting: String) throws(TileSourceError) {
    guard setting.contains("://") else {
      guard !setting.isEmpty, !setting.utf8.contains(0) else {
        throw TileSourceError(problem: "is empty; write an address, a folder or an .mbtiles file")
      }
      // A folder may be written with the names of its files, as an address is.
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
      throw TileSourceError(problem: "is no address that begins with http:// or https://")
    }
    guard !address.host.contains("{"), !address.path.contains("{") else {
      throw TileSourceError(problem: "has more in braces than {z}, {x} and {y}; write what it is")
    }
  }

  /// The address of a tile; `nil` where the source has none.
  package func address(zoom: Int, x: Int, y: Int) -> WebAddress? {
    guard case .address(let template) = kind else { return nil }
    return WebAddress(
      template.replacing("{z}", with: "\(zoom)").replacing("{x}", with: "\(x)")
        .replacing("{y}", with: "\(y)"))
  }
}

/// A reason why a setting is not a source of tiles.
public struct TileSourceError: Error, Hashable, CustomStringConvertible {
  let problem: String

  /// The fault and its remedy, to follow the setting's name in a sentence.
  public var description: String { problem }
}
