import HTTPClient
import MapTiles
import SystemPackage

extension SettingValue {
  /// The placeholders of a tile's zoom level, column and row.
  private static let placeholders = ["{z}", "{x}", "{y}"]

  /// Parses the source of map tiles: a URL with `{z}`, `{x}` and `{y}`; a folder of tiles, with or
  /// without these; an `.mbtiles` file; or `off`.
  package init(tiles written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text), written.folded != "none" else {
      self = .off
      return
    }
    let text = written.trimmed
    guard Self.isAddressOfTiles(text) || Self.isPathOfTiles(text) else {
      throw written.invalidValue(
        expected:
          """
          an address such as https://tiles.example.org/{z}/{x}/{y}.png, an absolute path of a folder of \
          tiles or of an .mbtiles file, or off
          """)
    }
    self = .tiles(text)
  }

  /// The reason why no tiles can be read from the source now, as far as it can be known without a
  /// request, worded to follow the setting's name; `nil` if they can, or for other values.
  package var problemWithTiles: String? {
    guard case .tiles(let place) = self else { return nil }
    do throws(TileSourceError) {
      try TileSource(setting: Paths.expanded(place)?.string ?? place).check()
      return nil
    } catch { return error.description }
  }

  private static func isAddressOfTiles(_ text: String) -> Bool {
    guard placeholders.allSatisfy(text.contains) else { return false }
    let tile = placeholders.reduce(text) { $0.replacing($1, with: "0") }
    return !tile.contains { "{}".contains($0) } && WebAddress(tile) != nil
  }

  private static func isPathOfTiles(_ text: String) -> Bool {
    guard Paths.expanded(text) != nil else { return false }
    let count = placeholders.count { text.contains($0) }
    let rest = placeholders.reduce(text) { $0.replacing($1, with: "") }
    return (count == 0 || count == placeholders.count) && !rest.contains { "{}".contains($0) }
  }
}
