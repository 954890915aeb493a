// What runs here is on the main actor, where sorting is slow; so it only calls.
WatcherPeer.run(Array(CommandLine.arguments.dropFirst()))
