extension ShotSearch {
  /// Joins assets of remote libraries with the files in folders that they are copies of.
  ///
  /// Servers round positions and times, so these are compared with that tolerance. Names are
  /// compared without the case of ASCII letters.
  ///
  /// - Complexity: O(*n*) for *n* files, if a library is indexed; O(*m*) for *m* folders otherwise.
  mutating func joinRemote() {
    guard isRemote.contains(true) else { return }
    var assets: [RemoteKey: [FileID]] = [:]
    for photo in index.photos.ids {
      let file = index.photos.file[photo.row]
      guard isRemote[index.files.folder[file.row].row], index.files.size[file.row] > 0 else {
        continue
      }
      assets[key(of: file), default: []].append(file)
    }
    for photo in index.photos.ids {
      let file = index.photos.file[photo.row]
      guard !isRemote[index.files.folder[file.row].row], let alike = assets[key(of: file)] else {
        continue
      }
      let member = member(file)
      // A server has each file once; the limit bounds the work if a hostile server lists it a
      // million times.
      for asset in alike.prefix(16) where self.member(asset).agreesClosely(with: member) {
        _ = joined.joinAcrossFolders(file, asset)
      }
    }
  }

  private struct RemoteKey: Hashable {
    let name: [UInt8]
    let size: Int64
  }

  private func key(of file: FileID) -> RemoteKey {
    RemoteKey(
      name: names.bytes[names.range(of: file)].map(\.lowercased), size: index.files.size[file.row])
  }
}
