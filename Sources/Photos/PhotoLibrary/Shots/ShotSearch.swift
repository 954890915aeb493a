import PhotoMetadata
import Storage
import SystemPackage

/// Finds the files of an index that are of the same shot: one press of the shutter.
///
/// Five rules join files. Joining is transitive: files joined through any number of steps are one
/// shot.
///
/// 1. *Names*: files of one folder whose names have the same core (``ShotName``), and whose times
///    and positions agree as far as they are known. A file without a position, whose time is
///    unknown, joins if there is exactly one shot of that name, of which it is another kind of file
///    or an edited copy.
/// 2. *Evidence*: files of one folder with different marks in their names, of the same moment,
///    place and camera (``ShotEvidence``). Numbers that differ are those of a burst.
/// 3. *Copies*: located files with the same size, instant, position and camera, in different
///    folders, or in one folder with the name of a copy (``CopyName``) and not with other contents.
///    Undated files must also have the same name.
/// 4. *Contents*: files of equal size and content (``ContentHash``), whose times, positions and
///    cameras agree as far as they are known, in different folders, or in one folder with related
///    names. Contents are compared only for files that no other rule joins, and for files of one
///    folder that may be copies.
/// 5. *Remote assets*: a located asset of a remote library with the name and size of a located file
///    of a folder, taken within one second and 100 m of it (``joinRemote()``). The file represents
///    the shot.
///
/// The rules for copies and contents never join files of one folder otherwise, since a camera may
/// take several RAW files of the same size in a second. So no photo of a folder is lost.
struct ShotSearch {
  let index: PhotoIndex
  let names: ShotNames
  var joined: DisjointSets
  /// The files of one name that are being joined, and the indices of those that represent shots.
  private var members: [ShotMember] = []
  private var leads: [Int] = []
  /// Whether each folder is under a root that the last scan could not read.
  private let isMissing: [Bool]
  /// Whether each folder belongs to a remote library.
  let isRemote: [Bool]

  /// The maximum number of files joined by the same name; larger groups are not joined.
  static let maximumGroupCount = 64

  private init(_ index: PhotoIndex) {
    self.index = index
    isRemote = index.folders.map { RemoteLibrary(path: $0) != nil }
    names = ShotNames(index.files, isRemote: isRemote)
    joined = DisjointSets(folders: Array(index.files.folder))
    let missing = index.staleRoots.map(\.bytes)
    isMissing = index.folders.map { folder in
      missing.contains { IndexUpdate.lies(folder, in: $0) }
    }
  }

  /// Returns the shots with several files, in the order of their first file in the index.
  ///
  /// - Complexity: O(*n* + *m* log *m*) for *n* files, of which *m* are joined with another.
  static func shots(of index: PhotoIndex) -> ShotTable {
    var search = ShotSearch(index)
    var alike = AlikeRows()
    search.joinByName(&alike)
    search.joinCopies(&alike)
    search.joinContents(&alike)
    search.joinRemote()
    return search.table()
  }

  // MARK: - Names

  private mutating func joinByName(_ alike: inout AlikeRows) {
    let files = index.files
    let unlocated = index.outcomes.known(.noPosition)
    var candidates: [FileID] = []
    var start = 0
    while start < files.count {
      let folder = files.folder[start]
      var end = start
      var isLocated = false
      candidates.removeAll(keepingCapacity: true)
      while end < files.count, files.folder[end] == folder {
        let hasPosition = files.photo[end] != nil
        if hasPosition { isLocated = true }
        if hasPosition || files.outcome[end] == unlocated { candidates.append(FileID(end)) }
        end += 1
      }
      if isLocated, candidates.count > 1 {
        joinByName(candidates, &alike)
        joinByEvidence(candidates, &alike)
      }
      start = end
    }
  }

  /// Joins the files of one folder.
  private mutating func joinByName(_ files: [FileID], _ alike: inout AlikeRows) {
    let names = names
    alike.forEachGroup(
      of: files, hash: { names.shotName(of: $0).hashOfCore(in: names.bytes) },
      areAlike: { names.shotName(of: $0).hasCore(of: names.shotName(of: $1), in: names.bytes) }
    ) { group in
      if group.count <= Self.maximumGroupCount { joinGroup(group) }
    }
  }

  /// Joins the files of one folder whose names have the same core.
  private mutating func joinGroup(_ files: [FileID]) {
    members.removeAll(keepingCapacity: true)
    leads.removeAll(keepingCapacity: true)
    for file in files { members.append(member(file)) }
    members.sort { $0.order < $1.order }
    for place in members.indices where members[place].captured != nil {
      if let lead = leads.first(where: { members[place].agrees(with: members[$0]) }) {
        joined.join(members[lead].file, members[place].file)
      } else {
        leads.append(place)
      }
    }
    joinUncertain()
  }

  /// Joins files without a time, or without a position, if there is only one shot that they can
  /// belong to.
  private mutating func joinUncertain() {
    for place in members.indices
    where members[place].coordinate != nil && members[place].captured == nil {
      let agreeing = leads.filter { members[place].agrees(with: members[$0]) }
      if agreeing.count == 1 {
        joined.join(members[agreeing[0]].file, members[place].file)
      } else {
        leads.append(place)
      }
    }
    guard leads.count == 1 else { return }
    let lead = members[leads[0]]
    for member in members where member.coordinate == nil && member.form != lead.form {
      joined.join(lead.file, member.file)
    }
  }

  func member(_ file: FileID) -> ShotMember {
    let folder = index.files.folder[file.row].row
    return ShotMember(
      file, in: index, name: names.shotName(of: file), isMissing: isMissing[folder],
      isRemote: isRemote[folder])
  }

  // MARK: - The table

  private mutating func table() -> ShotTable {
    var table = ShotTable()
    var isListed = Array(repeating: false, count: index.files.count)
    var orders: [UInt64] = []
    for file in index.files.ids where !isListed[file.row] {
      guard joined.isJoined(file) else { continue }
      orders.removeAll(keepingCapacity: true)
      joined.forEachFile(with: file) { file in
        isListed[file.row] = true
        orders.append(member(file).order)
      }
      orders.sort()
      table.append(orders.lazy.map { FileID(number: Int32(truncatingIfNeeded: $0)) })
    }
    return table
  }
}

/// The names of all files, as used to find shots.
struct ShotNames {
  /// The bytes of all names, concatenated.
  let bytes: [UInt8]
  private let files: FileTable
  /// Whether each folder belongs to a remote library; `nil` if none does.
  private let isRemote: [Bool]?

  init(_ files: FileTable, isRemote: [Bool] = []) {
    bytes = files.name.elements.storedValues
    self.files = files
    self.isRemote = isRemote.contains(true) ? isRemote : nil
  }

  /// Returns the parsed name of a file.
  func shotName(of file: FileID) -> ShotName { ShotName(range(of: file), in: bytes) }

  /// Returns the range of a file's name in ``bytes``; for a remote asset without its id.
  func range(of file: FileID) -> Range<Int> {
    let range = files.name.range(of: file.row)
    guard let isRemote, isRemote[files.folder[file.row].row],
      let colon = RemotePhoto.endOfID(in: bytes[range])
    else { return range }
    return colon + 1..<range.upperBound
  }
}
