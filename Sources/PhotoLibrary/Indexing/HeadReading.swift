import PhotoMetadata
import Storage
import Synchronization
public import SystemPackage

/// What an index of folders costs before anything is made of the photos: a walk over the folders,
/// and of every file that may be a photo its opening, its size and times, its first 16 KiB and its
/// closing.
///
/// The disk allows no faster index than that, so it is what ``PhotoIndexer`` is measured by.
public enum HeadReading {
  private static let headBytes = 16_384

  /// Reads the heads of the files under folders and throws them away.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths of the folders; what lies in another of them is read once. One
  ///     that cannot be read holds no file.
  ///   - excludes: What to pass over, as in ``PhotoIndexer/Settings/excludes``.
  ///   - jobs: How many files are read at once.
  ///   - monitor: Tells how far it has come, and ends it early.
  /// - Returns: How many files gave out their heads.
  public static func run(
    _ folders: [FilePath], excludes: [String] = [], jobs: Int, monitor: ScanMonitor
  ) -> Int {
    var found: [(folder: [UInt8], name: ArraySlice<UInt8>)] = []
    let mounts = MountTable.current()
    for folder in PhotoIndexer.outermost(folders) {
      let listings = FolderWalk.listings(
        under: folder.bytes, needsStatus: false, excludes: excludes,
        skipped: Set(mounts.pseudoFileSystems(below: folder)), jobs: jobs, monitor: monitor)
      for listing in listings {
        for file in listing.files { found.append((listing.path, listing.name(of: file))) }
      }
    }
    let files = found
    monitor.willRead(files.count)
    let next = Atomic(0)
    let readable = Atomic(0)
    withoutActuallyEscaping(
      { @Sendable in
        var head = [UInt8](repeating: 0, count: headBytes)
        var folder = OpenFolder()
        while !monitor.isCancelled {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < files.count else { break }
          let file = files[index]
          if isReadable(file.name, in: file.folder, &folder, &head) {
            readable.add(1, ordering: .relaxed)
          }
          monitor.didRead()
        }
      },
      do: { WorkerThreads.run(min(jobs, files.count), $0) })
    return readable.load(ordering: .relaxed)
  }

  private static func isReadable(
    _ name: ArraySlice<UInt8>, in path: [UInt8], _ folder: inout OpenFolder, _ head: inout [UInt8]
  ) -> Bool {
    do {
      let file = try folder.file(name, in: path)
      _ = try head.withUnsafeMutableBytes {
        try file.descriptor.read(fromAbsoluteOffset: 0, into: $0)
      }
      return true
    } catch {
      return false
    }
  }
}
