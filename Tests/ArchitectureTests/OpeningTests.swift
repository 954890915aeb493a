import SystemPackage
import TestSupport
import Testing

/// Checks which source files open files for reading by a path. A file of a photo library, which
/// others may be able to replace by a link, is opened by `Disk.open(_: LibraryFile)` only.
@Suite struct OpeningTests {
  /// Calls that open a file by a path, and flags of such calls.
  private static let calls = [
    "FileDescriptor.open(", "Disk.openRegularFile(", "Disk.read(path", "Disk.read(stem",
    "Disk.readToEnd(", "MappedFile(", "PhotoFile(path", "O_RDONLY", "fopen(",
  ]

  /// The source files with such calls, and what they open.
  private static let openers = [
    "COpening/COpening.c": "files of a library, for Disk.open",
    "CSandbox/CSandbox.c": "/dev/null",
    "FeedSources/OpenFile.swift": "a feed that the user names",
    "KeptPlaces/PlaceStore.swift": "the places of the user",
    "MapTiles/TileStore.swift": "map tiles in a folder of the settings",
    "PhotoLibrary/Indexing/FolderListing.swift": "folders; only the root may be a link",
    "PhotoLibrary/Indexing/OpenFolder.swift": "folders, for PhotoFile",
    "PhotoLibrary/Indexing/RotatingDisk.swift": "/sys",
    "PhotoLibrary/Mapped/PhotoIndexCache+Mapped.swift": "the index",
    "PhotoLibrary/PhotoIndexCache.swift": "the index",
    "PhotoLibrary/Watching/MountTable.swift": "/proc",
    "PhotoLibrary/Watching/RootState.swift": "the root",
    "PhotoMetadata/PhotoFile.swift":
      "a file in an open folder without following a link, and one that the user names",
    "PhotoMetadata/Sidecars/Sidecar.swift": "a sidecar, without following a link",
    "PositionImport/OSXPhotosDocument.swift": "a list that the user names",
    "PositionImport/PositionRecords.swift": "a database that the user names",
    "Recreations/RecreationList.swift": "state",
    "RemoteLibraries/WalkSpool.swift": "state",
    "SpotAlerts/Delivery/HookScript.swift": "the hook of the settings",
    "SpotAlerts/Devices/DeviceLog.swift": "state",
    "SpotAlerts/Journal/Journal.swift": "state",
    "SpotAlerts/Journal/JournalFile.swift": "state",
    "SpotAlerts/LocalClock+Machine.swift": "the machine's time zone",
    "SpotAlerts/Muting/MuteList.swift": "state",
    "SQLiteFiles/SQLiteFile+InUse.swift": "a database that the user names",
    "WebService/SecuredChannels.swift": "a certificate and its key",
    "photospots/InspectCommand.swift": "a photo that the user names",
    "PlaceTransfer/PlaceImport.swift": "places that the user names",
    "PageServer/Certificates/HomeAuthority.swift": "state",
    "PageServer/Folders/FoundFolders.swift": "the folders of the user's desktop",
    "PageServer/PairingCodes.swift": "state",
    "PageServer/ServeAddress.swift": "state",
    "PageServer/ServeKey.swift": "the key",
    "PageServer/PrivateList.swift": "state",
    "PageServer/StateFiles.swift": "state",
    "Settings/SettingsFile.swift": "the settings",
    "PageServer/ServiceMetrics.swift": "/proc",
    "StoreServer/SourceToken.swift": "state",
    "Terminal/StandardOutput.swift": "/dev/null",
  ]

  /// Returns the calls in a line of source, without its comment.
  private static func findings(in line: Substring) -> [String] {
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    return calls.filter { code.contains($0) }
  }

  @Test func `files of a photo library are opened by one function`() throws {
    let sources = Repository.sources
    var found: Set<String> = []
    for path in Corpus.paths(under: sources)
    where ["swift", "c", "h"].contains(path.extension) {
      let file = Repository.name(ofSource: path)
      if file.hasPrefix("Storage/") { continue }
      let content = try Corpus.contents(of: path)
      guard content.contains(anyOf: Self.calls) else { continue }
      let text = String(decoding: content, as: UTF8.self)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        for call in Self.findings(in: line) {
          found.insert(file)
          #expect(
            Self.openers[file] != nil,
            """
            \(file):\(number + 1): \(call); open a file of a photo library by Disk.open, or add \
            what else is opened to the list of this test
            """)
        }
      }
    }
    #expect(found == Set(Self.openers.keys), "files in the list that open nothing")
  }

  @Test func `finds calls that open a file, but not in comments`() {
    #expect(Self.findings(in: "  let file = try FileDescriptor.open(path, .readOnly)") != [])
    #expect(Self.findings(in: "open(name, O_RDONLY)") != [])
    #expect(Self.findings(in: "  // O_RDONLY").isEmpty)
    #expect(Self.findings(in: "try Disk.open(file)").isEmpty)
  }
}
