package import Storage
package import SystemPackage

extension PhotoIndex {
  /// Returns a file below the innermost root that contains it, to be opened without following a
  /// link.
  package func libraryFile(_ path: FilePath) -> LibraryFile {
    LibraryFile(path, in: roots.lazy.map(\.path))
  }

  /// Returns the files of a photo's shot, beginning with the one that represents it, with the
  /// states that they had when they were indexed; these are unknown in an index that was read
  /// without file sizes and times, and for remote assets.
  ///
  /// - Precondition: `photo` is in `0..<photoCount`.
  package func libraryFiles(ofPhoto photo: Int) -> [LibraryFile] {
    let members = files(ofShotOf: photos.file[photo])
    let lead = members.first.flatMap { files.photo[$0.row] } ?? PhotoID(photo)
    let hasStamps = files.size.count == files.count
    return ([photos.file[lead.row]] + members.dropFirst()).map { file in
      let path = path(of: file)
      let stamp = LibraryFile.Stamp(
        size: hasStamps ? files.size[file.row] : 0,
        modifiedNanoseconds: hasStamps ? files.modified[file.row] : 0)
      return LibraryFile(
        path, in: roots.lazy.map(\.path), stamp: hasStamps && !path.isRemote ? stamp : nil)
    }
  }
}
