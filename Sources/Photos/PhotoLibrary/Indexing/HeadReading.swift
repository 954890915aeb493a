import PhotoMetadata
import Storage
import Synchronization
public import SystemPackage

/// A benchmark of the minimum disk work of indexing: walking the folders, and for every file that
/// may be a photo, opening it, reading its size, times and first 16 KiB, and closing it.
///
/// It is the reference for measurements of ``PhotoIndexer``, which cannot be faster on the same
/// disk.
public enum HeadReading {
  private static let headBytes = 16_384

  /// Reads the beginnings of the files under folders and discards them.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths of the folders. A folder inside another is read once; a folder
  ///     that cannot be read counts as empty.
  ///   - excludes: The patterns of names to skip, as in ``PhotoIndexer/Settings/excludes``.
  ///   - jobs: The number of files read at the same time.
  ///   - monitor: Reports progress, and cancels the run early.
  /// - Returns: The number of files that could be read.
  public static func run(
    _ folders: [FilePath], excludes: [String] = [], jobs: Int, monitor: ScanMonitor
  ) -> Int {
    run(folders, excludes: excludes, options: [:], jobs: jobs, monitor: monitor)
  }

  /// Reads the beginnings of the files under folders, with the options kept with them.
  package static func run(
    _ folders: [FilePath], excludes: [String], options: FolderOptions.ByFolder, jobs: Int,
    monitor: ScanMonitor
  ) -> Int {
    var found: [(folder: [UInt8], name: ArraySlice<UInt8>)] = []
    let mounts = MountTable.current()
    for folder in PhotoIndexer.outermost(folders) {
      let listings = FolderWalk.listings(
        under: folder.bytes, needsStatus: false,
        excludes: ExcludePatterns(excludes, root: folder.bytes, options: options),
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
