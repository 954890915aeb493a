import PhotoMetadata

extension PhotoIndex {
  /// The number of shots with a position; photos of the same shot count once.
  public var shotCount: Int {
    photos.count - shots.files.count { files.photo[$0.row] != nil } + shots.count
  }

  /// The number of files, with or without a position, that are not the representative file of their
  /// shot.
  public var furtherFileCount: Int { shots.files.count - shots.count }

  /// Returns the shot of a photo.
  ///
  /// - Precondition: `index` is in `0..<photoCount`.
  public func shot(at index: Int) -> PhotoShot {
    let members = files(ofShotOf: photos.file[index])
    let lead = members.first.flatMap { files.photo[$0.row] } ?? PhotoID(index)
    return PhotoShot(
      photo: location(of: ratedPhoto(lead)), otherFiles: members.dropFirst().map { path(of: $0) })
  }

  /// Finds the shots with several files.
  mutating func findShots() {
    shots = ShotSearch.shots(of: self)
    linkFilesToShots()
  }

  /// Sets the shot of each file.
  mutating func linkFilesToShots() {
    var shotOfFile = Array(repeating: ShotID?.none.stored, count: files.count)
    for shot in shots.ids {
      for file in shots[shot] { shotOfFile[file.row] = shot.stored }
    }
    files.shot = Column(own: shotOfFile)
  }

  /// Returns whether another index has the same files in the same rows.
  func hasFiles(of other: PhotoIndex) -> Bool {
    files.count == other.files.count && folders == other.folders
      && files.name.elements.storedValues == other.files.name.elements.storedValues
      && files.name.ends.storedValues == other.files.name.ends.storedValues
      && files.folder.storedValues == other.files.folder.storedValues
      && files.photo.storedValues == other.files.photo.storedValues
  }

  /// Copies the shots from an index of the same files.
  mutating func takeShots(of other: PhotoIndex) {
    shots = other.shots
    files.shot = other.files.shot
  }

  /// Returns the files of a file's shot, the representative file first.
  func files(ofShotOf file: FileID) -> [FileID] {
    files.shot[file.row].map { Array(shots[$0]) } ?? [file]
  }

  /// Returns whether a photo is the representative of its shot.
  func standsForShot(_ photo: PhotoID) -> Bool {
    let file = photos.file[photo.row]
    return files.shot[file.row].map { shots[$0].first == file } ?? true
  }

  /// Returns a photo with the best rating of all files of its shot, marked as a favourite if any of
  /// them is one, and with the caption of another file if it has none.
  func ratedPhoto(_ photoID: PhotoID) -> PhotoTable.Photo {
    var photo = photos[photoID]
    photo.facts.rating = rating(ofShotOf: photoID)
    photo.facts.isFavorite = isFavorite(shotOf: photoID)
    if photo.facts.caption == nil, let shot = files.shot[photo.facts.file.row] {
      photo.facts.caption =
        shots[shot].lazy.compactMap { files.photo[$0.row] }
        .compactMap { photos.caption[$0.row] }.first
    }
    return photo
  }

  /// Returns the best rating of all files of a photo's shot.
  func rating(ofShotOf photo: PhotoID) -> Int8? {
    guard let shot = files.shot[photos.file[photo.row].row] else {
      return photos.rating[photo.row]?.stored
    }
    return shots[shot].lazy.compactMap { files.photo[$0.row] }
      .compactMap { photos.rating[$0.row]?.stored }.max()
  }

  /// Returns whether any file of a photo's shot is a favourite.
  func isFavorite(shotOf photo: PhotoID) -> Bool {
    guard let shot = files.shot[photos.file[photo.row].row] else {
      return photos.favorite[photo.row]
    }
    return shots[shot].contains { file in
      files.photo[file.row].map { photos.favorite[$0.row] } ?? false
    }
  }

  /// Returns the most suitable file of a file's shot, the first of several; the file itself if none
  /// is an image or shown.
  func representative(ofShotOf file: FileID) -> (
    file: FileID, suitability: CoverSuitability
  ) {
    guard let shot = files.shot[file.row] else { return (file, suitability(of: file)) }
    var best = (file: file, suitability: CoverSuitability.notShown)
    for other in shots[shot] {
      let suitability = suitability(of: other)
      if suitability > best.suitability { best = (other, suitability) }
      if suitability == .picture { break }
    }
    return best
  }

  /// Returns the most suitable file of a file's shot; `nil` if none is an image or shown.
  func picture(ofShotOf file: FileID) -> FileID? {
    let (file, suitability) = representative(ofShotOf: file)
    return suitability == .notShown ? nil : file
  }

  private func suitability(of file: FileID) -> CoverSuitability {
    CoverSuitability(
      ofFileNamed: name(of: file)[...], in: folder(files.folder[file.row]))
  }
}
