import ArgumentParser
import CivilTime
import Encodings
import LocationFeeds
import PageServer
import SpotService
import StoreServer
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store account`
struct StoreAccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract:
      "Manage the keys with which people see their libraries in a store, and their receivers.",
    discussion: """
      An account is an owner with keys. A key opens the page and the API of 'photospots serve --store'. A feed \
      token is for one device, which sends positions to 'photospots serve --store --feeds' with it. Both are \
      printed once, when they are created; the store has only their hashes. Alerts of the account are sent to \
      its receivers.

        photospots store account add postgres://photospots@db/photos anna
        photospots store account key postgres://photospots@db/photos anna --label phone
        photospots store account feed postgres://photospots@db/photos anna phone
        photospots store account notify postgres://photospots@db/photos anna ntfy --settings anna.json
        photospots store account list postgres://photospots@db/photos
        photospots store account remove postgres://photospots@db/photos anna --number 2
      """,
    subcommands: [
      StoreAccountAddCommand.self, StoreAccountKeyCommand.self, StoreAccountFeedCommand.self,
      StoreAccountNotifyCommand.self, StoreAccountListCommand.self, StoreAccountRemoveCommand.self,
    ])
}

/// The name of a key for people.
struct KeyLabelArgument: ParsableArguments {
  @Option(help: ArgumentHelp("A name for the key, shown by 'list'.", valueName: "name"))
  var label = "browser"

  func validate() throws {
    #if Postgres
      guard StoreOwner.isName(label) else {
        throw ValidationError(
          "--label must have 1 to \(StoreOwner.longestName) bytes and no control characters")
      }
    #endif
  }
}

#if Postgres
  extension KeyLabelArgument {
    /// Creates a key for an owner, and prints it.
    func makeKey(for owner: StoreOwner, _ connection: PostgresConnection) throws {
      try Self.makeKey(labelled: label, for: .page, of: owner, connection)
      StandardError.note(
        "this key is not shown again; it opens the page at https://SERVER/#key=KEY"
      )
    }

    /// Creates a key of an owner for a use, and prints it.
    static func makeKey(
      labelled label: String, for kind: AccountKey.Kind, of owner: StoreOwner,
      _ connection: PostgresConnection
    ) throws {
      guard
        let key = try AccountKey.make(labelled: label, for: kind, of: owner, at: .now, connection)
      else {
        throw MessageError(
          """
          \(owner.name.escaped) already has \(AccountKey.maximumCount) keys; remove one with 'photospots store account \
          remove'
          """)
      }
      try StandardOutput.write(key.text + "\n")
    }
  }
#endif

/// `photospots store account add`
struct StoreAccountAddCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Create an account with a first key, and add its owner if it does not exist.")

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @OptionGroup var label: KeyLabelArgument
  @OptionGroup var output: OutputArguments

  func validate() throws { try StoreOwnerCommand.check(name) }

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let (owner, isNew) = try StoreOwner.named(name, orNewWithClusterRadius: 15, connection)
      try connection.act(for: owner.id)
      if isNew { StandardError.note("the owner \(name.escaped) was added") }
      guard try AccountKey.all(connection).isEmpty else {
        throw MessageError(
          "\(name.escaped) already has keys; 'photospots store account key' creates another")
      }
      try label.makeKey(for: owner, connection)
    #endif
  }
}

/// `photospots store account key`
struct StoreAccountKeyCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Create another key of an account.")

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @OptionGroup var label: KeyLabelArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let owner = try StoreOwner.existing(name, connection)
      try connection.act(for: owner.id)
      try label.makeKey(for: owner, connection)
    #endif
  }
}

/// `photospots store account feed`
struct StoreAccountFeedCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Create a token with which a device sends positions of an account.",
    discussion: """
      An app sends its positions to /feed of 'photospots serve --store --feeds', with the token as its password or \
      access token. All of them are positions of this device. The token opens neither the page nor the API.
      """)

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @Argument(help: "The name of the device, as alerts show it.")
  var device: String

  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard DeviceName.cleaned(device) == device else {
      throw ValidationError(
        "the device's name has 1 to \(DeviceName.maximumLength) visible characters")
    }
  }

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let owner = try StoreOwner.existing(name, connection)
      try connection.act(for: owner.id)
      try KeyLabelArgument.makeKey(labelled: device, for: .feed, of: owner, connection)
      StandardError.note(
        "this token is not shown again; the app sends it as its password to /feed at the address of 'photospots serve'"
      )
    #endif
  }
}

/// `photospots store account remove`
struct StoreAccountRemoveCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract:
      "Remove a key, feed token or receiver of an account, or all of them; the photos are kept.",
    discussion: """
      Servers refuse a removed key at once, and close its open pages within seconds. A removed receiver gets no \
      waiting alert, and within seconds no new one.
      """)

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @Option(
    help: ArgumentHelp("The number of the key or receiver, as 'list' shows it.", valueName: "n"))
  var number: Int32?

  @Flag(help: "Remove all keys, feed tokens and receivers.")
  var all = false

  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard (number != nil) != all else {
      throw ValidationError("give either --number N or --all")
    }
  }

  func run() throws {
    #if Postgres
      let connection = try store.open()
      let owner = try StoreOwner.existing(name, connection)
      try connection.act(for: owner.id)
      let keyCount = try AccountKey.remove(number, connection)
      let receiverCount = try AccountReceiver.remove(number, at: .now, connection)
      guard keyCount + receiverCount > 0 else {
        throw MessageError(
          number.map { "\(name.escaped) has no key or receiver \($0)" }
            ?? "\(name.escaped) has no keys and no receivers")
      }
      let removed = [(keyCount, "key"), (receiverCount, "receiver")].filter { $0.0 > 0 }
        .map { count, noun in "\(count) \(noun)\(count == 1 ? "" : "s")" }
      try StandardOutput.write(
        "removed \(removed.joined(separator: " and ")) of \(name.escaped)\n")
    #endif
  }
}
