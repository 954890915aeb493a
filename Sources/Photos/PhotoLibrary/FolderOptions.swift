import Storage
package import SystemPackage

/// The options given for a folder of the library, which are kept with it in the index.
package struct FolderOptions: Hashable, Sendable {
  /// Shell patterns of files and folders to skip, as in ``PhotoIndexer/Settings/excludes``.
  package var excludes: [String] = []
  /// Shell patterns of folders to scan although they are hidden or in ``SkippedFolders``, in any
  /// letter case.
  package var includes: [String] = []
  /// The recorded tracks for photos without a position.
  package var tracks: [TrackRoot] = []
  /// The name of the tracks that count where tracks contradict each other; `nil` for none.
  package var trackOwner: String?
  /// The clocks of cameras, in the notation of the option `--camera-clock`.
  package var cameraClocks: [String] = []

  /// Creates options with which nothing is special.
  package init() {}

  /// Whether nothing is special.
  package var isEmpty: Bool { self == FolderOptions() }

  /// The options of folders of a library, by the absolute path of the folder.
  package typealias ByFolder = [FilePath: FolderOptions]

  /// Options given anew; `nil` for each option that stays as it is.
  package struct Change: Hashable, Sendable {
    /// The folders that the change is for; `nil` for all folders of the scan.
    package var folders: [FilePath]?
    /// See ``FolderOptions/excludes``.
    package var excludes: [String]?
    /// See ``FolderOptions/includes``.
    package var includes: [String]?
    /// See ``FolderOptions/tracks``.
    package var tracks: [TrackRoot]?
    /// See ``FolderOptions/trackOwner``; given together with ``tracks``.
    package var trackOwner: String?
    /// See ``FolderOptions/cameraClocks``.
    package var cameraClocks: [String]?

    /// Creates a change of nothing.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool {
      excludes == nil && includes == nil && tracks == nil && cameraClocks == nil
    }

    /// Returns the options after the change.
    fileprivate func applied(to old: FolderOptions) -> FolderOptions {
      var new = old
      if let excludes { new.excludes = excludes }
      if let includes { new.includes = includes }
      if let tracks { (new.tracks, new.trackOwner) = (tracks, trackOwner) }
      if let cameraClocks { new.cameraClocks = cameraClocks }
      return new
    }

    /// Returns the options of a folder inside the one that the change is for: what is said about
    /// the outer folder replaces them.
    fileprivate func overridden(_ old: FolderOptions) -> FolderOptions {
      var new = old
      if excludes != nil { new.excludes = [] }
      if includes != nil { new.includes = [] }
      if tracks != nil { (new.tracks, new.trackOwner) = ([], nil) }
      if cameraClocks != nil { new.cameraClocks = [] }
      return new
    }
  }
}

extension FolderOptions.ByFolder {
  /// Changes the options of a folder, and overrides those of folders inside it.
  package mutating func apply(_ change: FolderOptions.Change, to folder: FilePath) {
    guard !change.isEmpty, change.folders?.contains(folder) ?? true else { return }
    var change = change
    if folder.isRemote {
      // A library on a server has no folders to skip.
      (change.excludes, change.includes) = (nil, nil)
    }
    let own = self[folder] ?? FolderOptions()
    for (path, options) in self where path != folder && lies(path, in: folder) {
      self[path] = change.overridden(options)
    }
    self[folder] = change.applied(to: own)
    self = filter { !$0.value.isEmpty }
  }

  /// Returns the options of a folder and of the folders inside it.
  func within(_ folder: FilePath) -> Self { filter { lies($0.key, in: folder) } }

  /// Moves the options of a folder, and of the folders inside it, to another path. Options that are
  /// already there stay.
  mutating func move(from old: FilePath, to new: FilePath) {
    let moved = within(old)
    for path in moved.keys { self[path] = nil }
    add(moved, of: old, to: new)
  }

  /// Copies the options of a folder, and of the folders inside it, to another path. Options that
  /// are already there stay.
  mutating func copy(from old: FilePath, to new: FilePath) { add(within(old), of: old, to: new) }

  private mutating func add(_ options: Self, of old: FilePath, to new: FilePath) {
    for (path, options) in options {
      var moved = new
      for component in path.components.dropFirst(old.components.count) { moved.append(component) }
      if self[moved] == nil { self[moved] = options }
    }
  }

  private func lies(_ path: FilePath, in folder: FilePath) -> Bool {
    IndexUpdate.lies(path.bytes, in: folder.bytes)
  }
}

extension PhotoIndex {
  /// The options kept with all folders.
  package var options: FolderOptions.ByFolder {
    roots.reduce(into: [:]) { $0.merge($1.options) { first, _ in first } }
  }

  /// An index with the same roots and options, but without files.
  package var withoutFiles: PhotoIndex {
    var index = PhotoIndex()
    index.roots = roots.map { root in
      var own = Root(path: root.path)
      own.options = root.options
      return own
    }
    return index
  }

  /// Sets the options kept with the folders of each root.
  mutating func setOptions(_ options: FolderOptions.ByFolder) {
    for index in roots.indices { roots[index].options = options.within(roots[index].path) }
  }

  /// Removes the tracks kept with all folders.
  ///
  /// - Returns: Whether there were any.
  package mutating func dropTracks() -> Bool {
    var options = options
    guard options.values.contains(where: { !$0.tracks.isEmpty }) else { return false }
    for path in options.keys {
      options[path]?.tracks = []
      options[path]?.trackOwner = nil
    }
    setOptions(options.filter { !$0.value.isEmpty })
    return true
  }
}
