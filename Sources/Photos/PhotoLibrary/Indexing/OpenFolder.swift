import CLibrary
import PhotoMetadata
import SystemPackage

/// Opens files relative to their folder, and keeps the last folder open. So the system does not
/// resolve the folder's path again for each file, which takes longer the deeper it is.
struct OpenFolder: ~Copyable {
  private var path: [UInt8] = []
  private var descriptor: CInt = -1
  /// The name of the last file and a terminating zero byte.
  private var name: [UInt8] = []

  init() {}

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens a file without following a symbolic link that may have replaced it.
  ///
  /// - Parameters:
  ///   - fileName: The file's name, without a zero byte.
  ///   - folder: The absolute path of its folder, without a zero byte.
  /// - Returns: The open file.
  /// - Throws: ``PhotoFileError`` if the folder is no longer a folder, the file is no longer a
  ///   regular file, or either cannot be read.
  mutating func file(
    _ fileName: ArraySlice<UInt8>, in folder: [UInt8]
  ) throws(PhotoFileError) -> PhotoFile {
    if descriptor < 0 || path != folder { try turn(to: folder) }
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: fileName)
    name.append(0)
    return try PhotoFile(terminatedName: name, in: FileDescriptor(rawValue: descriptor))
  }

  private mutating func turn(to folder: [UInt8]) throws(PhotoFileError) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = open(
      folder.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(Errno(rawValue: errno)) }
    path = folder
  }
}
