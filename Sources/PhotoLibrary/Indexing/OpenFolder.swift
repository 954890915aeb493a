import CLibrary
import PhotoMetadata
import SystemPackage

/// Opens files of folders, and keeps the folder of the last one open: the system need not look for
/// it anew for each of its files, which takes the longer the deeper it lies.
struct OpenFolder: ~Copyable {
  private var path: [UInt8] = []
  private var descriptor: CInt = -1
  /// The name of the last file and a zero byte.
  private var name: [UInt8] = []

  init() {}

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens a file. A link that took its place must not lead away, so none is followed.
  ///
  /// - Parameters:
  ///   - fileName: The file's name, without a zero byte.
  ///   - folder: The absolute path of its folder, likewise.
  /// - Returns: The open file.
  /// - Throws: ``PhotoFileError`` where the folder or the file is none any more, or is not given
  ///   out.
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
