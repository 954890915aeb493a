import Encodings
package import SystemPackage

/// The mount point of a folder, kept in a file on another disk, so that the next run of the program
/// knows when the folder's disk is away.
///
/// ```json
/// {"format":"photospots-mount","version":1,"path":"/mnt/usb/state/photospots","mount":"/mnt/usb"}
/// ```
package struct KnownMount: Sendable {
  private let folder: FilePath
  private let memory: FilePath

  private static let format = "photospots-mount"
  private static let version: Int64 = 1
  private static let maximumSize = 1 << 14

  /// Creates the mount point of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - memory: The file that keeps the mount point.
  package init(of folder: FilePath, memory: FilePath) {
    (self.folder, self.memory) = (folder, memory)
  }

  /// Expects the folder's disk where it was mounted when the folder was last used, and keeps the
  /// mount point of a folder that is on a disk of its own.
  ///
  /// Without a memory, or one that cannot be read or written, no disk is expected in the next run.
  package func expect() {
    let current = Disk.mountPoint(of: folder)
    let known = remembered()
    if let known, known != current { return Disk.expectMount(at: known) }
    guard let current else { return }
    Disk.expectMount(at: current)
    // A memory on the same disk would be away with it.
    guard known == nil, Disk.mountPoint(of: memory) != current else { return }
    let document = JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("path", name: folder.bytes)
      writer.member("mount", name: current.bytes)
    }
    try? Disk.createFolder(Disk.folder(of: memory))
    _ = try? Disk.replace(memory, of: FileSignature(format: Self.format), with: document)
  }

  private func remembered() -> FilePath? {
    guard let bytes = try? Disk.read(memory, limit: Self.maximumSize),
      let stored = try? JSONObject(document: bytes),
      (try? stored.states(format: Self.format, version: Self.version)) == true,
      (try? stored.nameBytes("path")) == folder.bytes,
      let mount = try? stored.nameBytes("mount")
    else { return nil }
    let point = FilePath(bytes: mount)
    return folder.starts(with: point) ? point : nil
  }
}
