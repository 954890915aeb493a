import Encodings
package import PhotoLibrary
import PhotoMetadata
package import PositionImport
import Spatial
import Storage
package import SystemPackage

/// The result of an import of positions, or a preview of it.
package struct PositionImportReport {
  private let path: FilePath
  private let records: PositionRecords
  private let matches: PositionMatches
  /// The number of photos indexed by an earlier program version, which must be reindexed before
  /// they can be matched.
  private let unknownCount: Int
  /// The commands to offer.
  private let commands: OfferedCommands

  /// The photos that had no position, or one from a track.
  private var added: [PositionMatches.Match] = []
  /// The photos whose previously imported position differs.
  private var changed: [PositionMatches.Match] = []
  private var unchangedCount = 0

  /// The number of examples in the text form.
  private static let shownCount = 5

  /// Creates a report; `index` is the one before the positions are imported, and `commands` are
  /// those to offer.
  package init(
    path: FilePath, records: PositionRecords, matches: PositionMatches, index: PhotoIndex,
    commands: OfferedCommands = OfferedCommands()
  ) {
    (self.path, self.records, self.matches) = (path, records, matches)
    self.commands = commands
    unknownCount = index.unknownUnlocatedCount
    for match in matches.matches {
      if match.photo.given == match.position {
        unchangedCount += 1
      } else if match.photo.given?.source == .imported {
        changed.append(match)
      } else {
        added.append(match)
      }
    }
  }

  private func count(_ basis: PhotoMatching.Basis) -> Int {
    matches.matches.count { $0.basis == basis }
  }

  // MARK: - Text

  /// The result as a few lines of text.
  package var text: String {
    var counts = ["\(Count.text(added.count)) new"]
    if !changed.isEmpty { counts.append("\(Count.text(changed.count)) changed") }
    if unchangedCount > 0 { counts.append("\(Count.text(unchangedCount)) unchanged") }
    var lines = [
      "\(path.escaped): \(records.manager.title), \(Count.text(records.photos.count, "photo")) with a position",
      "  \(Count.text(matches.matches.count, "photo")) of the index: \(counts.joined(separator: ", "))",
    ]
    if !matches.matches.isEmpty { lines.append("    found " + bases) }
    lines += (added + changed).prefix(Self.shownCount).map { match in
      "    \(match.photo.path.escaped): \(SpotText.position(match.position.coordinate))"
    }
    if added.count + changed.count > Self.shownCount { lines.append("    …") }
    if matches.ownCount > 0 {
      lines.append(
        "  \(Count.text(matches.ownCount, "photo")) with a position of \(matches.ownCount == 1 ? "its" : "their") own, kept"
      )
    }
    lines += rejected
    return lines.joined(separator: "\n") + "\n"
  }

  private var bases: String {
    [
      (PhotoMatching.Basis.path, "by path"), (.pathEnd, "by the end of the path"),
      (.name, "by name and time or size"),
    ].compactMap { basis, text in
      let count = count(basis)
      return count > 0 ? "\(Count.text(count)) \(text)" : nil
    }.joined(separator: ", ")
  }

  private var rejected: [String] {
    var lines: [String] = []
    for (rejected, reason) in [
      (matches.missing, "not in the index"),
      (matches.ambiguous, "ambiguous: several photos or positions fit"),
      (matches.contradicted, "skipped: the photo there has another time or size"),
    ] where rejected.count > 0 {
      let names = rejected.examples.prefix(3).map { "'\($0.escaped)'" }.joined(separator: ", ")
      lines.append(
        "  \(Count.text(rejected.count)) \(reason) (\(names)\(rejected.count > 3 ? ", …" : ""))")
    }
    if records.unusableCount > 0 {
      lines.append("  \(Count.text(records.unusableCount)) with an invalid position, such as 0, 0")
    }
    if records.pathlessCount > 0 {
      lines.append("  \(Count.text(records.pathlessCount)) without a path")
    }
    if unknownCount > 0 {
      lines.append(
        """
          \(Count.text(unknownCount, "photo")) of the index \(unknownCount == 1 ? "was" : "were") \
          read by an earlier version; run '\(commands.text("index", "--full"))' to match \
          \(unknownCount == 1 ? "it" : "them") too
        """)
    }
    return lines
  }

  // MARK: - JSON

  /// Returns the result as a JSON object.
  package func json(isDryRun: Bool) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.object { writer in
      writer.member("file", name: path.bytes)
      writer.member("program", records.manager.rawValue)
      writer.member("dryRun", isDryRun)
      writer.member("records", records.photos.count)
      writer.member("unusable", records.unusableCount)
      writer.member("withoutPath", records.pathlessCount)
      writer.member("new", added.count)
      writer.member("changed", changed.count)
      writer.member("unchanged", unchangedCount)
      writer.member("ownPosition", matches.ownCount)
      writer.object("found") { writer in
        for basis in PhotoMatching.Basis.allCases.reversed() {
          writer.member(basis.rawValue, count(basis))
        }
      }
      for (name, rejected) in [
        ("missing", matches.missing), ("ambiguous", matches.ambiguous),
        ("contradicted", matches.contradicted),
      ] {
        writer.object(name) { writer in
          writer.member("count", rejected.count)
          writer.array("examples") { writer in
            for example in rejected.examples { writer.string(name: example) }
          }
        }
      }
      writer.member("readByEarlierVersion", unknownCount)
      writer.array("photos") { writer in
        for match in added + changed { Self.write(match, to: &writer) }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Returns the result of removing imported positions as a JSON object.
  package static func json(dropped: Int, isDryRun: Bool) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.object { writer in
      writer.member("dryRun", isDryRun)
      writer.member("dropped", dropped)
    }
    writer.newline()
    return writer.bytes
  }

  private static func write(_ match: PositionMatches.Match, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", name: match.photo.path.bytes)
      writer.member("latitude", degrees: match.position.coordinate.latitude)
      writer.member("longitude", degrees: match.position.coordinate.longitude)
      writer.member("altitude", match.position.altitudeMeters)
      writer.member("source", match.position.source.rawValue)
      writer.member("foundBy", match.basis.rawValue)
    }
  }
}
