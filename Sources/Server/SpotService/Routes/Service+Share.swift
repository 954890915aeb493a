import CivilTime
import PhotoLibrary
import Towns

extension Service {
  /// Returns the work for creating a picture of two photos.
  func share(_ call: Call) throws(Problem) -> ServiceWork {
    let names = (
      earlier: try call.parameters.required("earlier") { call.parameters.text($0) },
      later: try call.parameters.required("later") { call.parameters.text($0) }
    )
    var shape: ShareWork.Shape?
    if let text = call.parameters.text("shape") {
      guard let known = ShareWork.Shape(rawValue: text) else {
        throw Parameters.bad("shape", "must be landscape or portrait")
      }
      shape = known
    }
    let isAnimated = try call.parameters.flag("animated")
    let library = try sources.library()
    let earlier = try sharedPicture(names.earlier, "earlier", library)
    let later = try sharedPicture(names.later, "later", library)
    let spot = earlier.spot ?? later.spot
    return .share(
      ShareWork(
        earlier: earlier.picture, later: later.picture,
        places: [spot?.placeName, spot?.town?.town.name].compactMap(\.self), shape: shape,
        isAnimated: isAnimated))
  }

  /// Finds a picture of the pair: a photo or a recreation.
  private func sharedPicture(
    _ name: String, _ parameter: String, _ library: ServedLibrary
  ) throws(Problem) -> (picture: ShareWork.Picture, spot: PhotoSpot?) {
    if let number = library.photo(named: name) {
      let shot = library.index.shot(at: Int(number))
      let source = ShareWork.Source.photo(
        files: library.index.libraryFiles(ofPhoto: Int(number)))
      let spot = library.spotPlace(ofPhoto: number).map { library.spots.spots[$0] }
      return (.init(source: source, year: shot.photo.captured?.year), spot)
    }
    if let kept = try sources.recreations().first(where: { $0.id == name }) {
      let spot = kept.photoName.flatMap { library.photo(ofName: $0)?.spot }
      return (.init(source: .recreation(id: name), year: CivilDateTime(kept.time)?.year), spot)
    }
    throw Problem(
      .noSuchPhoto, "There is no photo and no retaken picture with this id.",
      parameter: parameter)
  }
}
