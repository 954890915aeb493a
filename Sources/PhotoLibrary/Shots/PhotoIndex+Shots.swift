import PhotoMetadata

extension PhotoIndex {
  /// How many shots were taken with a position: photos, of which those of one shot count once.
  public var shotCount: Int {
    photos.count - shots.files.count { files.photo[$0.row] != nil } + shots.count
  }

  /// How many files, with a position or without, are of a shot that another file stands for.
  public var furtherFileCount: Int { shots.files.count - shots.count }

  /// Returns the shot that a photo is of.
  ///
  /// - Precondition: `index` is in `0..<photoCount`.
  public func shot(at index: Int) -> PhotoShot {
    let members = files(ofShotOf: photos.file[index])
    let lead = members.first.flatMap { files.photo[$0.row] } ?? PhotoID(index)
    return PhotoShot(
      photo: location(of: ratedPhoto(lead)), otherFiles: members.dropFirst().map { path(of: $0) })
  }

  /// Finds the shots that have several files.
  mutating func findShots() {
    shots = ShotSearch.shots(of: self)
    tieFilesToShots()
  }

  /// Notes for each file its shot.
  mutating func tieFilesToShots() {
    var shotOfFile = Array(repeating: ShotID?.none.stored, count: files.count)
    for shot in shots.ids {
      for file in shots[shot] { shotOfFile[file.row] = shot.stored }
    }
    files.shot = Column(own: shotOfFile)
  }

  /// Whether the files are those of another index, in the same places.
  func hasFiles(of other: PhotoIndex) -> Bool {
    files.count == other.files.count && folders == other.folders
      && files.name.elements.storedValues == other.files.name.elements.storedValues
      && files.name.ends.storedValues == other.files.name.ends.storedValues
      && files.folder.storedValues == other.files.folder.storedValues
      && files.photo.storedValues == other.files.photo.storedValues
  }

  /// Takes the shots over from an index of the same files.
  mutating func takeShots(of other: PhotoIndex) {
    shots = other.shots
    files.shot = other.files.shot
  }

  /// The files of the shot of a file, that which stands for it first.
  func files(ofShotOf file: FileID) -> [FileID] {
    files.shot[file.row].map { Array(shots[$0]) } ?? [file]
  }

  /// Whether a photo stands for its shot.
  func standsForShot(_ photo: PhotoID) -> Bool {
    let file = photos.file[photo.row]
    return files.shot[file.row].map { shots[$0].first == file } ?? true
  }

  /// A photo with the best rating of all files of its shot, and a favourite where one of them is.
  func ratedPhoto(_ photoID: PhotoID) -> PhotoTable.Photo {
    var photo = photos[photoID]
    photo.rating = rating(ofShotOf: photoID)
    photo.isFavorite = isFavorite(shotOf: photoID)
    return photo
  }

  /// The best rating of all files of the shot of a photo.
  func rating(ofShotOf photo: PhotoID) -> Int8? {
    guard let shot = files.shot[photos.file[photo.row].row] else {
      return photos.rating[photo.row]?.stored
    }
    return shots[shot].lazy.compactMap { files.photo[$0.row] }
      .compactMap { photos.rating[$0.row]?.stored }.max()
  }

  /// Whether a file of the shot of a photo is a favourite.
  func isFavorite(shotOf photo: PhotoID) -> Bool {
    guard let shot = files.shot[photos.file[photo.row].row] else {
      return photos.favorite[photo.row]
    }
    return shots[shot].contains { file in
      files.photo[file.row].map { photos.favorite[$0.row] } ?? false
    }
  }

  /// The first file of the shot of a file that is neither RAW nor a movie.
  func picture(ofShotOf file: FileID) -> FileID? {
    guard let shot = files.shot[file.row] else { return isPicture(file) ? file : nil }
    return shots[shot].first(where: isPicture)
  }

  private func isPicture(_ file: FileID) -> Bool {
    PhotoFormats.kind(ofName: name(of: file)) == .picture
  }
}
