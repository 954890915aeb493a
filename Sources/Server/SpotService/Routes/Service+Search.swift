import Encodings
import SpotMap

extension Service {
  /// Answers with what a text may mean: `{items}`, the items of one group after those of the other.
  func search(_ call: Call) throws(Problem) -> ServiceResponse {
    let parameters = call.parameters
    let text = try parameters.required("query") { name throws(Problem) in parameters.text(name) }
    guard text.utf8.count <= 200 else { throw Parameters.bad("query", "is too long") }
    let library = try sources.library()
    let suggestions = Suggestions(
      text, in: library, near: try parameters.coordinate("near"),
      limit: try parameters.integer("limit", in: 1...20) ?? 5)
    let groups = suggestions.groups(try readablePlaces().all)
    return ServiceResponse { writer in
      writer.object { writer in
        writer.array("items") { writer in
          for group in groups {
            for item in group.items { item.write(group.name, library, to: &writer) }
          }
        }
      }
    }
  }

  /// Answers with the albums, that with the latest photo first.
  func albums(_ call: Call) throws(Problem) -> ServiceResponse {
    let library = try sources.library()
    return try list(call, library.albums) { album, writer in
      writer.object { writer in
        writer.member("name", album.name)
        AlbumAnswer.write(album, library, to: &writer)
      }
    }
  }
}
