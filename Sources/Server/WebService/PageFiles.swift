import CPage
import Encodings
import Synchronization

/// The files of the page, which are embedded in the program, and their compressed copies, each
/// created on first use.
final class PageFiles: Sendable {
  /// A file of the page.
  struct File: Sendable {
    /// The media type.
    let mediaType: String
    /// The content.
    let bytes: [UInt8]
    /// The compressed content; `nil` where it saves less than a tenth.
    let packed: [UInt8]?
    /// The entity tag of both.
    let entityTag: String
  }

  /// The absolute paths of all files, sorted.
  static let paths: [String] = table.keys.sorted()

  private static let table: [String: Int] = {
    let names = (0..<photospots_page_file_count()).map {
      unsafe "/" + String(cString: photospots_page_files()[$0].path)
    }
    return Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }()

  private let files = Mutex<[Int: File]>([:])

  /// Returns the file at a path; `nil` where there is none. Percent codes are not decoded, since no
  /// file needs them.
  func file(at path: Substring) -> File? {
    guard let place = Self.table[path == "/" ? "/index.html" : String(path)] else { return nil }
    return files.withLock { files in
      if let known = files[place] { return known }
      let made = Self.make(place)
      files[place] = made
      return made
    }
  }

  private static func make(_ place: Int) -> File {
    let entry = unsafe photospots_page_files()[place]
    let source = unsafe Array(UnsafeBufferPointer(start: entry.bytes, count: entry.size))
    let name = unsafe String(cString: entry.path)
    let bytes = [".js", ".css"].contains(where: name.hasSuffix) ? compact(source) : source
    var hash = FNV1a()
    hash.combine(bytes)
    let ending = name.split(separator: ".").last ?? ""
    return File(
      mediaType: mediaType(ending) ?? "application/octet-stream", bytes: bytes,
      packed: Gzip.packed(bytes, level: 9), entityTag: "W/\"\(Base32.text(hash.mixed))\"")
  }

  /// Returns a module or style without indentation and with its lines of comments empty, so that
  /// lines keep their numbers. Of what browsers load, comments are a seventh.
  ///
  /// Only lines that begin with a comment are left out: `//` to their end, and `/*` to a line that
  /// ends with `*/`. A text over several lines must not contain such a line, or need its spaces.
  static func compact(_ source: [UInt8]) -> [UInt8] {
    var isInside = false
    let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return Array(
      lines.map { line -> ArraySlice<UInt8> in
        let text = line.drop { $0 == UInt8(ascii: " ") }
        let ends = line.suffix(2).elementsEqual("*/".utf8)
        if isInside {
          isInside = !ends
          return []
        }
        if text.starts(with: "//".utf8) { return [] }
        guard text.starts(with: "/*".utf8) else { return text }
        isInside = !ends
        return []
      }.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Returns the media type for a file name extension; `nil` for one that the page does not use.
  static func mediaType(_ ending: some StringProtocol) -> String? {
    switch ending {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "bin": "application/octet-stream"
    default: nil
    }
  }
}

/// The description of the API, which is embedded in the program.
public enum APIDescription {
  /// The content of `openapi.json`.
  public static var bytes: [UInt8] {
    unsafe Array(
      UnsafeRawBufferPointer(
        start: photospots_api_description(), count: photospots_api_description_size()))
  }
}
