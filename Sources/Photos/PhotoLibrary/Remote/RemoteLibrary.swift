import Storage
package import SystemPackage

/// A photo library on a server, which is a root of the index like a folder tree.
///
/// Its address is `immich://HOST` or `photoprism://HOST`, optionally with a port;
/// `immich+http://HOST` is for a server without TLS, as in a home network. The index stores it as
/// an absolute path that exists in no file system, `/immich:/HOST`. Albums are folders below that
/// path, and assets are files named `ID:NAME`.
package struct RemoteLibrary: Hashable, Sendable, CustomStringConvertible {
  /// The supported server programs.
  package enum Program: String, Sendable, CaseIterable {
    /// Immich, https://immich.app
    case immich
    /// PhotoPrism, https://www.photoprism.app
    case photoprism

    /// The name as the program writes it.
    package var name: String { self == .immich ? "Immich" : "PhotoPrism" }
  }

  /// The server program.
  package let program: Program
  /// Whether requests are sent without TLS.
  package let isPlain: Bool
  /// The host in lower case, with the port if there is one.
  package let host: String

  /// Parses the address of a library; `nil` if the text is not a valid address.
  ///
  /// An address with a user name, a password or a path is refused: credentials do not belong in the
  /// address, since it appears in the index and in messages.
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

  /// Returns whether a text begins with a library's URL scheme, even if the rest is invalid.
  package static func isAddress(_ text: String) -> Bool {
    Program.allCases.contains { program in
      let text = text.lowercased()
      return text.hasPrefix(program.rawValue + "://")
        || text.hasPrefix(program.rawValue + "+http://")
    }
  }

  /// Creates the library whose root in the index contains a path; `nil` for a path of a file
  /// system.
  package init?(path: some Collection<UInt8>) {
    // Most paths are those of files, which the second byte excludes quickly.
    guard path.dropFirst().first.map({ $0 == 0x69 || $0 == 0x70 }) ?? false else { return nil }
    let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    guard path.first == UInt8(ascii: "/"), parts.count > 1 else { return nil }
    self.init(scheme: parts[0], host: parts[1])
  }

  /// Creates a library from components of a path: `immich:` or `immich+http:`, and the host.
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

  /// The path of the library's root in the index.
  package var rootPath: FilePath { FilePath("/\(scheme):/\(host)") }

  /// The address, as in the initializer from a text.
  package var description: String { "\(scheme)://\(host)" }

  /// The URL of the server.
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
  /// The name of the original file as bytes.
  package let name: [UInt8]

  /// Creates the asset of a file of the index; `nil` for a file of a file system and for a root.
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

  /// Parses a path in its displayed form, `immich://HOST/ID/NAME`; `nil` for any other path.
  package init?(shown bytes: some Collection<UInt8>) {
    // `FilePath` normalizes two slashes to one.
    let parts = bytes.split(separator: UInt8(ascii: "/"), maxSplits: 3)
    guard bytes.first != UInt8(ascii: "/"), parts.count == 4,
      let library = RemoteLibrary(scheme: parts[0], host: parts[1]), Self.isID(parts[2])
    else { return nil }
    self.library = library
    id = String(decoding: parts[2], as: UTF8.self)
    name = Array(parts[3])
  }

  /// The path in its displayed form.
  package var shown: [UInt8] { Array("\(library)/\(id)/".utf8) + name }

  /// The path in the index if the asset is in no album.
  var path: FilePath {
    FilePath(bytes: library.rootPath.bytes + Array("/\(id):".utf8) + name)
  }

  /// The URL of the photo in a browser: Immich's `/photos/ID`, PhotoPrism's search for the UID.
  package var webAddress: String {
    switch library.program {
    case .immich: "\(library.webAddress)/photos/\(id)"
    case .photoprism: "\(library.webAddress)/library/browse?view=cards&q=uid:\(uid)"
    }
  }

  /// The part of the id before its first dot: PhotoPrism's UID; a file's hash follows it.
  package var uid: Substring { id.prefix { $0 != "." } }

  /// Returns the end of the id in a file's name: the index of the colon that follows it.
  static func endOfID(in name: ArraySlice<UInt8>) -> Int? {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")), isID(name[..<colon]) else {
      return nil
    }
    return colon
  }

  /// Returns whether a text is valid as an asset's id.
  package static func isID(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first, first.isAlphanumeric, text.count <= 128 else { return false }
    return text.allSatisfy {
      $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }
}

extension FilePath {
  /// The path as bytes for people and other programs: `immich://HOST/ID/NAME` for an asset of a
  /// remote library, unchanged otherwise.
  package var shown: [UInt8] {
    let bytes = bytes
    guard let library = RemoteLibrary(path: bytes) else { return bytes }
    return RemotePhoto(path: self)?.shown ?? Array(library.description.utf8)
  }

  /// The last path component; for a remote asset, the name of its original file.
  package var shownName: [UInt8] {
    RemotePhoto(path: self)?.name ?? lastName.map(Array.init) ?? []
  }

  /// Creates a path from the form that ``shown`` returns.
  package init(shown bytes: [UInt8]) {
    self = RemotePhoto(shown: bytes)?.path ?? FilePath(bytes: bytes)
  }

  /// Whether the path is the root of a remote library or inside one.
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
