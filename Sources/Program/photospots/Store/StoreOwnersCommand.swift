import ArgumentParser
import Encodings
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store owners`
struct StoreOwnersCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "owners", abstract: "List the owners of a store.")

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let owners = try StoreOwner.all(store.open())
      if json {
        var writer = JSONWriter(layout: .indented)
        writer.array { writer in
          for owner in owners {
            writer.object { writer in
              writer.member("name", owner.name)
              writer.member("clusterRadius", owner.clusterRadiusMeters)
            }
          }
        }
        writer.newline()
        try StandardOutput.write(json: writer.takeBytes())
      } else {
        try StandardOutput.write(owners.map { "\($0.name.escaped)\n" }.joined())
        if owners.isEmpty { StandardError.note("the store has no owners") }
      }
    #endif
  }
}

/// `photospots store owner`
struct StoreOwnerCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "owner",
    abstract: "Add an owner to a store, or change the cluster radius of one.",
    discussion: """
      After a change of the cluster radius, workers compute all spots of the owner again. A spot \
      whose first photo changes gets another id.
      """)

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "The radius of a spot around its first photo (5–50 m; 15 m for a new owner).",
      valueName: "metres"))
  var clusterRadius: MetersArgument?

  @OptionGroup var output: OutputArguments

  /// Checks the name of an owner.
  static func check(_ name: String) throws {
    #if Postgres
      guard StoreOwner.isName(name) else {
        throw ValidationError(
          "an owner's name must have 1 to \(StoreOwner.longestName) bytes and no control characters"
        )
      }
    #endif
  }

  func validate() throws {
    try Self.check(name)
    #if Postgres
      if let clusterRadius {
        guard StoreOwner.clusterRadii.contains(clusterRadius.meters) else {
          throw ValidationError("--cluster-radius is out of range 5 m–50 m")
        }
      }
    #endif
  }

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let (owner, isNew) = try StoreOwner.named(
        name, orNewWithClusterRadius: clusterRadius?.meters ?? 15, connection)
      guard !isNew else {
        try StandardOutput.write("added \(name.escaped)\n")
        return
      }
      guard let radius = clusterRadius?.meters else {
        StandardError.note("the store already has the owner '\(name.escaped)'")
        return
      }
      try connection.act(for: owner.id)
      if try owner.changeClusterRadius(to: radius, connection) {
        try StandardOutput.write(
          "the cluster radius of \(name.escaped) is now \(Distance.text(radius)); workers compute all spots again\n"
        )
      } else {
        StandardError.note("the owner already has this cluster radius")
      }
    #endif
  }
}
