import CLibrary
import PhotoMetadata

/// What the system tells of a watched folder: inotify(7).
struct FolderEvent: Hashable, Sendable {
  /// The number of the watch; negative for what concerns all of them.
  let watch: CInt
  /// What happened.
  let mask: UInt32
  /// The name in the folder; empty where it happened to the folder itself.
  let name: [UInt8]

  /// The length in bytes of an event without its name.
  private static let headLength = 16

  /// Reads the events that lie one behind another in bytes of the system; a cut-off one is passed
  /// over.
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
      // The name is filled up with NULs.
      let name = bytes[nameStart..<nameStart + length].prefix { $0 != 0 }
      events.append(FolderEvent(watch: watch, mask: mask, name: Array(name)))
      start = nameStart + length
    }
    return events
  }

  #if os(Linux)
    /// What is to be told of: a file that was written and closed, and what appears, goes or changes
    /// its times or permissions. Not each write: a file is looked at when its writer is done.
    static let wanted =
      UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB)
      | UInt32(IN_DELETE_SELF | IN_MOVE_SELF)

    /// Whether the system lost events.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Whether the watch is over: its folder is gone, or it was given up.
    var endsWatch: Bool { mask & UInt32(IN_IGNORED) != 0 }

    /// Whether a scan may find something else than before.
    func concernsPhotos(excludes: ExcludePatterns) -> Bool {
      guard !name.isEmpty else { return !endsWatch }
      guard name[0] != UInt8(ascii: "."), !excludes.match(name: name, path: []) else {
        return false
      }
      return mask & UInt32(IN_ISDIR) != 0 || PhotoFormats.claim(ofName: name) != .other
        || SidecarNames.isSidecar(name)
    }
  #endif
}
