import CLibrary
import PhotoMetadata

/// An event of a watched folder: inotify(7).
struct FolderEvent: Hashable, Sendable {
  /// The watch descriptor; negative for an event of all watches.
  let watch: CInt
  /// The event mask.
  let mask: UInt32
  /// The name in the folder; empty if the event concerns the folder itself.
  let name: [UInt8]

  /// The length in bytes of an event without its name.
  private static let headLength = 16

  /// Parses consecutive events; an incomplete one is skipped.
  static func events(in bytes: [UInt8]) -> [FolderEvent] {
    var events: [FolderEvent] = []
    var start = 0
    while bytes.count - start >= headLength {
      let (watch, mask, length) = bytes.withUnsafeBytes { bytes in
        (
          bytes.loadUnaligned(fromByteOffset: start, as: CInt.self),
          bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
          Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
        )
      }
      let nameStart = start + headLength
      guard length <= bytes.count - nameStart else { break }
      // The name is padded with NULs.
      let name = bytes[nameStart..<nameStart + length].prefix { $0 != 0 }
      events.append(FolderEvent(watch: watch, mask: mask, name: Array(name)))
      start = nameStart + length
    }
    return events
  }

  #if os(Linux)
    /// The requested events: a file closed after writing, and a name that appears, disappears or
    /// changes its times or permissions. Single writes are not requested, since a file is read when
    /// its writer is done.
    static let wanted =
      UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB)
      | UInt32(IN_DELETE_SELF | IN_MOVE_SELF)

    /// Whether the event queue overflowed, so that events were lost.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Whether the watch has ended because its folder is gone or it was removed.
    var endsWatch: Bool { mask & UInt32(IN_IGNORED) != 0 }

    /// Returns whether a scan may find a difference.
    func concernsPhotos(excludes: ExcludePatterns) -> Bool {
      guard !name.isEmpty else { return !endsWatch }
      let isFolder = mask & UInt32(IN_ISDIR) != 0
      guard !excludes.ignoreChange(of: name, isFolder: isFolder) else { return false }
      return isFolder || PhotoFormats.claim(ofName: name) != .other
        || SidecarNames.isSidecar(name)
    }
  #endif
}
