import Storage
public import SystemPackage

/// A reason why a recreation cannot be stored or the list of recreations cannot be used.
public enum RecreationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a JPEG picture that can be stored, with the reason.
  case noPicture(String)
  /// The picture is larger than ``RecreationStore/maximumPictureSize``.
  case tooLarge
  /// The list exists but cannot be read.
  case unreadable(FilePath, Errno)
  /// The folder was known, and is missing or another one now. `memory` is the file that keeps its
  /// identity.
  case away(FilePath, memory: FilePath?)
  /// A newer version of the program wrote the list, with what to do.
  case newer(FilePath, String)
  /// The list is malformed, with the reason.
  case damaged(FilePath, String)
  /// A file or folder cannot be written; nothing was stored.
  case cannotWrite(FilePath, Errno)
  /// Everything was written, but may not survive a crash; storing the same picture again is safe.
  case uncertain(FilePath, Errno)
  /// Another program is modifying the list.
  case inUse(FilePath)

  /// The system's error behind this one; `nil` if there is none.
  package var storageError: Errno? {
    switch self {
    case .unreadable(_, let error), .cannotWrite(_, let error), .uncertain(_, let error): error
    case .away: .noSuchFileOrDirectory
    case .noPicture, .tooLarge, .newer, .damaged, .inUse: nil
    }
  }

  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .noPicture(let reason): "the picture cannot be stored: \(reason). Send a JPEG photo."
    case .tooLarge:
      "the picture is larger than \(RecreationStore.maximumPictureSize >> 20) MiB. Send a smaller one."
    case .unreadable(let path, let error):
      "the list of pictures taken again in \(path) cannot be read: \(error). Check the file's permissions."
    case .away(let path, let memory):
      """
      \(path) is missing, or is not the folder in which pictures were stored before. Mount its \
      disk\(memory.map { "; if you replaced the folder, remove \($0)" } ?? "").
      """
    case .newer(let path, let reason):
      "the list of pictures taken again in \(path) cannot be read: \(reason)"
    case .damaged(let path, let reason):
      "the list of pictures taken again in \(path) cannot be read: \(reason). Repair the file, or move it "
        + "away to start a new list; the pictures stay."
    case .cannotWrite(let path, .foreignFile):
      "\(path) was not written by photospots, so it is not changed. Move it away, or choose another folder."
    case .cannotWrite(let path, let error):
      "\(path) cannot be written: \(error)"
    case .uncertain(let path, let error):
      "\(path) was written, but may not survive a crash: \(error)"
    case .inUse(let path): "another program is changing \(path); try again"
    }
  }
}
