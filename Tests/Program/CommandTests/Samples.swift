import SystemPackage
import TestSupport

/// The sample photos and walk of the repository.
let samples = Repository.samples
