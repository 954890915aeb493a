import ArgumentParser
import Encodings
import FeedSources
import HomeAssistant
import LocationFeeds
import PhotoLibrary
import ProgramSettings
import TerminalOutput

#if MQTT
  import MQTTBroker
#endif

/// The command `photospots home-assistant`.
struct HomeAssistantCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "home-assistant",
    abstract: "List the devices announced to Home Assistant, or remove them from it.",
    discussion: """
      A watch with the setting homeAssistant announces devices to Home Assistant through the \
      broker of mqttURL. The broker retains the announcements, so a device stays there until it is \
      removed here. A running watch announces its devices again, so stop it or turn the setting \
      off first.
      """)

  @Option(
    help: ArgumentHelp(
      "Remove a device, by its name in the feed; - is the device without a name.",
      valueName: "name"))
  var remove: String?

  @Flag(help: "Remove everything that this installation announced.")
  var removeAll = false

  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if remove != nil, removeAll {
      throw ValidationError("use --remove or --remove-all, not both")
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    guard let address = try settings.mqttTopic else {
      throw ValidationError(
        "the setting mqttURL is off; set it in \(Paths.settingsFile.escaped)")
    }
    let prefix = try settings.homeAssistantPrefix ?? HomeTopics.usualPrefix
    guard let topics = HomeTopics(prefix: prefix, base: address.topic) else {
      preconditionFailure("the setting was checked")
    }
    #if MQTT
      try run(address, topics, password: try settings.mqttPassword)
    #else
      _ = topics
      throw MessageError(
        "this photospots was built without MQTT; build it with 'make install TRAITS=MQTT'")
    #endif
  }

  #if MQTT
    private func run(
      _ address: MQTTAddress, _ topics: HomeTopics, password: String?
    ) throws {
      do throws(FeedOutage) {
        let broker = try HomeAssistantDiscoveries(
          at: address, password: password, topics: topics)
        let messages = try broker.messages()
        let removed = removeAll ? messages : messages.filter { isRemoved($0, topics) }
        try broker.publish(removed.flatMap { topics.removal(ofDiscovery: $0.topic) })
        let isListing = remove == nil && !removeAll
        let names = (isListing ? messages : removed).map(Self.name)
        try write(names.map { "\(isListing ? "" : "removed ")\($0)\n" }.joined())
        if names.isEmpty { StandardError.note("no such device was announced to Home Assistant") }
      } catch {
        throw MessageError("mqttURL: \(error)")
      }
    }

    private func write(_ text: String) throws(FeedOutage) {
      try? StandardOutput.write(text)
    }

    private func isRemoved(_ message: HomeMessage, _ topics: HomeTopics) -> Bool {
      guard let remove else { return false }
      return message.topic == topics.discovery(of: remove == "-" ? nil : remove)
    }

    /// Returns the name of the device in a discovery message, or else its topic. Any client of the
    /// broker may have written it.
    private static func name(_ message: HomeMessage) -> String {
      let name = try? JSONObject(document: message.payload).object("device")?.string("name")
      return (name ?? message.topic).escaped
    }
  #endif
}
