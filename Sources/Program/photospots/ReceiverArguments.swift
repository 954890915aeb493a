import ArgumentParser
import Encodings
import FeedSources
import HTTPClient
import HomeAssistant
import MQTTBroker
import PhotoLibrary
import Pictures
import ProgramSettings
import SpotAlerts
import Storage
import SystemPackage
import TerminalOutput

/// The options that select the receivers of notifications other than standard output.
struct ReceiverArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A program to run for each notification, with its JSON on standard input.", valueName: "path"),
    completion: .file())
  var hook: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Post each notification to webhookURL (default: if set, except in a replay).")
  var webhook: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Publish each notification to ntfyURL (default: if set, except in a replay).")
  var ntfy: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Send each notification to gotifyURL (default: if set, except in a replay).")
  var gotify: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Send each notification to appriseURL (default: if set, except in a replay).")
  var apprise: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Publish each notification to mqttURL (default: if set, except in a replay).")
  var mqtt: Bool?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Announce devices and alerts to Home Assistant through mqttURL (default: if homeAssistant is on, except in a replay)."
  )
  var homeAssistant: Bool?

  /// Creates the notifiers.
  ///
  /// Past events should not ring a phone by default: the notifications of a replay are sent to a
  /// service only if an option requests it.
  ///
  /// - Parameters:
  ///   - settings: The effective settings.
  ///   - isLive: Whether the feed is live rather than a replay.
  ///   - scratchFolder: A folder that no other user can read.
  ///   - library: The index, whose folders contain the photos.
  /// - Returns: The notifiers; empty if no other receiver is selected.
  /// - Throws: `ValidationError` if an option requires a setting that is not set; `MessageError` if
  ///   the hook cannot be run.
  func notifiers(
    settings: Settings, isLive: Bool, scratchFolder: FilePath, library: PhotoIndexCache
  ) throws -> [any Notifier] {
    var notifiers: [any Notifier] = []
    try Paths.checkIsNamed(hook, as: "--hook")
    if let hook { notifiers.append(try makeHook(hook, scratchFolder)) }
    for receiver in WebReceiver.allCases
    where try isOn(flag(of: receiver), receiver.rawValue, receiver.address, settings, isLive) {
      for setting in receiver.neededSettings where try !settings.isGiven(setting) {
        throw ValidationError(Self.missing(receiver.rawValue, setting))
      }
      let sendsPicture = try settings.sendsPicture(to: receiver)
      let notifier = try settings.notifier(for: receiver) { photo in
        sendsPicture ? await Self.picture(of: photo, library) : nil
      }
      try Self.require(WebClient.obstacle, receiver.rawValue)
      if let notifier { notifiers.append(notifier) }
    }
    if try isOn(mqtt, "mqtt", .mqttURL, settings, isLive), let topic = try settings.mqttTopic {
      #if MQTT
        notifiers.append(MQTTNotifier(address: topic, password: try settings.mqttPassword))
      #else
        _ = topic
        throw MessageError(
          "mqttURL is set, but this photospots was built without MQTT; build it with 'make install TRAITS=MQTT', or use --no-mqtt"
        )
      #endif
    }
    return notifiers
  }

  private func flag(of receiver: WebReceiver) -> Bool? {
    switch receiver {
    case .webhook: webhook
    case .ntfy: ntfy
    case .gotify: gotify
    case .apprise: apprise
    }
  }

  /// Creates the connection to Home Assistant; `nil` if it is not enabled.
  ///
  /// - Throws: `ValidationError` if the broker's address is not set.
  func homeAssistantConnection(
    settings: Settings, isLive: Bool, library: PhotoIndexCache
  ) throws -> HomeAssistantConnection? {
    guard try isOn(homeAssistant, "home-assistant", .homeAssistant, settings, isLive),
      let prefix = try settings.homeAssistantPrefix
    else { return nil }
    guard let address = try settings.mqttTopic else {
      throw ValidationError(Self.missing("home-assistant", .mqttURL))
    }
    guard let topics = HomeTopics(prefix: prefix, base: address.topic) else {
      preconditionFailure("the setting was checked")
    }
    #if MQTT
      let sendsPicture = try settings.sendsPictureToHomeAssistant
      let board = HomeBoard(
        topics: topics, version: PhotoSpotsVersion.current, page: try settings.pageAddress,
        hasPictures: sendsPicture)
      let publisher = HomeAssistantPublisher(
        address: address, password: try settings.mqttPassword, board: board,
        picture: sendsPicture
          ? { @Sendable photo in await Self.picture(of: photo, library) } : nil,
        report: { StandardError.writeLine("photospots: home-assistant: \($0)") })
      return HomeAssistantConnection(publisher)
    #else
      _ = topics
      throw MessageError(
        "homeAssistant is on, but this photospots was built without MQTT; build it with 'make install TRAITS=MQTT', or use --no-home-assistant"
      )
    #endif
  }

  /// Returns whether a receiver is enabled. Its settings are validated only in this case.
  private func isOn(
    _ flag: Bool?, _ name: String, _ address: Setting, _ settings: Settings, _ isLive: Bool
  ) throws -> Bool {
    if flag == false { return false }
    guard try settings.isGiven(address) else {
      if flag == true { throw ValidationError(Self.missing(name, address)) }
      return false
    }
    if flag == nil, !isLive {
      StandardError.note("a replay is not sent to \(name); use --\(name) to send it")
    }
    return flag ?? isLive
  }

  /// Reported at the start rather than at the first spot, which may be days later.
  private static func require(_ obstacle: String?, _ name: String) throws(MessageError) {
    if let obstacle { throw MessageError("\(name): \(obstacle); or use --no-\(name)") }
  }

  private static func missing(_ name: String, _ setting: Setting) -> String {
    """
    --\(name) needs the setting \(setting.rawValue); set it in \(Paths.settingsFile.escaped) \
    or in the environment variable \(setting.environmentName)
    """
  }

  /// Returns a small picture of a photo, made on a separate thread, since it may block on the disk.
  private static func picture(of photo: FilePath, _ library: PhotoIndexCache) async -> [UInt8]? {
    await onThread {
      try? PictureMaking.jpeg(
        of: LibraryFile(photo, in: library.rootPaths), longestSide: Thumbnail.longestSide,
        by: .confined)
    }
  }

  private func makeHook(_ hook: String, _ scratchFolder: FilePath) throws -> HookNotifier {
    let notifier = HookNotifier(
      path: Paths.absolute(hook), scratchFolder: scratchFolder,
      // The database's password too (postgresql.org/docs/15/libpq-envars.html).
      withheldVariables: Setting.allCases.filter(\.isSecret).map(\.environmentName)
        + ["PGPASSWORD"],
      onOutput: { output in
        // The hook's output belongs in the log, but must not control the terminal.
        for line in output.split(separator: 0x0A) {
          StandardError.writeLine("hook: " + line.escaped)
        }
      })
    // Checked at the start rather than at the first spot, which may be days later.
    if let obstacle = notifier.obstacle { throw MessageError("--hook: \(obstacle)") }
    return notifier
  }
}
