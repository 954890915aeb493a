SampleFolder.main(arguments: CommandLine.arguments)
