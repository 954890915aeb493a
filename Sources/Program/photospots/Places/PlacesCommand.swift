import ArgumentParser

/// The command `photospots places`.
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Manage your own places, with notes, photos and collections.",
    discussion: """
      The commands 'near', 'spots' and 'watch' treat a place like a spot. All places are stored in \
      one JSON file: places.json in the state folder, or the file of the setting placesFile, which \
      several machines may share. The beginning of an id is enough if no other id begins with it.

        photospots places add 48.8584 2.2945 --name 'Eiffel Tower'
        photospots places add here of phone --collection Walks
        photospots places list --collection Walks
      """,
    subcommands: [
      AddPlaceCommand.self, ListPlacesCommand.self, ShowPlaceCommand.self, NotePlaceCommand.self,
      AttachCommand.self, DetachCommand.self, CollectCommand.self, UncollectCommand.self,
      RenamePlaceCommand.self, MovePlaceCommand.self, RadiusCommand.self, PinCommand.self,
      UnpinCommand.self, RemovePlaceCommand.self, RestorePlaceCommand.self,
      DuplicatesCommand.self, MergePlacesCommand.self, PlacesImportCommand.self,
      PlacesExportCommand.self,
    ],
    defaultSubcommand: ListPlacesCommand.self)
}
