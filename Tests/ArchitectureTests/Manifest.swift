import SystemPackage
import TestSupport

/// The modules that Package.swift declares in the folders of `Sources`.
struct Manifest {
  /// A module.
  struct Module {
    /// The folder of `Sources` that it is in.
    let room: String
    /// The name of its own folder.
    let folder: String
    /// The name by which it is imported.
    let name: String
    /// The modules and products that it depends on directly.
    let uses: [String]
  }

  /// The modules in the order of their declaration.
  let modules: [Module]

  /// Reads the Package.swift of the repository.
  static func ofRepository() throws -> Manifest {
    let path = Repository.folder.appending("Package.swift")
    return Manifest(String(decoding: try Corpus.contents(of: path), as: UTF8.self))
  }

  /// Reads the declarations of a manifest.
  init(_ text: String) {
    let call = /\.(system|c|swift)\(\s*"([\w\/]+)"(?:,\s*(?:"""([^"]*)"""|"([^"]*)"))?([^()]*)\)/
    modules = text.matches(of: call).compactMap { match in
      let parts = match.2.split(separator: "/").map(String.init)
      guard match.1 != "system" else {
        return Module(room: "System", folder: parts[0], name: parts[0], uses: [])
      }
      guard parts.count == 2 else { return nil }
      let uses = (match.3 ?? match.4 ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
      let name = match.5.firstMatch(of: /name: "(\w+)"/)?.1
      return Module(
        room: parts[0], folder: parts[1], name: name.map(String.init) ?? parts[1], uses: uses)
    }
  }

  /// Returns the module that is imported by a name; `nil` for those of other packages.
  func module(_ name: String) -> Module? { modules.first { $0.name == name } }

  /// Returns all direct and indirect dependencies of a module.
  func reach(of module: Module) -> Set<String> {
    module.uses.reduce(into: []) { reach, name in
      reach.insert(name)
      if let other = self.module(name) { reach.formUnion(self.reach(of: other)) }
    }
  }
}
