/// The map tile in a path `/tiles/{zoom}/{column}/{row}`.
struct TilePath: Hashable {
  let zoom: Int
  let column: Int
  let row: Int

  /// Parses a path; returns `nil` where it is not that of a tile.
  init?(_ path: some StringProtocol) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "tiles",
      let zoom = Self.number(parts[2]), zoom <= 22, let column = Self.number(parts[3]),
      let row = Self.number(parts[4]), column < 1 << zoom, row < 1 << zoom
    else { return nil }
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// Parses a number without leading zeros, so that each tile has one address.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      String(number).utf8.count == text.utf8.count
    else { return nil }
    return number
  }
}
