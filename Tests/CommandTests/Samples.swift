import SystemPackage

/// The sample photos and walk of the repository.
let samples = FilePath(#filePath).removingLastComponent().removingLastComponent()
  .removingLastComponent().appending("Samples")
