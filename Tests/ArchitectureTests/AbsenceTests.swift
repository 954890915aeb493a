import SystemPackage
import TestSupport
import Testing

/// "Cannot be looked at" is never "there is none": absence, an error and an answer are three cases.
/// So the error of a call of `Storage` is not dropped by `try?`, except where the list says why.
@Suite struct AbsenceTests {
  private struct Known {
    let count: Int
    let reason: String

    init(_ count: Int, _ reason: String) { (self.count, self.reason) = (count, reason) }
  }

  /// The calls whose error is dropped, and why nothing is lost thereby.
  private static let known: [String: Known] = [
    "KeptPlaces/SyncConflicts.swift": Known(
      2, "conflict copies; the file beside them is read next, and reports the error"),
    "PageServer/Folders/FoundFolders.swift": Known(
      2, "folders that are offered; one that cannot be looked at is still taken by its path"),
    "PageServer/PairingCodes.swift": Known(2, "a code that cannot be read admits nobody"),
    "PageServer/ServiceMetrics.swift": Known(1, "/proc; a figure is left out"),
    "PhotoLibrary/Indexing/RotatingDisk.swift": Known(1, "/sys; a guess about speed"),
    "PhotoLibrary/Mapped/PhotoIndexCache+Mapped.swift": Known(
      3, "a derived file; the index is read instead"),
    "PhotoLibrary/Watching/MountTable.swift": Known(1, "/proc; without it folders are looked at"),
    "PlaceTransfer/ArchivedPhotos.swift": Known(
      3, "whether a photo is already there; if unknown, it is extracted beside it"),
    "PlaceTransfer/PlaceExport.swift": Known(2, "photos that are left out are counted and named"),
    "Recreations/RecreationStore.swift": Known(1, "what cannot be looked at is not removed"),
    "SQLiteFiles/SQLiteFile+InUse.swift": Known(2, "a hint about the cause of another error"),
    "SpotAlerts/Journal/Journal.swift": Known(3, "the number of the process in a lock file"),
    "SpotAlerts/LocalClock+Machine.swift": Known(
      1, "rules of a zone; `MachineTimeZone.problem` tells the case"),
    "Storage/Caching/CacheFolder.swift": Known(2, "a cache; its files are made again"),
    "Storage/Disk+Locks.swift": Known(1, "/proc; the answer is unknown"),
    "Storage/Disk+Status.swift": Known(1, "whether a folder is a link; it is opened next"),
    "Storage/Disk+Writing.swift": Known(1, "the hook of tests"),
    "Storage/KnownFolder.swift": Known(
      8, "a memory that cannot be read warns of nothing; /proc"),
    "Storage/KnownMount.swift": Known(
      7, "a memory that cannot be read or written expects no disk"),
    "Storage/LibraryFile.swift": Known(1, "whether a photo can be shown"),
    "Storage/MappedFile.swift": Known(1, "the hook of tests; the file is read instead"),
    "Storage/Disk.swift": Known(1, "closing; content was synchronised before"),
    "ThenAndNow/SharedPair.swift": Known(1, "a link; the file is opened next"),
  ]

  /// Counts the calls in a line whose error is dropped; in Storage itself, all calls are meant.
  private static func findings(in line: Substring, isInStorage: Bool = false) -> Int {
    // A regular expression is parsed for each line, which takes half a minute for all.
    guard line.utf8.contains(UInt8(ascii: "?")) else { return 0 }
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    return isInStorage
      ? code.matches(of: #/\btry\?/#).count
      : code.matches(of: #/\btry\?\s+(unsafe\s+)?(Disk|MappedFile|FileChunks|KnownFolder)[.(]/#)
        .count
  }

  @Test func `the error of a call of Storage is dropped only where the list has a reason`() throws {
    var found: [String: Int] = [:]
    for path in Corpus.paths(under: Repository.sources) where path.extension == "swift" {
      let file = Repository.name(ofSource: path)
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let count = Self.findings(in: line, isInStorage: file.hasPrefix("Storage/"))
        if count > 0 { found[file, default: 0] += count }
      }
    }
    for (file, count) in found.sorted(by: { $0.key < $1.key }) {
      #expect(
        count == Self.known[file]?.count ?? 0,
        """
        \(file) drops the errors of \(count) calls. Make absence, error and answer three cases, or add \
        the reason to the list of this test.
        """)
    }
    #expect(Set(Self.known.keys).subtracting(found.keys).isEmpty, "files in the list without calls")
  }

  @Test(arguments: [
    ("let size = (try? Disk.size(of: path)) ?? 0", 1),
    ("guard let a = try? Disk.read(a), let b = try? Disk.read(b)", 2),
    ("(try? unsafe Disk.read(file, into: $0)) ?? 0", 1), ("// try? Disk.read(path)", 0),
    ("try Disk.read(path)", 0), ("try? JSONObject(document: bytes)", 0),
  ])
  func `calls whose error is dropped are found`(line: String, count: Int) {
    #expect(Self.findings(in: line[...]) == count, "\(line)")
  }
}
