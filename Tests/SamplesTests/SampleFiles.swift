import CLibrary
import SampleDrawing
import SystemPackage
import Testing

/// The committed folder `Samples`.
enum SampleFiles {
  static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().appending("Samples")

  static func bytes(of path: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(folder.appending(path), .readOnly)
    return try file.closeAfter {
      let size = Int(try file.seek(offset: 0, from: .end))
      return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  static func text(of path: String) throws -> String {
    try #require(String(validating: bytes(of: path), as: UTF8.self))
  }

  /// The paths of all files below a folder, relative to it.
  static func files(below path: String) throws -> Set<String> {
    var found: Set<String> = []
    var pending = [""]
    while let relative = pending.popLast() {
      let full = folder.appending(path).appending(relative)
      let stream = try #require(full.withPlatformString { opendir($0) })
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        guard name != ".", name != ".." else { continue }
        let child = relative.isEmpty ? name : relative + "/" + name
        if entry.pointee.d_type == UInt8(DT_DIR) {
          pending.append(child)
        } else {
          found.insert(child)
        }
      }
    }
    return found
  }

  static func isExecutable(_ path: String) -> Bool {
    folder.appending(path).withPlatformString { access($0, X_OK) } == 0
  }
}

/// The headers of a JPEG file.
struct JPEGHeaders {
  /// The contents of the first APP1 segment.
  private(set) var exif: [UInt8]?
  private(set) var width = 0
  private(set) var height = 0

  /// Reads the segments before the first scan (ITU-T T.81, annex B).
  init(_ bytes: [UInt8]) throws {
    try #require(bytes.starts(with: [0xFF, 0xD8]))
    try #require(bytes.suffix(2) == [0xFF, 0xD9])
    var offset = 2
    while true {
      try #require(bytes[offset] == 0xFF)
      let marker = bytes[offset + 1]
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let content = bytes[offset + 4..<offset + 2 + length]
      let start = content.startIndex
      switch marker {
      case 0xE1: exif = exif ?? Array(content)
      case 0xC0:
        height = Int(content[start + 1]) << 8 | Int(content[start + 2])
        width = Int(content[start + 3]) << 8 | Int(content[start + 4])
      case 0xDA: return
      default: break
      }
      offset += 2 + length
    }
  }
}

extension SamplePhoto: CustomTestStringConvertible {
  /// The photo's path, which identifies it in test reports.
  public var testDescription: String { path }

  var position: Position? {
    if case .position(let position) = gps { position } else { nil }
  }
}
