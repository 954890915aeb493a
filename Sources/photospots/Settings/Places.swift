import ArgumentParser
import CLibrary
import PhotoLibrary
import Storage
import SystemPackage

/// Where files lie when nothing else is said: XDG Base Directory Specification 0.8.
///
/// The argument parser asks for the defaults of options many times, so each is found out once.
enum Places {
  /// The index.
  static let index = caches.appending("index.json")

  /// The folder of what can be made anew.
  static let caches = folder("XDG_CACHE_HOME", ".cache")

  /// The settings file.
  static let settingsFile = folder("XDG_CONFIG_HOME", ".config").appending("config.json")

  /// The folder of what must not be lost: cooldowns, notifications to be sent, history.
  static let state = folder("XDG_STATE_HOME", ".local/state")

  /// A path as help shows it: `~` stands for the home folder.
  static func displayed(_ path: FilePath) -> String {
    var rest = path
    guard home != "/", rest.removePrefix(home) else { return path.escaped }
    return "~/" + rest.escaped
  }

  /// A path as it was typed, made absolute.
  static func absolute(_ path: String) -> FilePath {
    let path = FilePath(bytes: CommandLineBytes.bytes(of: path))
    guard path.isRelative else { return path.lexicallyNormalized() }
    return workingFolder.pushing(path).lexicallyNormalized()
  }

  /// A root of the index as it was typed: a folder, or the address of a remote library.
  static func root(_ text: String) throws -> FilePath {
    guard RemoteLibrary.isAddress(text) else { return absolute(text) }
    guard let library = RemoteLibrary(text) else {
      // It may hold a key, so it is not shown.
      throw ValidationError(
        """
        an address of a library is immich://HOST, immich://HOST:PORT or, without TLS, \
        immich+http://HOST:PORT, and so for photoprism://; keys belong into the environment or the settings file
        """)
    }
    return library.rootPath
  }

  /// A path of a settings file: absolute, or below the home folder where it begins with `~/`; `nil`
  /// for any other, which would depend on where the program was started.
  static func expanded(_ path: String) -> FilePath? {
    guard !path.utf8.contains(0) else { return nil }
    if path == "~" { return home }
    if path.hasPrefix("~/") {
      return home.pushing(FilePath(String(path.dropFirst(2)))).lexicallyNormalized()
    }
    return path.hasPrefix("/") ? FilePath(path).lexicallyNormalized() : nil
  }

  private static func folder(_ variable: String, _ inHome: FilePath) -> FilePath {
    // The specification has relative paths ignored.
    if let value = environment(variable), value.isAbsolute { return value.appending("photospots") }
    return home.pushing(inHome).appending("photospots")
  }

  private static let home: FilePath = {
    if let home = environment("HOME") { return home }
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "/" }
    return FilePath(platformString: home)
  }()

  private static var workingFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(platformString: path)
  }

  private static func environment(_ name: String) -> FilePath? {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    return FilePath(platformString: value)
  }
}
