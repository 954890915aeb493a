import ArgumentParser

/// `photospots places`
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places", abstract: "Keep places of your own.",
    subcommands: [PlacesImportCommand.self, PlacesExportCommand.self])
}
