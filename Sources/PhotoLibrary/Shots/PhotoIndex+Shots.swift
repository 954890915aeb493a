import PhotoMetadata

extension PhotoIndex {
  /// How many shots were taken with a position: photos, of which those of one shot count once.
  public var shotCount: Int {
    photos.count - shots.files.count { files[Int($0)].photo >= 0 } + shots.count
  }

  /// How many files, with a position or without, are of a shot that another file stands for.
  public var furtherFileCount: Int { shots.files.count - shots.count }

  /// Returns the shot that a photo is of.
  ///
  /// - Precondition: `index` is in `0..<photoCount`.
  public func shot(at index: Int) -> PhotoShot {
    let shot = files[Int(photos[index].file)].shot
    guard shot >= 0 else { return PhotoShot(photo: photo(at: index), otherFiles: []) }
    let members = shots[shot]
    let lead = files[Int(members[members.startIndex])].photo
    return PhotoShot(
      photo: location(of: ratedPhoto(lead)),
      otherFiles: members.dropFirst().map { path(of: files[Int($0)]) })
  }

  /// Finds the shots that have several files.
  mutating func findShots() {
    shots = ShotSearch.shots(of: self)
    for file in files.indices { files[file].shot = -1 }
    for shot in 0..<Int32(shots.count) {
      for file in shots[shot] { files[Int(file)].shot = shot }
    }
  }

  /// Whether the files are those of another index, in the same places.
  func hasFiles(of other: PhotoIndex) -> Bool {
    files.count == other.files.count && folders == other.folders && names == other.names
      && files.indices.allSatisfy {
        files[$0].folder == other.files[$0].folder
          && files[$0].nameStart == other.files[$0].nameStart
          && files[$0].photo == other.files[$0].photo
      }
  }

  /// Takes the shots over from an index of the same files.
  mutating func takeShots(of other: PhotoIndex) {
    shots = other.shots
    for file in files.indices { files[file].shot = other.files[file].shot }
  }

  /// Whether a photo stands for its shot.
  func standsForShot(_ photo: Int32) -> Bool {
    let file = photos[Int(photo)].file
    let shot = files[Int(file)].shot
    return shot < 0 || shots[shot].first == file
  }

  /// A photo with the best rating of all files of its shot, and a favourite where one of them is.
  func ratedPhoto(_ place: Int32) -> Photo {
    var photo = photos[Int(place)]
    let shot = files[Int(photo.file)].shot
    guard shot >= 0 else { return photo }
    let located = shots[shot].lazy.map { files[Int($0)].photo }.filter { $0 >= 0 }
    photo.rating = located.compactMap { photos[Int($0)].rating }.max()
    photo.isFavorite = located.contains { photos[Int($0)].isFavorite }
    return photo
  }

  /// The first file of the shot of a file that is neither RAW nor a movie.
  func picture(ofShotOf file: Int32) -> Int32? {
    let shot = files[Int(file)].shot
    let members = shot < 0 ? [file] : shots[shot]
    return members.first { PhotoFormats.kind(ofName: name(of: files[Int($0)])) == .picture }
  }
}
