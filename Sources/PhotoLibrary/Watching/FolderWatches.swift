import CLibrary
import Storage
import SystemPackage

/// The system's watches over folder trees, one for each folder: inotify(7).
///
/// Watches belong to folders, not to paths: one that is moved keeps its watch, and a new one under
/// the old path has none. So after each scan every folder that it came upon is watched again, which
/// does nothing where that is so already, and what is watched beside them is given up.
struct FolderWatches: ~Copyable {
  /// What became of watching a tree.
  struct Registration: Hashable, Sendable {
    /// Whether there are folders that were not watched before: what happened in them between the
    /// scan and now was not told of.
    var hasNewFolders = false
    /// Why the tree is not watched.
    var gap: EventGap?
  }

  /// What happened since the last look.
  struct Changes: Hashable, Sendable {
    /// The trees in which something changed that a scan may find.
    var roots: Set<FilePath> = []
    /// Whether events were lost.
    var didOverflow = false
    /// Whether anything was told at all.
    var isEmpty = true
  }

  /// Becomes readable when something happened.
  let descriptor: FileDescriptor
  private let excludes: ExcludePatterns
  private var watches: [FilePath: Set<CInt>] = [:]
  /// The trees with more folders than there are watches.
  private var tooLarge: Set<FilePath> = []

  deinit { Disk.close(descriptor) }

  #if os(Linux)
    /// Prepares to watch.
    ///
    /// - Parameter excludes: The names of which nothing is to be told.
    /// - Throws: Why the system will not tell of anything.
    init(excludes: [String]) throws(EventGap) {
      let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      guard descriptor >= 0 else {
        let error = Errno(rawValue: errno)
        throw error == .tooManyOpenFiles ? .instancesExhausted : .failed(error)
      }
      self.descriptor = FileDescriptor(rawValue: descriptor)
      // Patterns of paths would need the path of each watch; a scan passes over what they exclude.
      self.excludes = ExcludePatterns(excludes.filter { !$0.contains("/") }, root: [])
    }

    /// Watches the folders of a tree, and no others in it.
    ///
    /// Where there are not enough watches, the tree has none from now on: other programs need them
    /// too.
    mutating func follow(_ folders: [[UInt8]], of root: FilePath) -> Registration {
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
          giveUp(before.union(after))
          return Registration(gap: .watchesExhausted)
        }
        // Else the folder is gone since, of which its parent tells, or not ours to read, as the
        // scan told.
      }
      watches[root] = after
      giveUp(before.subtracting(after))
      return Registration(hasNewFolders: !after.isSubset(of: before))
    }

    /// Gives up watches that belong to no tree any more.
    private func giveUp(_ unwanted: Set<CInt>) {
      for watch in unwanted where !watches.values.contains(where: { $0.contains(watch) }) {
        _ = inotify_rm_watch(descriptor.rawValue, watch)
      }
    }

    /// So many reads are made at once; what is left is told of by the next look.
    private static let maximumReads = 64

    /// Takes what happened since the last look, without waiting.
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
        if event.concernsPhotos(excludes: excludes) { changes.roots.insert(root) }
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

    mutating func follow(_ folders: [[UInt8]], of root: FilePath) -> Registration {
      Registration(gap: .unsupported)
    }

    mutating func takeChanges() throws(Errno) -> Changes { Changes() }
  #endif
}
