import ArgumentParser
import CivilTime
import Encodings
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotWatcher
import TerminalOutput

/// The command `photospots mute`.
struct MuteCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Mute spots permanently or for a time; without a spot, list the muted spots.",
    discussion: """
      The id of a spot is in every notification and in the output of 'photospots near' and \
      'spots'. The place stays muted, whatever is indexed there later. A running 'photospots \
      watch' applies the change at once. The first four characters of an id are enough if no other \
      id begins with them.
      """)

  @Argument(
    help: ArgumentHelp("The ids of the spots.", valueName: "spot"), completion: Completions.spots)
  var spots: [String] = []

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("The duration: 7d, 12h (default: until unmuted).", valueName: "time"))
  var duration: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard let duration else { return }
    guard !spots.isEmpty else { throw ValidationError("--for needs a spot") }
    _ = try Self.seconds(duration)
  }

  private static let longest = 100 * 365.25 * 86_400

  private static func seconds(_ text: String) throws -> Double {
    // Elsewhere a number alone is in seconds, for which nobody mutes a spot.
    guard text.contains(where: \.isLetter) else {
      throw ValidationError(
        "--for '\(text.escaped)': write a time with its unit, such as 7d, 12h or 30min")
    }
    guard let seconds = Quantity.seconds(text), seconds > 0, seconds <= longest else {
      throw ValidationError("--for '\(text)': write a time such as 7d, 12h or 30min")
    }
    return seconds
  }

  func run() throws {
    let list = MuteList(in: state.folder)
    guard !spots.isEmpty else { return try show(list.load()) }
    let now = Instant.now
    let until = try duration.map { now.advanced(bySeconds: try Self.seconds($0)) }
    let settings = try settings.resolve()
    let radius = try settings.clusterRadiusMeters
    let photos = try index.open(clusterRadius: radius)
    let known = try OwnPlaces(stateFolder: state.folder, settings, log: .terminal)
      .joined(with: SpotIndex(photos, clusterRadius: radius), clusterRadius: radius)
    let advice = "'\(index.commands(state).text("spots"))' lists them"
    let chosen = try Set(
      spots.map { try SpotReference.id($0, in: known, advice: advice) })
    let silenced = try chosen.sorted().compactMap { try known.spot(ofID: $0) }
    guard !photos.isCutOff else { throw MessageError.cutOff }
    try list.update(now: now) { list in
      list.removeAll { chosen.contains($0.spotID) }
      list += silenced.map { MutedSpot(spotID: $0.id, center: $0.coordinate, until: until) }
    }
    try StandardOutput.write(silenced.map { Self.line($0, until: until) }.joined())
  }

  /// Returns a line with the muted spot and the end of the muting.
  private static func line(_ spot: PhotoSpot, until: Instant?) -> String {
    let end = until.map { "until \(CivilTimeText.minute($0))" } ?? "until unmuted"
    let count = spot.photoCount == 1 ? "1 photo" : "\(spot.photoCount) photos"
    let name = spot.place.flatMap { _ in spot.placeName?.escaped }
    let photos = spot.photoCount > 0 ? "\(count), \(SpotText.dates(spot))" : nil
    let what = [name, photos].compactMap(\.self).joined(separator: ", ")
    return StandardOutput.row(
      "muted \(spot.id): ", "\(what), at \(SpotText.position(spot.coordinate)), \(end)") + "\n"
  }

  private func show(_ mutes: [MutedSpot]) throws {
    let inForce = mutes.filter { $0.isInForce(at: .now) }
    var zone = ZoneLabel()
    try StandardOutput.write(
      inForce.map { mute in
        let until = mute.until.map { "until \(zone.minute($0))".trimmedAtEnd } ?? "until unmuted"
        return StandardOutput.row(
          "\(mute.spotID)  ", "\(SpotText.position(mute.center).padded(to: 22))  \(until)") + "\n"
      }.joined())
    if inForce.isEmpty { StandardError.note("no spot is muted") }
  }
}

/// The command `photospots unmute`.
struct UnmuteCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Unmute spots.")

  @Argument(
    help: ArgumentHelp("The ids of the spots, as 'photospots mute' lists them.", valueName: "spot"),
    completion: Completions.mutedSpots)
  var spots: [String]

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let list = MuteList(in: state.folder)
    let muted = try list.load().filter { $0.isInForce(at: .now) }
    let ids = muted.map(\.spotID)
    let chosen = try Set(
      spots.map {
        try SpotReference.id(
          $0, among: ids, missing: "no such spot is muted",
          advice: ids.isEmpty
            ? "no spot is muted at all" : "'\(state.commands.text("mute"))' lists the muted spots")
      })
    try list.update(now: .now) { list in list.removeAll { chosen.contains($0.spotID) } }
    try StandardOutput.write(
      muted.filter { chosen.contains($0.spotID) }
        .map { "unmuted \($0.spotID), at \(SpotText.position($0.center))\n" }.joined())
  }
}
