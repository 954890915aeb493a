import ArgumentParser
import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary
import ProgramSettings
import StoreServer
import SystemPackage
import TerminalOutput

#if Postgres
  import PostgresStore
#endif

/// `photospots store account notify`
struct StoreAccountNotifyCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Send the alerts of an account to receivers.",
    discussion: """
      'photospots serve --store --feeds' sends the alerts of the account to these receivers. Their addresses, \
      tokens and secrets are those of the settings ntfyURL, ntfyToken and so on, in the environment or \
      config.json, or only those in the file of --settings. The store keeps them as they are.

        photospots store account notify postgres://photospots@db/photos anna ntfy --settings anna.json
        photospots store account remove postgres://photospots@db/photos anna --number 3
      """)

  @OptionGroup var store: StoreAddressArgument

  @Argument(help: "The name of the owner.")
  var name: String

  @Argument(
    help: ArgumentHelp(
      "The receivers: \(WebReceiver.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "receiver"))
  var receivers: [String]

  @Option(
    name: .customLong("settings"),
    help: ArgumentHelp(
      "Take the settings of the receivers only from this file, written as config.json.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var settingsFile: String?

  @OptionGroup var output: OutputArguments

  func validate() throws {
    for name in receivers { _ = try Self.receiver(named: name) }
  }

  func run() throws {
    #if Postgres
      let settings = settingsFile.map { Settings(onlyFile: Paths.absolute($0)) } ?? Settings()
      try settings.requireKnownNames()
      let added = try receivers.map { name in
        let receiver = try Self.receiver(named: name)
        try requireUsable(receiver, settings)
        return (
          receiver, try settings.shownAddress(of: receiver), try settings.json(of: receiver)
        )
      }
      let connection = try store.open()
      let owner = try StoreOwner.existing(name, connection)
      try connection.act(for: owner.id)
      for (receiver, address, json) in added {
        let number = try AccountReceiver.add(
          receiver.rawValue, settings: json, at: .now, connection)
        guard let number else { throw Self.tooMany(owner) }
        try StandardOutput.write(
          "\(owner.name.escaped) \(number): alerts to \(receiver.rawValue) at \(address)\n")
      }
      StandardError.note(
        "servers with --feeds send further alerts there within seconds; the store keeps the address and its secrets"
      )
    #endif
  }

  /// Returns the receiver with a name.
  ///
  /// - Throws: `ValidationError` if accounts have no such receiver.
  private static func receiver(named name: String) throws -> WebReceiver {
    if let receiver = WebReceiver(rawValue: name) { return receiver }
    let others = WebReceiver.allCases.map(\.rawValue).joined(separator: ", ")
    let reason =
      switch name {
      case "hook": "'photospots serve' runs no programs for accounts"
      case "stdout", "mqtt", "home-assistant": "it is not available for accounts"
      default: "there is no such receiver"
      }
    throw ValidationError("'\(name.escaped)': \(reason); use \(others)")
  }

  /// Throws an error if a receiver cannot be used with the given settings.
  private func requireUsable(_ receiver: WebReceiver, _ settings: Settings) throws {
    for setting in receiver.neededSettings where try !settings.isGiven(setting) {
      let place =
        settingsFile.map(\.escaped)
        ?? "\(Paths.settingsFile.escaped) or in the environment variable \(setting.environmentName)"
      throw ValidationError(
        "\(receiver.rawValue) needs the setting \(setting.rawValue); set it in \(place)")
    }
    guard try settings.notifier(for: receiver, picture: { _ in nil }) != nil else {
      throw ValidationError("\(receiver.rawValue) cannot be used with these settings")
    }
  }

  #if Postgres
    private static func tooMany(_ owner: StoreOwner) -> MessageError {
      MessageError(
        """
        \(owner.name.escaped) already has \(AccountReceiver.maximumCount) receivers; remove one with 'photospots store \
        account remove'
        """)
    }
  #endif
}
