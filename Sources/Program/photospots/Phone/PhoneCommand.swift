import ArgumentParser
import CivilTime
import Encodings
import PageServer
import PhotoLibrary
import ProcessControl
import SpotService
import SpotWatcher
import SystemPackage
import TerminalOutput

/// The command `photospots phone`.
struct PhoneCommand: ParsableCommand {
  /// The output format of phones.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "Manage the phones that report their position, each with a token of its own.",
    discussion: """
      An app on the phone sends its positions with the token to 'photospots serve' or 'photospots \
      watch --listen', which need no restart. All reports with a token are those of one device, \
      which has the phone's name. The state folder has only hashes of the tokens, so a token is \
      shown once.

        photospots phone add Anna
        photospots phone list
        photospots phone rename Anna 'Anna, old phone'
        photospots phone remove Anna
      """,
    subcommands: [
      AddPhoneCommand.self, ListPhonesCommand.self, RenamePhoneCommand.self,
      RemovePhoneCommand.self,
    ],
    defaultSubcommand: ListPhonesCommand.self)
}

extension StateArguments {
  /// The phones of the state folder.
  var phones: PhoneFile { PhoneFile(in: folder, log: .terminal) }

  /// Changes the phones.
  ///
  /// - Throws: `MessageError` if nothing was changed.
  func updatePhones<Value>(
    _ change: (inout PhoneList) throws(PhoneListError) -> Value
  ) throws -> Value {
    do throws(PhoneFile.Failure) { return try phones.update(change).result } catch {
      throw MessageError("\(error)")
    }
  }

  /// Returns the phone with a name, or else with an id.
  ///
  /// - Throws: `MessageError` if there is none.
  func phone(_ name: String) throws -> Phone {
    let all = try phones.load()?.all ?? []
    let lower = name.lowercased()
    guard
      let phone = all.first(where: { $0.name == name })
        ?? all.first(where: { $0.name.lowercased() == lower })
        ?? all.first(where: { $0.id == lower })
    else {
      throw MessageError(
        "there is no phone '\(name.escaped)'; '\(commands.text("phone list"))' lists the phones")
    }
    return phone
  }
}

/// `photospots phone list`
struct ListPhonesCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the phones, with their apps and latest reports, to the hour.")

  @Option(help: "The output format: text or json.")
  var format = PhoneCommand.Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let phones = try state.phones.load()?.all ?? []
    if format == .json {
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in for phone in phones { phone.write(to: &writer) } }
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    } else {
      let width = phones.map(\.name.escaped.columns).max() ?? 0
      try StandardOutput.write(phones.map { Self.line($0, width, now: .now) }.joined())
    }
    if phones.isEmpty {
      StandardError.note(
        "there is no phone; '\(state.commands.text("phone add", "NAME"))' adds one")
    }
  }

  private static func line(_ phone: Phone, _ width: Int, now: Instant) -> String {
    var fields = ["added \(phone.added.iso8601.prefix(10))"]
    if let used = phone.used {
      fields.append("last used \(DurationText.text(max(0, now.seconds(since: used)))) ago")
    } else {
      fields.append("never used")
    }
    if let app = phone.app { fields.append(app.escaped) }
    return StandardOutput.row(
      phone.name.escaped.padded(to: width) + "  ", fields.joined(separator: "  ")) + "\n"
  }
}

/// `photospots phone rename`
struct RenamePhoneCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a phone, and the device of its later reports.")

  @Argument(help: "The name of the phone.", completion: Completions.phones)
  var name: String

  @Argument(help: "The new name.")
  var newName: String

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let phone = try state.phone(name)
    guard
      try state.updatePhones({ phones throws(PhoneListError) in
        try phones.rename(phone.id, to: newName)
      })
    else { throw MessageError("the phone was removed meanwhile") }
    try StandardOutput.write("renamed \(phone.name.escaped) to \(newName.escaped)\n")
  }
}

/// `photospots phone remove`
struct RemovePhoneCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove phones: servers refuse their tokens from the next report on.")

  @Argument(
    help: ArgumentHelp("The names of the phones.", valueName: "name"),
    completion: Completions.phones)
  var names: [String]

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let chosen = try names.map(state.phone)
    let removed = try state.updatePhones { phones throws(PhoneListError) in
      chosen.filter { phones.remove($0.id) }
    }
    try StandardOutput.write(removed.map { "removed \($0.name.escaped)\n" }.joined())
  }
}
