import Storage
package import SystemPackage

/// A library of photos on a server, which is a root of the index like a folder tree.
///
/// People write it `immich://HOST`, `photoprism://HOST`, each with a port where it has one, and
/// `immich+http://HOST` where the server has no TLS, as on a home network. The index keeps it as an
/// absolute path that no file system has, `/immich:/HOST`; below that lie albums as folders, and in
/// them assets by the name `ID:NAME`.
package struct RemoteLibrary: Hashable, Sendable, CustomStringConvertible {
  /// The programs whose libraries can be read.
  package enum Program: String, Sendable, CaseIterable {
    /// Immich, https://immich.app
    case immich
    /// PhotoPrism, https://www.photoprism.app
    case photoprism

    /// The name as the program writes it.
    package var name: String { self == .immich ? "Immich" : "PhotoPrism" }
  }

  /// The program that serves it.
  package let program: Program
  /// Whether requests go without TLS.
  package let isPlain: Bool
  /// The host in lower case, with the port where one is given.
  package let host: String

  /// Creates a library from its address; `nil` where the text is no address of one.
  ///
  /// A name or password before the host, and a path behind it, are refused: keys do not belong into
  /// the address, since the index and messages hold it.
  package init?(_ text: String) {
    for program in Program.allCases {
      for isPlain in [false, true] {
        let scheme = program.rawValue + (isPlain ? "+http" : "") + "://"
        guard text.lowercased().hasPrefix(scheme) else { continue }
        var host = text.dropFirst(scheme.count).lowercased()
        if host.hasSuffix("/") { host.removeLast() }
        self.init(program, isPlain: isPlain, host: host)
        return
      }
    }
    return nil
  }

  private init?(_ program: Program, isPlain: Bool, host: String) {
    guard Self.isHost(host.utf8) else { return nil }
    (self.program, self.isPlain, self.host) = (program, isPlain, host)
  }

  /// Whether a text begins as the address of a library, be the rest right or wrong.
  package static func isAddress(_ text: String) -> Bool {
    Program.allCases.contains { program in
      let text = text.lowercased()
      return text.hasPrefix(program.rawValue + "://")
        || text.hasPrefix(program.rawValue + "+http://")
    }
  }

  /// The library of a root of the index, or of what lies below it; `nil` for a path of a file
  /// system.
  package init?(path: some Collection<UInt8>) {
    // Mostly it is the path of a file, which the second byte tells.
    guard path.dropFirst().first.map({ $0 == 0x69 || $0 == 0x70 }) ?? false else { return nil }
    let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    guard path.first == UInt8(ascii: "/"), parts.count > 1 else { return nil }
    self.init(scheme: parts[0], host: parts[1])
  }

  /// A library by the parts of a path: `immich:` or `immich+http:`, and the host.
  fileprivate init?(scheme: some Collection<UInt8>, host: some Collection<UInt8>) {
    for program in Program.allCases {
      for isPlain in [false, true]
      where scheme.elementsEqual((program.rawValue + (isPlain ? "+http:" : ":")).utf8) {
        self.init(program, isPlain: isPlain, host: String(decoding: host, as: UTF8.self))
        return
      }
    }
    return nil
  }

  /// The path of its root in the index.
  package var rootPath: FilePath { FilePath("/\(scheme):/\(host)") }

  /// Its address, as people write it.
  package var description: String { "\(scheme)://\(host)" }

  /// The address of its server on the web.
  package var webAddress: String { "\(isPlain ? "http" : "https")://\(host)" }

  private var scheme: String { program.rawValue + (isPlain ? "+http" : "") }

  private static func isHost(_ host: some Collection<UInt8>) -> Bool {
    guard let first = host.first, first.isAlphanumeric || first == UInt8(ascii: "[") else {
      return false
    }
    return host.count <= 255
      && host.allSatisfy { $0.isAlphanumeric || "-._:[]".utf8.contains($0) }
  }
}

/// An asset of a remote library, as a file of the index.
package struct RemotePhoto: Hashable, Sendable {
  /// The library.
  package let library: RemoteLibrary
  /// The asset's id on the server: letters, digits, hyphens and dots.
  package let id: String
  /// The name of its original file, as bytes.
  package let name: [UInt8]

  /// The asset of a file of the index; `nil` for a file of a file system, and for a root.
  package init?(path: FilePath) {
    let bytes = path.bytes
    // A host with a port looks like an id with a name.
    guard let library = RemoteLibrary(path: bytes),
      bytes.count(where: { $0 == UInt8(ascii: "/") }) > 2
    else { return nil }
    let last = bytes[(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)...].dropFirst()
    guard let colon = Self.endOfID(in: last) else { return nil }
    self.library = library
    id = String(decoding: last[..<colon], as: UTF8.self)
    name = Array(last[(colon + 1)...])
  }

  /// The asset of a path as people see it, `immich://HOST/ID/NAME`; `nil` for any other path.
  package init?(shown bytes: some Collection<UInt8>) {
    // A file path has lost the second of two slashes.
    let parts = bytes.split(separator: UInt8(ascii: "/"), maxSplits: 3)
    guard bytes.first != UInt8(ascii: "/"), parts.count == 4,
      let library = RemoteLibrary(scheme: parts[0], host: parts[1]), Self.isID(parts[2])
    else { return nil }
    self.library = library
    id = String(decoding: parts[2], as: UTF8.self)
    name = Array(parts[3])
  }

  /// The path as people see it.
  package var shown: [UInt8] { Array("\(library)/\(id)/".utf8) + name }

  /// The path in the index of the asset outside of albums.
  var path: FilePath {
    FilePath(bytes: library.rootPath.bytes + Array("/\(id):".utf8) + name)
  }

  /// Where a browser finds the photo: Immich's `/photos/ID`, PhotoPrism's search for the UID.
  package var webAddress: String {
    switch library.program {
    case .immich: "\(library.webAddress)/photos/\(id)"
    case .photoprism: "\(library.webAddress)/library/browse?view=cards&q=uid:\(uid)"
    }
  }

  /// The part of the id before its first dot: PhotoPrism's UID, which a file's hash follows.
  package var uid: Substring { id.prefix { $0 != "." } }

  /// Where the id in the name of a file ends: the place of the colon behind it.
  static func endOfID(in name: ArraySlice<UInt8>) -> Int? {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")), isID(name[..<colon]) else {
      return nil
    }
    return colon
  }

  /// Whether a text can be the id of an asset.
  package static func isID(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first, first.isAlphanumeric, text.count <= 128 else { return false }
    return text.allSatisfy {
      $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }
}

extension FilePath {
  /// The path as bytes that people and other programs get: an asset of a remote library as
  /// `immich://HOST/ID/NAME`, everything else as it is.
  package var shown: [UInt8] {
    let bytes = bytes
    guard let library = RemoteLibrary(path: bytes) else { return bytes }
    return RemotePhoto(path: self)?.shown ?? Array(library.description.utf8)
  }

  /// The last part of the path, of a remote asset the name of its original file.
  package var shownName: [UInt8] {
    RemotePhoto(path: self)?.name ?? lastComponent?.bytes ?? []
  }

  /// The path of what ``shown`` wrote.
  package init(shown bytes: [UInt8]) {
    self = RemotePhoto(shown: bytes)?.path ?? FilePath(bytes: bytes)
  }

  /// Whether the path is a remote library's root, or of what is in one.
  package var isRemote: Bool { RemoteLibrary(path: bytes) != nil }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
