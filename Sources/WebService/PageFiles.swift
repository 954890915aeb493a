import CPage
import Codecs
import Synchronization

/// The files of the page, which lie in the program, and their packed copies, each made when it is
/// asked for first.
final class PageFiles: Sendable {
  /// A file of the page.
  struct File: Sendable {
    /// The media type.
    let mediaType: String
    /// Its content.
    let bytes: [UInt8]
    /// Its content for browsers that unpack it; `nil` where that is hardly shorter.
    let packed: [UInt8]?
    /// The tag of both.
    let entityTag: String
  }

  /// The paths of all files, from the root on.
  static let paths: [String] = table.keys.sorted()

  private static let table: [String: Int] = {
    let names = (0..<photospots_page_file_count()).map {
      unsafe "/" + String(cString: photospots_page_files()[$0].path)
    }
    return Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }()

  private let files = Mutex<[Int: File]>([:])

  /// The file at a path; `nil` where there is none. A path is taken as it stands: none has anything
  /// that is to be decoded.
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
    let bytes = unsafe Array(UnsafeBufferPointer(start: entry.bytes, count: entry.size))
    var hash = FNV1a()
    hash.combine(bytes)
    let ending = unsafe String(cString: entry.path).split(separator: ".").last ?? ""
    return File(
      mediaType: mediaType(ending) ?? "application/octet-stream", bytes: bytes,
      packed: Gzip.packed(bytes, level: 9), entityTag: "W/\"\(Base32.text(hash.mixed))\"")
  }

  /// The media type of files with an ending; `nil` where that is none of the page's.
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

/// The description of the API, which lies in the program.
public enum APIDescription {
  /// openapi.json.
  public static var bytes: [UInt8] {
    unsafe Array(
      UnsafeRawBufferPointer(
        start: photospots_api_description(), count: photospots_api_description_size()))
  }
}
