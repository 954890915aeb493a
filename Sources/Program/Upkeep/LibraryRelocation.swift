import CivilTime
import Encodings
import IndexUpdates
import PageServer
package import PhotoLibrary
package import ProcessControl
package import ProgramSettings
package import SystemPackage

/// The relocation of a library that was moved or restored elsewhere: its entries in the index, the
/// photos of places, and the pictures taken again go along.
package struct LibraryRelocation {
  private let cache: PhotoIndexCache
  private let stateFolder: FilePath
  private let settings: Settings
  private let log: MessageLog

  /// The result.
  package struct Outcome {
    /// The comparison of the folders; without counts if they were not compared.
    package let relocation: Relocation
    /// The new index.
    package let index: PhotoIndex
    /// The number of imported and inferred positions that went along.
    package let givenCount: Int
    /// The number of photos of places that went along.
    package let placePhotoCount: Int
    /// The number of pictures taken again that went along.
    package let recreationCount: Int
    /// The settings that still name something in the old folder.
    package let settings: [String]
  }

  /// Creates a relocation; nothing is read yet.
  package init(
    _ cache: PhotoIndexCache, stateFolder: FilePath, settings: Settings, log: MessageLog
  ) {
    (self.cache, self.stateFolder) = (cache, stateFolder)
    (self.settings, self.log) = (settings, log)
  }

  /// Relocates a folder.
  ///
  /// The index is written last, so that an interrupted relocation can be repeated.
  ///
  /// - Parameters:
  ///   - old: The folder in the index.
  ///   - new: The folder where its files are now.
  ///   - takesBack: Whether an earlier relocation with the same arguments is taken back; the
  ///     folders are not looked at then.
  /// - Returns: The result.
  /// - Throws: A `MessageError` if the index lacks the folder, or the new folder does not hold its
  ///   files; or the error of a file of the state.
  package func run(_ old: FilePath, to new: FilePath, takesBack: Bool) throws -> Outcome {
    guard !old.isRemote, !new.isRemote else {
      throw MessageError(
        """
        only folders can be relocated, not libraries of Immich or PhotoPrism. Index the library at its new \
        address, then forget the old one.
        """)
    }
    guard !old.starts(with: new), !new.starts(with: old) else {
      throw MessageError(
        """
        one of the two folders lies inside the other. Name the folder of the index, and where it is now.
        """)
    }
    let lock = try cache.lock(waits: true)
    guard let previous = try cache.load() else {
      throw MessageError(
        """
        there is no index at \(cache.path.escaped), so nothing can be relocated. \
        '\(commands.text("index", "FOLDER"))' makes one.
        """)
    }
    let source = takesBack ? new : old
    guard previous.holds(source) else {
      throw MessageError(missing(source, otherwise: takesBack ? old : new, takesBack, previous))
    }
    let relocation =
      takesBack
      ? Relocation.takingBack(old, new) : try PhotoIndexer().compare(old, with: new, in: previous)
    if !takesBack { try check(relocation) }
    let index = PhotoIndexer().relocate(relocation, in: previous, now: .now)
    let references = PhotoReferences(stateFolder: stateFolder, settings: settings, log: log)
    let placePhotoCount = try references.movePlacePhotos(relocation.moved)
    let recreationCount = try references.moveRecreations(relocation.moved, name: index.photoName)
    if let obstacle = try cache.save(index, clusterRadius: settings.clusterRadiusMeters) {
      log.problem("\(obstacle)")
    }
    _ = consume lock
    return Outcome(
      relocation: relocation, index: index,
      givenCount: index.unlocatedPhotos.count {
        $0.given != nil && $0.path.starts(with: relocation.new)
      },
      placePhotoCount: placePhotoCount, recreationCount: recreationCount,
      settings: try settingsNaming(relocation))
  }

  private var commands: OfferedCommands {
    cache.commands.with(state: stateFolder == Paths.state ? nil : stateFolder)
  }

  /// Returns why a folder cannot be relocated of which the index has no files, and what to do.
  ///
  /// - Parameters:
  ///   - source: The folder from which files would be moved.
  ///   - target: The folder to which they would be moved.
  ///   - takesBack: Whether a relocation would be taken back.
  ///   - index: The index.
  /// - Returns: A few sentences.
  private func missing(
    _ source: FilePath, otherwise target: FilePath, _ takesBack: Bool, _ index: PhotoIndex
  ) -> String {
    let none = "the index contains no files in \(source.escaped)"
    guard index.holds(target) else {
      let roots = index.roots.map(\.path.escaped).joined(separator: ", ")
      return "\(none). \(roots.isEmpty ? "It contains no folders." : "Its folders: \(roots)")"
    }
    guard takesBack else {
      return """
        \(none), but it has some in \(target.escaped), so the library is there already. To take a \
        relocation back: \(commands.text("relocate", "--undo", source.quoted, target.quoted))
        """
    }
    return """
      \(none), but it has some in \(target.escaped), so nothing has to be taken back. --undo takes the \
      folders in the order of the relocation; if that was from \(source.escaped) to \
      \(target.escaped): \(commands.text("relocate", "--undo", source.quoted, target.quoted))
      """
  }

  private func check(_ relocation: Relocation) throws {
    guard !relocation.isConvincing else { return }
    let (old, new) = (relocation.old.escaped, relocation.new.escaped)
    let (differing, compared) = (relocation.differing, relocation.comparedCount)
    if let first = differing.first, 4 * differing.count > compared {
      throw MessageError(
        """
        \(differing.count) of \(compared) photos that were compared are other photos than in \
        \(old), such as \(first.escaped). Nothing was changed.
        """)
    }
    throw MessageError(
      """
      \(new) holds \(relocation.foundCount) of the \(relocation.knownCount) photos of \(old) with the \
      same relative path and size, which is not enough. Name the folder that has the same \
      subfolders. Nothing was changed.
      """)
  }

  /// Returns the names of settings that name something in the old folder.
  private func settingsNaming(_ relocation: Relocation) throws -> [String] {
    let named: [(String, [FilePath])] = [
      ("tracks", try settings.tracks), ("placesFile", try settings.placesFile.map { [$0] } ?? []),
      ("recreationsFolder", [try settings.recreationsFolder]),
    ]
    return named.filter { $0.1.contains { relocation.moved($0) != nil } }.map(\.0)
  }
}
