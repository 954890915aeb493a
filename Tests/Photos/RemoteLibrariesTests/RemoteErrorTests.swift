import PhotoLibrary
import Testing

@testable import RemoteLibraries

@Suite struct RemoteErrorTests {
  @Test(arguments: [("immich://nas.local", "Immich"), ("photoprism://nas.local", "PhotoPrism")])
  func `advice names the program of the library, and no server without a name`(
    address: String, name: String
  ) throws {
    let library = try #require(RemoteLibrary(address))
    let errors: [RemoteError] = [
      .failed(library, status: 500), .redirected(library, host: "elsewhere.example"),
      .unreachable(library, "a secure connection failed"),
    ]
    for error in errors {
      #expect(error.description.contains(name), "\(error)")
      #expect(!error.description.contains("server"), "\(error)")
    }
  }
}
