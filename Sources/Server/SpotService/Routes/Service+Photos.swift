import CivilTime
public import Encodings
import PhotoLibrary
import SpotMap
import SystemPackage

extension Service {
  /// Answers with the description of a photo.
  func photo(_ call: Call) throws(Problem) -> ServiceResponse {
    let library = try sources.library()
    let number = try photo(named: call.variable, library)
    let spotID = library.spotPlace(ofPhoto: number).map { library.spots.spots[$0].id }
    return ServiceResponse { writer in
      PhotoAnswer(library: library).write(number, spotID: spotID, to: &writer)
    }
  }

  /// Returns the work for creating a picture of a photo.
  func picture(_ call: Call) throws(Problem) -> ServiceWork {
    let size = try call.parameters.integer("size", in: 96...2048) ?? 512
    var shape = PictureWork.Shape.whole
    if let text = call.parameters.text("shape") {
      guard let known = PictureWork.Shape(rawValue: text) else {
        throw Parameters.bad("shape", "must be square or whole")
      }
      shape = known
    }
    let library = try sources.library()
    let number = try photo(named: call.variable, library)
    return .picture(
      PictureWork(
        name: call.variable, files: library.index.libraryFiles(ofPhoto: Int(number)),
        size: size, shape: shape, accept: call.request.field("Accept") ?? ""))
  }

  /// Returns the work for sending the file of a photo.
  func original(_ call: Call) throws(Problem) -> ServiceWork {
    let library = try sources.library()
    let number = try photo(named: call.variable, library)
    return .original(files: library.index.libraryFiles(ofPhoto: Int(number)))
  }

  func photo(named name: String, _ library: ServedLibrary) throws(Problem) -> Int32 {
    guard let number = library.photo(named: name) else {
      throw Problem(.noSuchPhoto, "The index has no photo with this id, or the file changed.")
    }
    return number
  }

  // MARK: - Pictures taken again

  /// Answers with the recreations.
  func recreations(_ call: Call) throws(Problem) -> ServiceResponse {
    try list(call, try sources.recreations()) { $0.write(to: &$1) }
  }

  /// Answers with one recreation.
  func recreation(_ call: Call) throws(Problem) -> ServiceResponse {
    let recreation = try recreation(named: call)
    return ServiceResponse { recreation.write(to: &$0) }
  }

  func recreation(named call: Call) throws(Problem) -> Recreation {
    let found = try sources.recreations().first { $0.id == call.variable }
    guard let found else {
      throw Problem(.notFound, "There is no retaken picture with this id.")
    }
    return found
  }

  /// Returns the work for storing a recreation.
  func keepRecreation(_ call: Call) throws(Problem) -> ServiceWork {
    let name = try call.parameters.required("photo") { call.parameters.text($0) }
    let score = try call.parameters.number("score", in: 0...1)
    let taken = try call.parameters.captureTime("time")
    // A JPEG file begins with SOI and the start of another marker (ITU T.81, B.1.1.3).
    guard call.request.body.starts(with: [0xFF, 0xD8, 0xFF]) else {
      throw Problem(.noPicture, "A picture must be sent as JPEG.")
    }
    let library = try sources.library()
    let number = try photoTakenAgain(named: name, call, library)
    return .keepRecreation(
      jpeg: call.request.body, ofPhoto: library.name(ofPhoto: number),
      files: library.index.shot(at: Int(number)).files, score: score, taken: taken)
  }

  /// Returns the old photo of a picture that was taken again.
  ///
  /// The id of a photo changes with its file, which may happen between the capture and the upload.
  /// Then it is the photo of the same spot with the same file name.
  private func photoTakenAgain(
    named name: String, _ call: Call, _ library: ServedLibrary
  ) throws(Problem) -> Int32 {
    if let known = library.photo(named: name) { return known }
    if let spotID = call.parameters.text("spot"), let fileName = call.parameters.text("name"),
      let place = library.spots.place(ofID: spotID)
    {
      let photos = library.spots(passing: SpotFilter()).photos(ofPlace: place)
      let found = photos.first {
        NameText.text(of: library.index.shot(at: Int($0)).photo.path.name) == fileName
      }
      if let found { return found }
    }
    throw Problem(.noSuchPhoto, "The index has no photo with this id, or the file changed.")
  }

  /// Creates the response to a recreation that was stored.
  public func kept(_ recreation: Recreation) -> ServiceResponse {
    var response = ServiceResponse(status: 201) { recreation.write(to: &$0) }
    response.fields.append(("Location", ServiceRoute.base + "recreations/" + recreation.id))
    return response
  }
}

extension Recreation {
  /// Writes the recreation with the known members of `id photo spot time score name`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("photo", photoName)
      writer.member("spot", spotID)
      writer.member("time", time.iso8601)
      writer.member("score", score)
      writer.member("name", fileName)
    }
  }
}
