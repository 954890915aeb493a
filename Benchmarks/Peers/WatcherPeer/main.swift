// Top-level code runs on the main actor, where sorting is slow. Therefore it only calls a function.
WatcherPeer.run(Array(CommandLine.arguments.dropFirst()))
