import ArgumentParser

/// The command `photospots places`.
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Keep places of your own, with notes, photos and collections.",
    discussion: """
      A place takes part in 'near', 'spots' and 'watch' as a spot does. All places are one JSON file, \
      places.json in the state folder or the file that the setting placesFile names; it may lie in a folder \
      that several machines share. The beginning of an id is enough where no other begins so.

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
