import ArgumentParser
import Encodings
import FeedSources
import LocationFeeds
import PageServer
import ProcessControl
import ProgramSettings
import SystemPackage
import TerminalOutput
import WatchService

/// The arguments shared by all commands that read feeds.
struct FeedArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      The source of the feed: - for standard input, a file, a serial device \
      (/dev/ttyUSB0?baud=4800), gpsd://host:port, nmea+tcp://host:port, udp://:port, \
      http://127.0.0.1:port or mqtt://host/topic. Several sources are read at the same time, each \
      device by itself.
      """, valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(
      "Receive positions from phone apps by HTTP; other addresses than loopback need tokens ('photospots phone').",
      valueName: "127.0.0.1:8085"))
  var listen: String?

  @Flag(help: "Follow a file as it grows, as 'tail -F' does.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "The format of the feed, \(FeedFormat.names) (default: recognised from its content).",
      valueName: "format"),
    transform: Self.format)
  var feedFormat: FeedFormat?

  func validate() throws {
    let arguments = try feeds()
    if arguments.isEmpty {
      throw ValidationError("name a feed: a file, - for standard input, gpsd://host, or --listen")
    }
    for (index, argument) in arguments.enumerated()
    where arguments[..<index].contains(where: { $0.text == argument.text }) {
      throw ValidationError("'\(argument.text)' is given twice; remove one of them")
    }
    if follow {
      if !arguments.contains(where: \.isFile) {
        throw ValidationError(
          "--follow applies to files; other sources are always followed")
      }
      if let feedFormat, feedFormat.isDocument {
        throw ValidationError("\(FeedRunError.cannotFollow(feedFormat))")
      }
      for argument in arguments {
        do throws(FeedRunError) {
          try argument.feed(follow: true, format: feedFormat).checkFollowed()
        } catch {
          throw ValidationError("'\(argument.text)': \(error)")
        }
      }
    }
    for case .address(let address) in arguments.map(\.place) { try checkFormat(of: address) }
  }

  private func checkFormat(of address: FeedAddress) throws {
    guard let feedFormat, feedFormat != address.format else { return }
    switch address {
    case .stream(.udp): break
    case .stream:
      throw ValidationError(
        "\(address) has another format than \(feedFormat.rawValue); remove --feed-format")
    case .http, .mqtt:
      throw ValidationError(
        "the format of each message to \(address) is recognised from its content; remove --feed-format"
      )
    }
  }

  /// Parses the name of a format.
  static func format(_ name: String) throws -> FeedFormat {
    guard let format = FeedFormat(rawValue: name) else {
      throw ValidationError("'\(name)' is not a feed format; use \(FeedFormat.names)")
    }
    return format
  }

  /// The names of the feeds for display, for example `gpsd://localhost, udp://:5000`.
  var names: String {
    get throws {
      try feeds().map { $0.isStandardInput ? "standard input" : $0.text.escaped }
        .joined(separator: ", ")
    }
  }

  /// Opens the feeds with the secrets from the settings.
  ///
  /// - Parameters:
  ///   - settings: The settings in force.
  ///   - stateFolder: The folder with the phones that may report positions; `nil` for none.
  ///   - report: Receives what happens to the feeds.
  /// - Returns: The feeds.
  /// - Throws: An error if an address, a setting or the file of phones cannot be used.
  func open(
    _ settings: Settings, phonesIn stateFolder: FilePath? = nil,
    report: @escaping @Sendable (FeedRunEvent) -> Void
  ) throws -> FeedRun {
    let arguments = try feeds()
    var access = FeedAccess()
    for case .address(let address) in arguments.map(\.place) {
      switch address {
      case .http:
        access.tokens = try settings.listenTokens
        access.phones = try stateFolder.map { try ServedPhones(in: $0, log: .terminal) }
      case .mqtt: access.mqttPassword = try settings.mqttPassword
      case .stream: break
      }
    }
    return try FeedRun(
      arguments.map { $0.feed(follow: follow, format: feedFormat) }, access: access,
      report: report)
  }

  private func feeds() throws -> [FeedArgument] {
    try (sources + (listen.map { ["http://" + $0] } ?? [])).map(FeedArgument.init)
  }
}

/// A feed named on the command line.
struct FeedArgument {
  /// The location that a feed is read from.
  enum Place {
    case standardInput
    case file(FilePath)
    case serialDevice(FilePath, baudRate: Int)
    case address(FeedAddress)
  }

  /// The text as entered by the user.
  let text: String
  let place: Place
  /// The prefix of the feed's device names if there are several feeds.
  let name: String

  init(_ text: String) throws {
    try Paths.checkIsNamed(text, as: "the name of a feed")
    self.text = text
    do throws(FeedAddressError) {
      if let address = try FeedAddress(text) {
        place = .address(address)
        name = address.place
        return
      }
    } catch .holdsPassword {
      // The typed text is left out of the message, since it contains the password.
      throw ValidationError("\(FeedAddressError.holdsPassword)")
    } catch {
      throw ValidationError("'\(text)': \(error)")
    }
    if text == "-" {
      (place, name) = (.standardInput, "stdin")
    } else if let (path, baudRate) = try Self.serialDevice(text) {
      (place, name) = (.serialDevice(Paths.absolute(path), baudRate: baudRate), path)
    } else {
      (place, name) = (.file(Paths.absolute(text)), text)
    }
  }

  var isFile: Bool {
    if case .file = place { true } else { false }
  }

  var isStandardInput: Bool {
    if case .standardInput = place { true } else { false }
  }

  /// Creates the feed to read.
  func feed(follow: Bool, format: FeedFormat?) -> Feed {
    let origin: Feed.Origin =
      switch place {
      case .standardInput: .standardInput
      case .file(let path): follow ? .followedFile(path) : .file(path)
      case .serialDevice(let path, let baudRate): .serialDevice(path, baudRate: baudRate)
      case .address(let address): .address(address)
      }
    return Feed(origin: origin, label: text, deviceName: name, format: format)
  }

  /// Splits a serial device's path from its baud rate.
  private static func serialDevice(_ text: String) throws -> (path: String, baudRate: Int)? {
    let parts = text.split(separator: "?baud=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    guard let baudRate = Int(parts[1]), FeedSource.baudRates.contains(baudRate) else {
      let rates = FeedSource.baudRates.map(String.init).joined(separator: ", ")
      throw ValidationError("'\(text)': the baud rate must be one of \(rates)")
    }
    return (String(parts[0]), baudRate)
  }
}
