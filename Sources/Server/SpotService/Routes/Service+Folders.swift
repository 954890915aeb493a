import Encodings

extension Service {
  /// Returns the work for listing the folders of this machine that hold photos.
  func folders(_ call: Call) -> FolderWork { .list(isLocal: call.request.isFromThisMachine) }

  /// Returns the work for indexing folders. Only a browser on this machine may name one by its
  /// path: others would learn by the answers what the machine holds.
  func startIndexing(_ call: Call) throws(Problem) -> FolderWork {
    let (folders, path) = try RequestBody.folders(call.request.body)
    guard path == nil || call.request.isFromThisMachine else {
      throw Problem(
        .badParameter, "A path is taken only from a browser on the machine itself.",
        parameter: "path")
    }
    return .start(folders: folders, path: path)
  }

  /// Creates the answer to a request for folders.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - isLocal: Whether the browser is on this machine, and may name a folder by its path.
  /// - Returns: The answer: `isLocal items`.
  public func folders(_ folders: [ServedFolder], isLocal: Bool) -> ServiceResponse {
    ServiceResponse { writer in
      writer.object { writer in
        writer.member("isLocal", isLocal)
        writer.array("items") { writer in
          for folder in folders { folder.write(isLocal: isLocal, to: &writer) }
        }
      }
    }
  }

  /// Creates the answer to a request for the state of scans.
  public func indexing(_ state: IndexingState) -> ServiceResponse {
    ServiceResponse { writer in state.write(to: &writer) }
  }
}

extension ServiceRequest {
  /// Whether the browser is on this machine: its connection comes from a loopback address, it names
  /// such a host, and no proxy forwarded it.
  var isFromThisMachine: Bool {
    guard let address, let host = field("Host"), HostRule.isLoopback(host) else { return false }
    let isForwarded = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
      .contains { field($0) != nil }
    return HostRule.isLoopback(address: address) && !isForwarded
  }
}
