import ArgumentParser
import Encodings
import StoreServer
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store status`
struct StoreStatusCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Count the photos and spots of each owner in a store, and the cells left to workers.",
    discussion: "Counts every photo, which takes about a second for ten million.")

  @Option(help: ArgumentHelp("Only this owner.", valueName: "name"))
  var owner: String?

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let owners =
        try owner.map { [try StoreOwner.existing($0, connection)] } ?? StoreOwner.all(connection)
      var rows: [Row] = []
      for owner in owners {
        let counts = try PostgresSpots(of: owner, connection).counts()
        rows.append(
          Row(
            name: owner.name, photos: counts.photos, spots: counts.spots,
            waiting: counts.waitingCells))
      }
      if json {
        try StandardOutput.write(json: document(rows))
      } else {
        for row in rows {
          let waiting =
            row.waiting == 0
            ? ""
            : "; \(Count.text(row.waiting)) \(row.waiting == 1 ? "cell" : "cells") left to workers"
          try StandardOutput.write(
            """
            \(row.name.escaped): \(Count.text(row.photos, "photo")) at \(Count.text(row.spots, "spot"))\(waiting)

            """)
        }
        if rows.isEmpty { StandardError.note("the store has no owners") }
      }
    #endif
  }

  private struct Row {
    let name: String
    let photos: Int
    let spots: Int
    let waiting: Int
  }

  private func document(_ rows: [Row]) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.array { writer in
      for row in rows {
        writer.object { writer in
          writer.member("owner", row.name)
          writer.member("photos", row.photos)
          writer.member("spots", row.spots)
          writer.member("waitingCells", row.waiting)
        }
      }
    }
    writer.newline()
    return writer.takeBytes()
  }
}
