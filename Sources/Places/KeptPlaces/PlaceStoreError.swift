public import SystemPackage

/// The reason why the places cannot be used.
public enum PlaceStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file exists and cannot be read.
  case unreadable(FilePath, Errno)
  /// The file was seen before, and its folder is missing or another one now. `memory` is the file
  /// that keeps the identity of the folder.
  case away(FilePath, memory: FilePath?)
  /// The file begins like a document of places but is malformed.
  case damaged(FilePath, reason: String)
  /// The file was written by a newer version of PhotoSpots.
  case newer(FilePath, version: Int64)
  /// The file is in another format.
  case foreign(FilePath)
  /// The file cannot be written.
  case unwritable(FilePath, Errno)
  /// The places were written, but may not be on the disk yet.
  case uncertain(FilePath, Errno)
  /// Another program is changing the file.
  case inUse(FilePath)
  /// The change was rejected.
  case refused(PlaceError)

  /// The failure, with advice about it.
  public var description: String {
    switch self {
    case .unreadable(let path, let error):
      "the places in \(path) cannot be read: \(error). Check the file and its permissions."
    case .away(let path, let memory):
      """
      the places in \(path) cannot be read: the folder is missing, or is not the one in which they \
      were. Mount its disk\(memory.map { "; if you replaced the folder, remove \($0)" } ?? "").
      """
    case .damaged(let path, let reason):
      """
      the places in \(path) are damaged: \(reason). The next change, such as 'photospots places \
      add', keeps a copy of the file and continues with the readable places; 'photospots places \
      merge FILE' adds the places of a repaired copy.
      """
    case .newer(let path, let version):
      "the places in \(path) cannot be read: \(Self.versionText(version))"
    case .foreign(let path):
      """
      \(path) is not a file of places, so it is not changed. Move it away, or choose another with \
      the setting placesFile.
      """
    case .unwritable(let path, let error):
      """
      the places cannot be written to \(path): \(error). The previous places are unchanged. Free \
      some space or check the permissions.
      """
    case .uncertain(let path, let error):
      """
      the places were written to \(path), but may not survive a crash: \(error). Check the disk.
      """
    case .inUse(let path): "another program is changing \(path); try again"
    case .refused(let error): error.description
    }
  }

  /// The system's error behind this one; `nil` if there is none.
  package var storageError: Errno? {
    switch self {
    case .unreadable(_, let error), .unwritable(_, let error), .uncertain(_, let error): error
    case .away: .noSuchFileOrDirectory
    case .damaged, .newer, .foreign, .inUse, .refused: nil
    }
  }

  /// The error of a copy, such as one of another machine, with advice about it.
  ///
  /// Unlike the file of one's own places, a damaged copy is neither kept aside nor repaired by a
  /// change.
  package var descriptionOfCopy: String {
    guard case .damaged(let path, let reason) = self else { return description }
    return "the places in \(path) are damaged: \(reason). Repair the file, or take another copy."
  }

  static func versionText(_ version: Int64) -> String {
    """
    their format has version \(version), and this photospots reads version \(PlaceDocument.version). Use the \
    newer photospots that wrote them.
    """
  }

  init(_ error: PlaceFormatError, _ path: FilePath) {
    switch error {
    case .damaged(let reason): self = .damaged(path, reason: reason)
    case .newer(let version): self = .newer(path, version: version)
    case .foreign: self = .foreign(path)
    }
  }

  init(writing path: FilePath, _ error: Errno) {
    self = error == .fileExists ? .foreign(path) : .unwritable(path, error)
  }
}

/// Damage that does not prevent using the places.
public enum PlaceStoreNotice: Hashable, Sendable, CustomStringConvertible {
  /// The file was damaged and is kept under another name. The places before the damage were read.
  case setAside(FilePath, aside: FilePath, reason: String, readable: Int)
  /// A conflict copy cannot be used and is left in place.
  case conflictPassedOver(PlaceStoreError)
  /// The folder that a setting names cannot be remembered, so that it is not recognised if its disk
  /// is away.
  case folderNotKept(FilePath, Errno)

  /// The damage, with advice about it.
  public var description: String {
    switch self {
    case .setAside(let path, let aside, let reason, let readable):
      """
      the places in \(path) were damaged: \(reason). \(readable) of them could be read; the file \
      is kept as \(aside). Repair it, or restore it from a backup, and run 'photospots places \
      merge FILE'.
      """
    case .folderNotKept(let path, let error):
      "the folder of \(path) cannot be remembered in the state folder: \(error)"
    case .conflictPassedOver(let error):
      "a copy of the file of places is ignored: \(error.descriptionOfCopy)"
    }
  }
}
