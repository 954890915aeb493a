import ArgumentParser
import CivilTime
import Encodings
import StoreServer
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store account list`
struct StoreAccountListCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys, feed tokens and receivers of all accounts, without their secrets.")

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let connection = try store.open()
      var rows: [Row] = []
      for owner in try StoreOwner.all(connection) {
        try connection.act(for: owner.id)
        let own =
          try AccountKey.all(connection).map { Row(of: owner, $0) }
          + AccountReceiver.all(connection).map { Row(of: owner, $0) }
        rows += own.sorted { $0.number < $1.number }
      }
      if json {
        try StandardOutput.write(json: Self.document(rows))
      } else {
        for row in rows { try StandardOutput.write(row.line) }
        if rows.isEmpty { StandardError.note("no owner has a key or receiver") }
      }
    #endif
  }

  #if Postgres
    /// A key or receiver of an owner.
    private struct Row {
      let owner: String
      let number: Int32
      let made: Instant
      let use: String
      /// The members of the JSON object that depend on the kind.
      let members: [(name: String, value: String)]

      init(of owner: StoreOwner, _ key: AccountKey) {
        (self.owner, number, made) = (owner.name, key.number, key.made)
        use = (key.kind == .feed ? "feed of " : "") + key.label.escaped
        members =
          key.kind == .feed
          ? [("kind", "feed"), ("device", key.label)] : [("kind", "page"), ("label", key.label)]
      }

      init(of owner: StoreOwner, _ receiver: AccountReceiver) {
        (self.owner, number, made) = (owner.name, receiver.number, receiver.made)
        let address = receiver.shownAddress
        use = "alerts to \(receiver.kind.escaped)" + (address.map { " at \($0)" } ?? ", unusable")
        members =
          [("kind", "receiver"), ("receiver", receiver.kind)]
          + (address.map { [("server", $0)] } ?? [])
      }

      var line: String { "\(owner.escaped) \(number): \(use), created \(made.iso8601)\n" }
    }

    private static func document(_ rows: [Row]) -> [UInt8] {
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for row in rows {
          writer.object { writer in
            writer.member("owner", row.owner)
            writer.member("number", Int(row.number))
            for (name, value) in row.members { writer.member(name, value) }
            writer.member("made", row.made.iso8601)
          }
        }
      }
      writer.newline()
      return writer.takeBytes()
    }
  #endif
}
