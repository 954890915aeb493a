import CLibrary
import Storage
import SystemPackage

/// The inotify watches of folder trees, one for each folder: inotify(7).
///
/// Watches belong to folders, not to paths: a moved folder keeps its watch, and a new folder at the
/// old path has none. So after each scan a watch is added for every folder that it found, which
/// does nothing for an existing watch, and all other watches are removed.
struct FolderWatches: ~Copyable {
  /// The result of watching a tree.
  struct Registration: Hashable, Sendable {
    /// Whether some folders were not watched before; changes in them between the scan and now were
    /// missed.
    var hasNewFolders = false
    /// The reason why the tree is not watched.
    var gap: EventGap?
  }

  /// The changes since the last call.
  struct Changes: Hashable, Sendable {
    /// The trees with a change that a scan may find.
    var roots: Set<FilePath> = []
    /// Whether events were lost.
    var didOverflow = false
    /// Whether there were no events at all.
    var isEmpty = true
  }

  /// The inotify descriptor, which becomes readable when there are events.
  let descriptor: FileDescriptor
  private let excludes: ExcludePatterns
  /// The patterns of names that the last scan of each tree skipped.
  private var patterns: [FilePath: ExcludePatterns] = [:]
  private var watches: [FilePath: Set<CInt>] = [:]
  /// The trees with more folders than the limit of watches allows.
  private var tooLarge: Set<FilePath> = []

  deinit { Disk.close(descriptor) }

  #if os(Linux)
    /// Creates an inotify instance.
    ///
    /// - Parameter excludes: The names whose events are ignored.
    /// - Throws: The reason why the system cannot report events.
    init(excludes: [String]) throws(EventGap) {
      let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      guard descriptor >= 0 else {
        let error = Errno(rawValue: errno)
        throw error == .tooManyOpenFiles ? .instancesExhausted : .failed(error)
      }
      self.descriptor = FileDescriptor(rawValue: descriptor)
      // Matching patterns with a path would require the path of each watch; the scan skips what
      // they exclude.
      self.excludes = ExcludePatterns(excludes.filter { !$0.contains("/") }, root: [])
    }

    /// Watches exactly the given folders of a tree.
    ///
    /// If the limit of watches is reached, all watches of the tree are removed for good, since
    /// other programs need watches too.
    mutating func follow(
      _ folders: [[UInt8]], of root: FilePath, skipping patterns: ExcludePatterns? = nil
    ) -> Registration {
      self.patterns[root] = patterns
      guard !tooLarge.contains(root) else { return Registration(gap: .watchesExhausted) }
      let path = root.bytes
      let before = watches[root] ?? []
      var after: Set<CInt> = []
      for folder in folders {
        let mask =
          FolderEvent.wanted | UInt32(IN_ONLYDIR | IN_EXCL_UNLINK)
          | UInt32(folder == path ? 0 : IN_DONT_FOLLOW)
        let watch = inotify_add_watch(
          descriptor.rawValue, folder.map { CChar(bitPattern: $0) } + [0], mask)
        if watch >= 0 {
          after.insert(watch)
        } else if errno == ENOSPC || errno == ENOMEM {
          tooLarge.insert(root)
          watches[root] = nil
          removeWatches(before.union(after))
          return Registration(gap: .watchesExhausted)
        }
        // Otherwise the folder has been removed, which its parent's watch reports, or is not
        // readable, which the scan reported.
      }
      watches[root] = after
      removeWatches(before.subtracting(after))
      return Registration(hasNewFolders: !after.isSubset(of: before))
    }

    /// Removes watches that belong to no tree any more.
    private func removeWatches(_ unwanted: Set<CInt>) {
      for watch in unwanted where !watches.values.contains(where: { $0.contains(watch) }) {
        _ = inotify_rm_watch(descriptor.rawValue, watch)
      }
    }

    /// The maximum number of reads in one call; the next call gets the rest.
    private static let maximumReads = 64

    /// Reads the pending events without waiting, and returns the changes since the last call.
    ///
    /// - Throws: The system's error.
    mutating func takeChanges() throws(Errno) -> Changes {
      var changes = Changes()
      for _ in 0..<Self.maximumReads {
        let bytes = try readEvents()
        guard !bytes.isEmpty else { break }
        changes.isEmpty = false
        for event in FolderEvent.events(in: bytes) { note(event, in: &changes) }
      }
      return changes
    }

    private mutating func note(_ event: FolderEvent, in changes: inout Changes) {
      if event.isOverflow { changes.didOverflow = true }
      for (root, numbers) in watches where numbers.contains(event.watch) {
        if event.endsWatch { watches[root]?.remove(event.watch) }
        if event.concernsPhotos(excludes: patterns[root] ?? excludes) { changes.roots.insert(root) }
      }
    }

    private func readEvents() throws(Errno) -> [UInt8] {
      do {
        return try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
      } catch Errno.wouldBlock {
        return []
      } catch {
        throw (error as? Errno) ?? .ioError
      }
    }
  #else
    init(excludes: [String]) throws(EventGap) { throw .unsupported }

    mutating func follow(
      _ folders: [[UInt8]], of root: FilePath, skipping patterns: ExcludePatterns? = nil
    ) -> Registration {
      Registration(gap: .unsupported)
    }

    mutating func takeChanges() throws(Errno) -> Changes { Changes() }
  #endif
}
