import ArgumentParser
import CivilTime
import Encodings
import PageServer
import PhotoLibrary
import ProgramSettings
import SpotAlerts
import SpotService
import SystemPackage
import TerminalOutput

/// `photospots phone add`
struct AddPhoneCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Let a phone in: print a QR code for its camera, or a token.",
    discussion: """
      While 'photospots serve' runs with the state folder, this prints an address that works once \
      and for ten minutes, on a terminal also as a QR code. The phone opens the page with it, is \
      added, and offers apps that send its position.

      Without such a server, or with --token, the phone is added at once and its token is printed, \
      for 'photospots watch --listen' and for scripts. An app sends the token as its password \
      (OwnTracks), as its access token (Overland), or in the address: /feed/TOKEN.
      """)

  @Argument(help: "The name of the phone, which alerts show.")
  var name: String

  @Flag(help: "Print the token of the phone, and no QR code.")
  var token = false

  @Option(help: "The output format: text or json.")
  var format = PhoneCommand.Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let page = token ? nil : try runningPage()
    if let page { try invite(to: page) } else { try add() }
  }

  /// Returns the address of the running server; `nil` if none runs.
  private func runningPage() throws -> PhonePage? {
    let stored: PhonePage?
    do throws(Errno) { stored = try ServeAddress(in: state.folder).loadForPhones() } catch {
      throw MessageError(
        """
        the address of the running 'photospots serve' in \(state.folder.escaped) cannot be read: \(error)
        """)
    }
    guard let stored else { return nil }
    return try settings.resolve().pageAddress
      .map { PhonePage(address: "\($0)/", isReachable: true) } ?? stored
  }

  /// Prints an address with a code, and a QR code on a terminal.
  private func invite(to page: PhonePage) throws {
    let phones = try state.phones.load() ?? PhoneList()
    do throws(PhoneListError) { try phones.check(name: name) } catch {
      throw MessageError("\(error)")
    }
    let code: PairingCode
    do throws(Errno) {
      code = try PairingCodes(folder: state.folder).make(forPhone: name, now: SystemClock().now())
    } catch { throw MessageError("the code cannot be stored in \(state.folder.escaped): \(error)") }
    let invitation = PhoneInvitation(code, at: page)
    if format == .json {
      try writeJSON { writer in
        writer.member("name", name)
        writer.member("link", invitation.link)
        writer.member("code", code.text)
        writer.member("expires", code.expires.iso8601)
        writer.member("isReachable", invitation.isReachable)
      }
    } else {
      let drawing = StandardOutput.isTerminal ? invitation.picture : nil
      try StandardOutput.write(
        (drawing?.drawing(isColored: Style.areOn) ?? "") + "\(invitation.link)\n")
    }
    if !invitation.isReachable {
      StandardError.writeLine(
        """
        photospots: phones cannot reach this address, which is that of this machine only: set \
        pageAddress, or start '\(state.commands.text("serve"))' with --listen and a certificate
        """)
    }
    StandardError.note("scan or open it on \(name.escaped); it works once and for ten minutes")
  }

  /// Adds the phone and prints its token.
  private func add() throws {
    let token = SessionKey.phoneToken()
    let phone = try state.updatePhones { phones throws(PhoneListError) in
      try phones.add(name, token: token, now: .now)
    }
    if format == .json {
      try writeJSON { writer in
        writer.member("id", phone.id)
        writer.member("name", phone.name)
        writer.member("token", token)
      }
    } else {
      try StandardOutput.write(token + "\n")
    }
    StandardError.note(
      """
      this token is not shown again; the app sends it with its positions to /feed of 'photospots \
      serve' or 'watch --listen'
      """)
  }

  private func writeJSON(_ members: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter(layout: .indented)
    writer.object { members(&$0) }
    writer.newline()
    try StandardOutput.write(json: writer.takeBytes())
  }
}
