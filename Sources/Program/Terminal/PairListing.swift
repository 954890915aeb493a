import Encodings
package import PhotoLibrary
import PhotoMetadata
import SpotExport
import Storage
import SystemPackage
package import ThenAndNow

/// A list of then-and-now pairs for output.
package struct PairListing {
  /// The maximum length of a place name in a row, in characters.
  private static let longestName = 32
  /// The number of characters of a row without the name of its place.
  private static let rowWidth = 45

  package let pairs: [FoundPair]
  package let index: PhotoIndex
  package let spots: SpotIndex

  /// Creates the list of pairs of an index, and of its spots.
  package init(pairs: [FoundPair], index: PhotoIndex, spots: SpotIndex) {
    (self.pairs, self.index, self.spots) = (pairs, index, spots)
  }

  /// Writes the pairs as results.
  package func show(asJSON: Bool) throws {
    guard asJSON else { return try StandardOutput.write(text: lines) }
    var writer = JSONWriter(layout: .indented)
    write(to: &writer)
    writer.newline()
    try StandardOutput.write(json: writer.bytes)
  }

  /// Returns the years between the photos of a pair, rounded down to one decimal.
  package static func years(_ pair: FoundPair) -> Double {
    Double(Int(saturating: pair.years * 10)) / 10
  }

  /// The text form: a row for each pair, followed by a line for each of its two photos.
  private var lines: [UInt8] {
    let names = pairs.map { pair -> String in
      let name = spots.spots[pair.spot].placeName?.escaped ?? ""
      return name.columns > Self.longestName
        ? name.prefix(columns: Self.longestName - 1) + "…" : name
    }
    let width = names.map(\.columns).max() ?? 0
    let isNarrow = StandardOutput.isTerminal && Self.rowWidth + width > StandardOutput.columns
    return zip(pairs, names).flatMap { pair, name -> [UInt8] in
      let score = "\(pair.verdict.percent)".leftPadded(to: 3)
      let years = Fixed.text(Self.years(pair), decimals: 1).leftPadded(to: 5)
      let spaces = String(repeating: " ", count: width - name.columns)
      let id = Style.faint.of(spots.spots[pair.spot].id)
      let mark = pair.isRecreation ? "  taken again" : ""
      let row =
        isNarrow
        ? "\(score)  \(years) years  \(id)\n     \(Style.bold.of(name))\(mark)\n"
        : "\(score)  \(years) years  \(Style.bold.of(name))\(spaces)  \(id)\(mark)\n"
      return Array(row.utf8) + line(pair.earlier) + line(pair.later)
    }
  }

  private func line(_ photo: Int32) -> [UInt8] {
    let location = index.photo(at: Int(photo))
    return Array("     \(Self.day(location))  ".utf8) + location.path.shown + [UInt8(ascii: "\n")]
  }

  /// Returns the date of a photo in the camera's local time.
  package static func day(_ photo: PhotoLocation) -> String {
    photo.captured.map { String($0.iso8601.prefix(10)) } ?? ""
  }

  /// Writes the pairs as a JSON array of objects.
  ///
  /// The members: `score` (0–100), `years`, `recreation` (whether the later photo is a recreation
  /// of the earlier one), `spot` (its id), `place` if it has a name, `view` (the number of the view
  /// among the views of the spot), and the photos `earlier` and `later`. Photos are written as by
  /// `near --photos`.
  private func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for pair in pairs {
        let spot = spots.spots[pair.spot]
        writer.object { writer in
          writer.member("score", pair.verdict.percent)
          writer.member("years", Self.years(pair))
          writer.member("recreation", pair.isRecreation)
          writer.member("spot", spot.id)
          writer.member("place", spot.placeName)
          writer.member("view", pair.view)
          for (name, photo) in [("earlier", pair.earlier), ("later", pair.later)] {
            writer.key(name)
            index.shot(at: Int(photo)).write(to: &writer)
          }
        }
      }
    }
  }
}
