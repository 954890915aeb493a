import CLibrary
import PhotoLibrary
import Storage
package import SystemPackage

/// The default locations of files, according to the XDG Base Directory Specification 0.8.
///
/// The argument parser evaluates the defaults of options many times, so each is computed once.
package enum Paths {
  /// The index file.
  package static let index = caches.appending("index.json")

  /// The folder of files that can be regenerated.
  package static let caches = folder("XDG_CACHE_HOME", ".cache")

  /// The settings file.
  package static let settingsFile = folder("XDG_CONFIG_HOME", ".config").appending("config.json")

  /// The folder of files that must not be lost: cooldowns, pending notifications and the history.
  package static let state = folder("XDG_STATE_HOME", ".local/state")

  /// Returns a path as shown in help texts, with `~` for the home folder.
  package static func displayed(_ path: FilePath) -> String {
    var rest = path
    guard home != "/", rest.removePrefix(home) else { return path.escaped }
    return "~/" + rest.escaped
  }

  /// Returns the absolute path of a path typed by the user.
  ///
  /// A path that begins with `~/` is one below the home folder, as in a settings file: shells do
  /// not replace the sign in `--state=~/x`, in quotes or in a unit of systemd, and a folder with
  /// the name `~` is dangerous to remove. If the working folder has an entry of that name, the path
  /// means it.
  package static func absolute(_ path: String) -> FilePath {
    let path = FilePath(bytes: CommandLineBytes.bytes(of: path))
    guard path.isRelative else { return path.lexicallyNormalized() }
    var rest = path
    let isBelowHome =
      rest.removePrefix("~") && !Disk.exists(workingFolder.appending("~"))
    return (isBelowHome ? home.pushing(rest) : workingFolder.pushing(path)).lexicallyNormalized()
  }

  /// Returns the absolute path of a path in a settings file, which is absolute or begins with `~/`
  /// for the home folder; `nil` for any other path, since it would depend on the working directory.
  package static func expanded(_ path: String) -> FilePath? {
    guard !path.utf8.contains(0) else { return nil }
    if path == "~" { return home }
    if path.hasPrefix("~/") {
      return home.pushing(FilePath(String(path.dropFirst(2)))).lexicallyNormalized()
    }
    return path.hasPrefix("/") ? FilePath(path).lexicallyNormalized() : nil
  }

  private static func folder(_ variable: String, _ inHome: FilePath) -> FilePath {
    // The specification requires relative paths to be ignored.
    if let value = environment(variable), value.isAbsolute { return value.appending("photospots") }
    return home.pushing(inHome).appending("photospots")
  }

  /// The user's home folder.
  package static let home: FilePath = {
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
