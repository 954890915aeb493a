import ProgramSettings

// Top-level code runs on the main actor, where sorting is slow and C callbacks are not allowed.
// Therefore it only calls a function.
PhotoSpotsCommand.run(CommandLineBytes.arguments)
