import Synchronization

/// Walks a folder tree breadth-first with several threads.
///
/// Symbolic links are never followed, so the walk always ends.
enum FolderWalk {
  /// Lists the folders of a tree, including its root, sorted by path.
  ///
  /// The result lacks the folders not reached before the monitor was cancelled, and those in
  /// `skipped`.
  static func listings(
    under root: [UInt8], needsStatus: Bool, excludes: ExcludePatterns, skipped: Set<[UInt8]>,
    jobs: Int, monitor: ScanMonitor
  ) -> [FolderListing] {
    var listings: [FolderListing] = []
    var level = [root]
    while !level.isEmpty, !monitor.isCancelled {
      let isRoot = listings.isEmpty
      let folders = level
      let found = Mutex<[FolderListing]>([])
      let next = Atomic(0)
      withoutActuallyEscaping(
        { @Sendable in
          var own: [FolderListing] = []
          while !monitor.isCancelled {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < folders.count else { break }
            let listing = FolderListing(
              path: folders[index], followsLink: isRoot, needsStatus: needsStatus,
              excludes: excludes.inForce(in: folders[index]))
            monitor.didFind(listing.files.count)
            own.append(listing)
          }
          found.withLock { $0.append(contentsOf: own) }
        },
        do: { WorkerThreads.run(min(jobs, folders.count), $0) })
      let levelStart = listings.count
      found.withLock { listings.append(contentsOf: $0) }
      level = listings[levelStart...].flatMap { $0.subfolders }
      if !skipped.isEmpty { level.removeAll { skipped.contains($0) } }
    }
    // Sorts indices rather than listings, which are large to move.
    let paths = listings.map(\.path)
    let order = paths.indices.sorted { paths[$0].lexicographicallyPrecedes(paths[$1]) }
    return order.map { listings[$0] }
  }
}
