import Encodings
import PhotoLibrary

/// The albums in an answer of a server.
struct RemoteAlbums: Sendable {
  /// An album.
  struct Album: Hashable, Sendable {
    /// The id.
    let id: String
    /// The name, at most 100 characters.
    let name: String
  }

  /// The names of an album's members, which differ between programs.
  struct Names {
    let id: String
    let name: String
    /// The member that holds the number of photos.
    let count: String
    /// The members that hold times of changes.
    let times: Set<String>
  }

  /// The albums, in the order of the answer.
  private(set) var albums: [Album] = []
  /// A text of all members that show whether an album changed.
  private(set) var signature = ""

  /// Reads an answer that is a list of albums.
  ///
  /// - Throws: `JSONError` if the answer is not a list.
  init(_ reader: inout JSONReader, _ names: Names) throws(JSONError) {
    guard try reader.peek() == .array else {
      throw JSONError(offset: reader.offset, reason: "it has no list of albums")
    }
    try reader.elements { (reader) throws(JSONError) in
      guard let object = try reader.objectIfAny() else { return }
      try add(object, names)
    }
    try reader.end()
  }

  private mutating func add(_ object: JSONObject, _ names: Names) throws(JSONError) {
    let id = try object.text(names.id) ?? ""
    guard RemotePhoto.isID(id.utf8) else { return }
    let name = String((try object.text(names.name) ?? "").prefix(100))
    signature += "\(id) \(name)"
    // In the order of the answer, so that the signature is that of earlier versions.
    for key in object.keys {
      if key == names.count { signature += " \(try object.number(key) ?? 0)" }
      if names.times.contains(key) { signature += " \(try object.text(key) ?? "")" }
    }
    signature += "\n"
    albums.append(Album(id: id, name: name))
  }
}
