import Dispatch
import Encodings
import PhotoLibrary
import SpotService
import Storage
import Synchronization
import SystemPackage

/// The folders of this machine that usually hold photos: those of the user, mounted disks, and
/// `/photos` in a container.
final class FoundFolders: Sendable {
  /// The longest time of a look at all folders.
  private static let lookTime = Duration.seconds(3)
  /// The most folders that are found.
  private static let maximumCount = 24

  private let home: FilePath
  /// The folders below which disks are mounted.
  private let mounts: [FilePath]
  /// The folders of containers.
  private let fixed: [FilePath]
  /// The folders that are being looked at, which a disk that does not answer may be for long.
  private let looking = Mutex<Set<FilePath>>([])

  /// Creates the folders of a machine; nothing is looked at yet.
  init(
    home: FilePath, mounts: [FilePath] = ["/media", "/run/media", "/mnt", "/Volumes"],
    fixed: [FilePath] = ["/photos"]
  ) {
    (self.home, self.mounts, self.fixed) = (home, mounts, fixed)
  }

  /// Looks at the folders, for a few seconds at most.
  ///
  /// - Parameter known: The folders of the index, which are left out with those inside of them.
  /// - Returns: The folders that hold photos or cannot be read, without links.
  func all(except known: [FilePath]) -> [(path: FilePath, look: FolderLook)] {
    let paths = candidates.filter { path in !known.contains { path.starts(with: $0) } }
    return looks(at: paths).filter { $0.look.photoCount > 0 || $0.look.problem != nil }
  }

  /// Looks at one folder.
  ///
  /// - Parameter path: The absolute path of a folder, which is not followed if it is a link.
  /// - Returns: The look; `nil` if the folder did not answer in time.
  func look(at path: FilePath) -> FolderLook? { looks(at: [path]).first?.look }

  /// Returns a name of a folder that reveals no path.
  static func id(of folder: FilePath) -> String {
    Hexadecimal.text(SHA256.hash(folder.bytes).prefix(8))
  }

  // MARK: - Candidates

  /// The existing folders that may hold photos, each once, and none inside of another.
  private var candidates: [FilePath] {
    let own = ["Pictures", "Photos", "DCIM"].map { home.appending($0) }
    let named = picturesFolder.map { [$0] } ?? []
    let all = (named + own + fixed + disks).compactMap(Self.folder)
    return Array(PhotoIndexer.outermost(all).prefix(Self.maximumCount))
  }

  /// Returns a folder without links; `nil` if there is none.
  private static func folder(_ path: FilePath) -> FilePath? {
    if let linked = Disk.folder(linkedFrom: path) { return linked }
    return isFolder(path) ? path : nil
  }

  private static func isFolder(_ path: FilePath) -> Bool {
    // The path `FOLDER/.` exists only for a folder.
    Disk.exists(path.appending("."))
  }

  /// The folder that the user's desktop has for pictures (`user-dirs.dirs` of xdg-user-dirs).
  private var picturesFolder: FilePath? {
    let path = home.appending(".config/user-dirs.dirs")
    let text = String(decoding: (try? Disk.readToEnd(path, limit: 1 << 16)) ?? [], as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == "XDG_PICTURES_DIR" else { continue }
      let value = parts[1].filter { $0 != "\"" }
      if value.hasPrefix("$HOME/"), value.count > 6 {
        return home.pushing(FilePath(String(value.dropFirst(6)))).lexicallyNormalized()
      }
      if value.hasPrefix("/"), value.count > 1 { return FilePath(value).lexicallyNormalized() }
    }
    return nil
  }

  /// The folders of photos on mounted disks: that of a camera's card, else the whole disk.
  private var disks: [FilePath] {
    mounts.flatMap { base in
      let children = Self.subfolders(of: base)
      return (children + children.flatMap(Self.subfolders)).filter(Self.isMounted)
    }.map { disk in
      let card = disk.appending("DCIM")
      return Self.isFolder(card) ? card : disk
    }
  }

  private static func subfolders(of folder: FilePath) -> [FilePath] {
    guard let names = try? Disk.names(in: folder, beginning: []) else { return [] }
    return names.filter { $0.first != UInt8(ascii: ".") }
      .sorted { $0.lexicographicallyPrecedes($1) }.prefix(64)
      .map { FilePath(bytes: FilePath.join(folder.bytes, $0)) }
      .filter { Disk.folder(linkedFrom: $0) == nil && isFolder($0) }
  }

  /// Returns whether a folder is on another disk than the one that contains it.
  private static func isMounted(_ folder: FilePath) -> Bool {
    guard let own = Disk.device(of: folder) else { return false }
    return own != Disk.device(of: folder.removingLastComponent())
  }

  // MARK: - Looks

  private final class Looks: Sendable {
    let found = Mutex<[FilePath: FolderLook]>([:])
  }

  /// Looks at folders, each on a thread of its own, and returns those that answered in time.
  private func looks(at paths: [FilePath]) -> [(path: FilePath, look: FolderLook)] {
    let end = ContinuousClock.now + Self.lookTime
    let group = DispatchGroup()
    let looks = Looks()
    for path in paths {
      // A folder that does not answer blocks one thread only.
      guard looking.withLock({ $0.insert(path).inserted }) else { continue }
      group.enter()
      DispatchQueue(label: "photospots.look", qos: .userInitiated).async { [self] in
        let look = FolderLook(at: path) { ContinuousClock.now >= end }
        looks.found.withLock { $0[path] = look }
        looking.withLock { _ = $0.remove(path) }
        group.leave()
      }
    }
    // A single folder of very many files takes longer than the end.
    _ = group.wait(timeout: .now() + 4)
    let found = looks.found.withLock { $0 }
    return paths.compactMap { path in found[path].map { (path, $0) } }
  }
}
