import SystemPackage

/// A kind of operation that changes files or folders, or maps a file.
package enum DiskStep: Sendable {
  case create, write, synchronize, rename, remove, synchronizeFolder, map
}

extension Disk {
  /// A hook called before each operation, which fails with the `Errno` that the hook throws.
  ///
  /// Only tests set it, to simulate a crash or a full disk at any operation.
  @TaskLocal package static var interception: (@Sendable (DiskStep) throws -> Void)?

  /// Calls the hook before an operation.
  static func willPerform(_ step: DiskStep) throws(Errno) {
    try typed { try interception?(step) }
  }
}
