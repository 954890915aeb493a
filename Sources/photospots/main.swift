// What runs here is on the main actor, where C callbacks and sorting are slow or forbidden; so it
// only calls.
PhotoSpotsCommand.run(CommandLineBytes.arguments)
