import CLibrary
import Encodings
import PhotoLibrary
import ProgramSettings
package import SystemPackage

/// A temporary folder that only its owner can access. It is removed with its files when the object
/// is deallocated.
package final class ScratchFolder: Sendable {
  /// The absolute path of the folder.
  package let path: FilePath

  /// Creates the folder in `$TMPDIR`, or in `/tmp`.
  package init() throws {
    let parent = getenv("TMPDIR").flatMap { $0[0] == 0 ? nil : FilePath(platformString: $0) }
    let template = Paths.absolute((parent ?? "/tmp").string).appending("photospots-XXXXXX")
    path = try template.withPlatformString { template in
      guard let copy = strdup(template) else { throw Errno.noMemory }
      defer { free(copy) }
      guard let made = mkdtemp(copy) else {
        let error = Errno(rawValue: errno)
        throw MessageError(
          "the temporary folder \(FilePath(platformString: template).escaped) cannot be created: \(error). Set TMPDIR to another folder."
        )
      }
      return FilePath(platformString: made)
    }
  }

  deinit {
    for name in names { _ = path.appending(name).withPlatformString { unlink($0) } }
    _ = path.withPlatformString { rmdir($0) }
  }

  /// The names of the files in the folder, which contains no subfolders.
  private var names: [FilePath.Component] {
    guard let stream = path.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [FilePath.Component] = []
    while let entry = readdir(stream) {
      // The record is only as long as its name requires, and thus shorter than the C structure.
      // Only a pointer into it is safe.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      if let component = FilePath(platformString: name).lastComponent, component.kind == .regular {
        names.append(component)
      }
    }
    return names
  }
}
