import IndexUpdates
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotService
import Storage
import SystemPackage

/// The requests of pages for folders of photos: which there are, and which are indexed.
struct FolderRequests: Sendable {
  let found: FoundFolders
  let control: IndexingControl
  let service: Service
  /// Returns the folders of the index.
  let known: @Sendable () -> [FilePath]

  /// The longest path that is taken.
  private static let maximumPathLength = 4096

  /// Performs a request and returns the answer. It may take some seconds.
  func perform(_ work: FolderWork) -> ServiceResponse {
    switch work {
    case .list(let isLocal):
      let folders = found.all(except: known()).map { Self.served($0.path, $0.look) }
      return service.folders(folders, isLocal: isLocal)
    case .state: return service.indexing(control.current)
    case .stop:
      control.stop()
      return service.indexing(control.current)
    case .start(let ids, let path):
      do throws(Problem) {
        var chosen = try folders(ids)
        if let path { chosen.append(try folder(path)) }
        control.start(chosen)
        return service.indexing(control.current)
      } catch { return error.response }
    }
  }

  static func served(_ path: FilePath, _ look: FolderLook) -> ServedFolder {
    let parent = path.removingLastComponent().lastComponent
    let name = [path.lastComponent?.string == "DCIM" ? parent : nil, path.lastComponent]
    return ServedFolder(
      id: FoundFolders.id(of: path), name: name.compactMap { $0?.bytes },
      path: path.bytes, photoCount: look.photoCount, isWhole: look.isWhole,
      isReadable: look.problem == nil)
  }

  /// Returns the found folders with some ids.
  private func folders(_ ids: [String]) throws(Problem) -> [FilePath] {
    guard !ids.isEmpty else { return [] }
    let all = found.all(except: known())
    var folders: [FilePath] = []
    for id in ids {
      guard let one = all.first(where: { FoundFolders.id(of: $0.path) == id }),
        one.look.problem == nil
      else {
        throw Problem(
          .badParameter, "A folder is gone or cannot be read.", parameter: "folders")
      }
      folders.append(one.path)
    }
    return folders
  }

  /// Returns the folder at a path that a person typed.
  private func folder(_ text: String) throws(Problem) -> FilePath {
    func refused(_ reason: String) -> Problem {
      Problem(.badParameter, reason, parameter: "path")
    }
    guard text.utf8.count <= Self.maximumPathLength, let path = Paths.expanded(text) else {
      throw refused("The path must begin with / or ~/.")
    }
    let folder = LinkedRoot.resolved(path, known: known(), log: .none)
    guard let look = found.look(at: folder) else {
      throw refused("The folder does not answer; is its disk there?")
    }
    guard look.problem == nil else { throw refused("There is no folder that can be read there.") }
    guard look.photoCount > 0 || !look.isWhole else {
      throw refused("There are no photos in this folder.")
    }
    return folder
  }
}
