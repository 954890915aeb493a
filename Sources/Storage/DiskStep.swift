import SystemPackage

/// A step that changes files or folders, or maps a file.
package enum DiskStep: Sendable {
  case create, write, synchronize, rename, remove, synchronizeFolder, map
}

extension Disk {
  /// Is asked before each step, which fails with the `Errno` that it throws.
  ///
  /// Tests put a process that is killed here, or a disk that is full, at any step; nothing else
  /// sets it.
  @TaskLocal package static var interception: (@Sendable (DiskStep) throws -> Void)?

  /// Is called before a step.
  static func will(_ step: DiskStep) throws(Errno) {
    try typed { try interception?(step) }
  }
}
