GoldenTable.run(CommandLine.arguments.dropFirst())
