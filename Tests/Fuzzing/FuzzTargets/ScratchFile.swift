import CLibrary
import Synchronization
import SystemPackage

/// An unnamed temporary file that is overwritten for each input.
struct ScratchFile {
  /// The file shared by the process.
  static let shared = Mutex(ScratchFile())

  let descriptor: FileDescriptor

  private init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/photospots-fuzz-XXXXXX".utf8CString)
    let opened = mkstemp(&template)
    precondition(opened >= 0, "no temporary file in \(parent): \(Errno(rawValue: errno))")
    unlink(template)
    descriptor = FileDescriptor(rawValue: opened)
  }

  /// Replaces the content.
  func write(_ content: [UInt8]) throws {
    try descriptor.resize(to: 0)
    try descriptor.writeAll(toAbsoluteOffset: 0, content)
  }
}
