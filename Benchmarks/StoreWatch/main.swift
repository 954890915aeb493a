run(Array(CommandLine.arguments.dropFirst()))
