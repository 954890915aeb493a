package import SystemPackage

/// A fault of the machine, neither of a request nor of the data: a disk that is full, read-only,
/// away or broken, or that this user may not use.
package enum MachineFault: Hashable, Sendable {
  /// The disk, or the user's share of it, is full.
  case noRoom
  /// The disk is read-only.
  case readOnly
  /// This user may not use the file or its folder.
  case noAccess
  /// The disk does not answer, is not mounted, or has errors.
  case unavailable
  /// The system has no more open files or memory.
  case exhausted

  /// Creates the fault that an error of the system stands for; `nil` if it is none of the
  /// machine's.
  package init?(_ error: Errno) {
    switch error {
    case .noSpace, .diskQuotaExceeded: self = .noRoom
    case .readOnlyFileSystem: self = .readOnly
    case .permissionDenied, .notPermitted: self = .noAccess
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: self = .exhausted
    case .ioError, .staleNFSFileHandle, .noSuchAddressOrDevice, .operationNotSupportedByDevice,
      .socketNotConnected, .timedOut, .hostIsDown, .noRouteToHost, .networkDown,
      .networkUnreachable,
      .connectionReset, .connectionAbort, .connectionRefused, .resourceBusy, .noSuchFileOrDirectory,
      .notDirectory:
      self = .unavailable
    default:
      // EUCLEAN of Linux: the file system is damaged. SystemPackage has no name for it.
      guard error.rawValue == 117 else { return nil }
      self = .unavailable
    }
  }

  /// The fault and its remedy, as a sentence.
  package var sentence: String {
    switch self {
    case .noRoom: "The disk is full: free some space on it."
    case .readOnly: "The disk is read-only: mount it so that it can be written."
    case .noAccess: "This user may not use the file: check its owner and permissions."
    case .unavailable: "The disk cannot be used: check that it is mounted and healthy."
    case .exhausted: "The machine has no more memory or open files: raise its limits."
    }
  }
}

extension Disk {
  /// The beginning of the name of the file that a probe writes.
  package static let probePrefix = ".probe-"
  private static let probeSize = 64 << 10

  /// Checks that files can be created in a folder, and that the disk has room for 64 KiB.
  ///
  /// The file is written to the disk and removed. Reports of free space are not used, since they
  /// ignore quotas and the system's reserve.
  ///
  /// - Throws: The system's error.
  package static func probe(_ folder: FilePath) throws(Errno) {
    let path = folder.appending("\(probePrefix)\(processID)")
    // Left by a process of the same number that was killed.
    remove(path)
    let file = try open(path, .writeOnly, [.create, .exclusiveCreate, .noFollow])
    defer {
      close(file)
      remove(path)
    }
    try write([UInt8](repeating: 0, count: probeSize), to: file)
    try synchronize(file)
  }
}
