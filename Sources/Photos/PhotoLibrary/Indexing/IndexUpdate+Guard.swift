import Storage
import SystemPackage

/// The rule for believing that photos are gone. It holds for folders and for remote libraries.
struct RemovalGuard {
  /// The number of missing photos from which the loss of most photos needs to be confirmed.
  static let doubtfulCount = 10

  /// Returns whether most of the known photos are missing at once, so that the removal needs
  /// another look or a confirmation.
  static func doubts(missing: Int, of known: Int) -> Bool {
    missing >= doubtfulCount && 2 * missing > known
  }
}

extension IndexUpdate {
  /// Notes the file systems that begin at or below a scanned folder.
  mutating func noteVolumes(of listings: [FolderListing], under folder: [UInt8]) {
    // Most trees are on one file system.
    if let device = listings.first?.device, listings[0].path == folder,
      listings.allSatisfy({ $0.device == nil || $0.device == device })
    {
      seenVolumes.append((folder, [PhotoIndex.Root.Volume(path: folder, device: device)]))
      return
    }
    let devices = Dictionary(
      listings.compactMap { listing in listing.device.map { (listing.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    let volumes = listings.compactMap { listing -> PhotoIndex.Root.Volume? in
      guard let device = listing.device else { return nil }
      let above = FilePath.parent(of: listing.path[...])
      guard listing.path == folder || devices[Array(above)] != device else { return nil }
      return PhotoIndex.Root.Volume(path: listing.path, device: device)
    }
    seenVolumes.append((folder, volumes))
  }

  /// Keeps the files that only seem to be gone: their disk is not mounted, or most files of a disk
  /// are missing at once and the user has not asked for a full scan.
  ///
  /// A disk is mounted if its folder is on the same file system as before. The number of a file
  /// system may be another one after a restart, so a folder with at least half of its known files
  /// is believed too.
  mutating func holdBack() {
    guard !monitor.isCancelled else { return }
    // Most scans find every file again.
    let held = isKept.contains(false) ? keepMissing() : []
    report.staleRoots.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    updateVolumes(except: held)
  }

  /// Keeps the files that only seem to be gone, and returns the folders of their file systems.
  private mutating func keepMissing() -> Set<[UInt8]> {
    var groups: [[UInt8]: Group] = [:]
    for (key, rows) in previousFiles where RemoteLibrary(path: key.path) == nil {
      let folder = key.path
      guard let root = roots.first(where: { Self.lies(folder, in: $0.path.bytes) }) else {
        continue
      }
      let missing = rows.filter { !isKept[$0] }
      let volume = volume(of: folder, root)
      groups[volume.path, default: Group(volume: volume)].known += rows.count
      if !missing.isEmpty, seenVolumes.contains(where: { Self.lies(folder, in: $0.folder) }) {
        groups[volume.path]?.missing += withoutSkipped(missing, of: folder, root)
      }
    }
    var held: Set<[UInt8]> = []
    for group in groups.values where !group.missing.isEmpty {
      guard let reason = reasonToKeep(group) else { continue }
      held.insert(group.volume.path)
      let path = FilePath(bytes: group.volume.path)
      report.heldBack[path] = reason
      report.staleRoots.append(path)
      keep(group.missing)
      for index in roots.indices where roots[index].path == path { roots[index].isStale = true }
    }
    return held
  }

  /// The files of one file system.
  private struct Group {
    let volume: PhotoIndex.Root.Volume
    var known = 0
    var missing: [Int] = []
  }

  /// Returns the file system that held a folder at the last scan; that of the root with the device
  /// 0 if it is unknown.
  private func volume(of folder: [UInt8], _ root: PhotoIndex.Root) -> PhotoIndex.Root.Volume {
    let known = root.volumes.filter { Self.lies(folder, in: $0.path) }
    return known.max { $0.path.count < $1.path.count }
      ?? PhotoIndex.Root.Volume(path: root.path.bytes, device: 0)
  }

  /// Returns files of a folder of the previous index without those that scans skip now.
  private func withoutSkipped(
    _ rows: [Int], of folder: [UInt8], _ root: PhotoIndex.Root
  ) -> [Int] {
    let skipping = patterns(under: root.path)
    guard !skipping.matchFolder(folder) else { return [] }
    let own = skipping.inForce(in: folder)
    return rows.filter { row in
      let name = previous.name(of: FileID(row))
      return !own.match(name: name, path: FilePath.join(folder, name))
    }
  }

  private func reasonToKeep(_ group: Group) -> ScanReport.HeldBack? {
    let (missing, known) = (group.missing.count, group.known)
    let reason = { ScanReport.HeldBack(missing: missing, known: known, isOtherDevice: $0) }
    if group.volume.device != 0, device(at: group.volume.path) != group.volume.device,
      2 * missing > known
    {
      return reason(true)
    }
    let isDoubted = RemovalGuard.doubts(missing: missing, of: known) && !settings.isFull
    return isDoubted ? reason(false) : nil
  }

  /// Returns the number of the file system that this scan saw at a folder; `nil` if it saw none.
  private func device(at path: [UInt8]) -> UInt64? {
    if let volume = seenVolumes.lazy.flatMap(\.volumes).first(where: { $0.path == path }) {
      return volume.device
    }
    // The folder is on the file system of the folder above it, or is not there, or was not scanned.
    return RootState(at: FilePath(bytes: path))?.device
  }

  /// Adds files of the previous index to the next one, as they were.
  private mutating func keep(_ rows: [Int]) {
    let byFolder = Dictionary(grouping: rows) { Array(previous.folder(previous.files.folder[$0])) }
    for path in byFolder.keys { append(PlannedFolder(path: path, files: [], names: [])) }
    for place in folders.indices {
      guard let rows = byFolder[folders[place].path] else { continue }
      for row in rows {
        isKept[row] = true
        let start = folders[place].names.count
        folders[place].names.append(contentsOf: previous.name(of: FileID(row)))
        folders[place].files.append(
          PlannedFile(
            name: start..<folders[place].names.count, claimsToBePhoto: true, source: .known(row),
            status: nil))
      }
      let names = folders[place].names
      folders[place].files.sort { names[$0.name].lexicographicallyPrecedes(names[$1.name]) }
    }
  }

  /// Records the file systems seen by this scan in the roots, except where files were held back.
  private mutating func updateVolumes(except held: Set<[UInt8]>) {
    for index in roots.indices where !roots[index].path.isRemote {
      let root = roots[index].path.bytes
      for seen in seenVolumes where Self.lies(seen.folder, in: root) {
        // The first volume is that of the scanned folder. Inside a root, it may begin further up.
        let new = seen.volumes.filter { volume in
          !held.contains(volume.path)
            && (volume.path != seen.folder || volume.path == root
              || roots[index].volumes.contains { $0.path == volume.path })
        }
        roots[index].volumes.removeAll { volume in
          Self.lies(volume.path, in: seen.folder) && !held.contains(volume.path)
        }
        roots[index].volumes += new
      }
      roots[index].volumes.sort { $0.path.lexicographicallyPrecedes($1.path) }
    }
  }
}
