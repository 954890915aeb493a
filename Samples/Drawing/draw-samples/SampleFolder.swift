internal import CLibrary
internal import SampleDrawing
internal import SystemPackage

/// The program `draw-samples FOLDER`, which draws the sample photos into `FOLDER/photos` and writes
/// the sample walk next to them, as `walk.nmea` and `walk.ndjson`.
///
/// Files of the same names are replaced, others are kept. The command `swift run draw-samples
/// Samples`, run in the package's root, regenerates the committed samples.
enum SampleFolder {
  /// Runs the program and exits with its status: 0 for success, 1 for failure, 64 for wrong usage.
  static func main(arguments: [String]) -> Never {
    exit(run(arguments: arguments))
  }

  private static func run(arguments: [String]) -> Int32 {
    guard arguments.count == 2, let folder = arguments.last, !folder.hasPrefix("-") else {
      report("usage: draw-samples FOLDER")
      return 64
    }
    do {
      let written = try fill(FilePath(folder))
      report("\(written.files) files, \(written.bytes) bytes, in \(folder)")
      return 0
    } catch {
      report("draw-samples: \(error)")
      return 1
    }
  }

  private static func fill(_ folder: FilePath) throws -> (files: Int, bytes: Int) {
    var files: [(path: String, bytes: () throws -> [UInt8])] = SamplePhoto.all.map { photo in
      ("photos/\(photo.path)", { try photo.jpegBytes() })
    }
    files.append(("walk.nmea", { Walk.recorded.nmea }))
    files.append(("walk.ndjson", { Walk.recorded.ndjson }))
    var total = 0
    for file in files {
      let bytes = try file.bytes()
      try write(bytes, to: folder.appending(file.path))
      total += bytes.count
    }
    return (files.count, total)
  }

  private static func write(_ bytes: [UInt8], to path: FilePath) throws {
    try makeFolder(path.removingLastComponent())
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: FilePermissions(rawValue: 0o644)
    )
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  private static func makeFolder(_ folder: FilePath) throws {
    guard !folder.isEmpty else { return }
    let status = folder.withPlatformString { mkdir($0, 0o755) }
    if status == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw Errno(rawValue: errno) }
    try makeFolder(folder.removingLastComponent())
    guard folder.withPlatformString({ mkdir($0, 0o755) }) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  private static func report(_ message: String) {
    // A report that cannot be written is dropped.
    _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  }
}
