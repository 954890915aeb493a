public import Encodings

/// A request about the folders of photos on this machine.
public enum FolderWork: Hashable, Sendable {
  /// List the folders that hold photos; `isLocal`: with their paths, for a browser on this machine.
  case list(isLocal: Bool)
  /// Index folders, by their ids in the list, and one by the path that a person typed on this
  /// machine; without any, go on with a scan that was stopped.
  case start(folders: [String], path: String?)
  /// Report the state of scans.
  case state
  /// Stop the running scan.
  case stop
}

/// A folder of this machine that holds photos.
public struct ServedFolder: Hashable, Sendable {
  let id: String
  /// The parts of its name, as bytes.
  let name: [[UInt8]]
  let path: [UInt8]
  let photoCount: Int
  let isWhole: Bool
  let isReadable: Bool

  /// Creates a folder.
  ///
  /// - Parameters:
  ///   - id: An id that reveals no path.
  ///   - name: The parts of its name, such as a disk and a folder on it.
  ///   - path: The absolute path.
  ///   - photoCount: The number of photos that were found.
  ///   - isWhole: Whether all of the folder was looked at.
  ///   - isReadable: Whether it can be read.
  public init(
    id: String, name: [[UInt8]], path: [UInt8], photoCount: Int, isWhole: Bool, isReadable: Bool
  ) {
    (self.id, self.name, self.path) = (id, name, path)
    (self.photoCount, self.isWhole, self.isReadable) = (photoCount, isWhole, isReadable)
  }

  /// Writes the folder with the known members of `id name path photos isWhole isReadable`.
  func write(isLocal: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.array("name") { writer in
        for part in name { writer.string(name: part) }
      }
      if isLocal { writer.member("path", name: path) }
      writer.member("photos", photoCount)
      writer.member("isWhole", isWhole)
      writer.member("isReadable", isReadable)
    }
  }
}

/// The state of the scans of this program.
public struct IndexingState: Hashable, Sendable {
  /// The result of a scan.
  public struct Result: Hashable, Sendable {
    /// The number of photo files.
    public let files: Int
    /// The number of files with a position.
    public let located: Int
    /// The number of files without a position.
    public let withoutPosition: Int
    /// The number of files that cannot be read or are malformed.
    public let unread: Int

    /// Creates a result.
    public init(files: Int, located: Int, withoutPosition: Int, unread: Int) {
      (self.files, self.located) = (files, located)
      (self.withoutPosition, self.unread) = (withoutPosition, unread)
    }
  }

  /// Whether a scan runs or is about to start.
  public var isRunning = false
  /// Whether a person stopped it.
  public let isStopped: Bool
  /// The name of the scanned folder; empty for several.
  public var folder = ""
  /// The number of files found so far.
  public var found = 0
  /// The number of files to read; zero until all folders were listed.
  public var total = 0
  /// The number of files read so far.
  public var read = 0
  /// The number of those files with a position.
  public var located = 0
  /// The estimated remaining time in seconds; `nil` if unknown.
  public var secondsLeft: Double?
  /// The result of the latest scan; `nil` before its end.
  public let result: Result?

  /// Creates the state without a running scan.
  public init(isStopped: Bool, result: Result?) {
    (self.isStopped, self.result) = (isStopped, result)
  }

  /// Writes the progress: `folder found total scanned located secondsLeft`.
  public func writeProgress(to writer: inout JSONWriter) {
    writer.object { writer in writeMembers(to: &writer) }
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.member("folder", folder)
    writer.member("found", found)
    writer.member("total", total)
    writer.member("scanned", read)
    writer.member("located", located)
    writer.member("secondsLeft", secondsLeft)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("isRunning", isRunning)
      writer.member("isStopped", isStopped)
      writeMembers(to: &writer)
      writer.key("result")
      if let result {
        writer.object { writer in
          writer.member("files", result.files)
          writer.member("located", result.located)
          writer.member("withoutPosition", result.withoutPosition)
          writer.member("unread", result.unread)
        }
      } else {
        writer.null()
      }
    }
  }
}
