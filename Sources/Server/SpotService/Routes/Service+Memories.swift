import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap

extension Service {
  /// Answers with `week unseen album`: photos to look back at where no spot is near.
  ///
  /// The week is that around the day `around`; the other filters hold for all three.
  func memories(_ call: Call) throws(Problem) -> ServiceResponse {
    var filter = try call.parameters.filter()
    guard filter.around != nil else { throw Parameters.bad("around", "is missing") }
    let library = try sources.library()
    let memories = Memories(library: library, now: call.now)
    let week = try spotAnswer(library, filter, call.now)
    filter.around = nil
    let all = try spotAnswer(library, filter, call.now)
    let album = memories.newestAlbum(filter)
    return ServiceResponse { writer in
      writer.object { writer in
        writer.array("week") { writer in
          for (place, photo) in memories.ofWeek(week.mapped) {
            writer.object { writer in
              writer.key("spot")
              week.write(place, to: &writer)
              writer.key("photo")
              PhotoAnswer(library: library).write(
                photo, spotID: library.spots.spots[place].id, to: &writer)
            }
          }
        }
        writer.object("unseen") { writer in
          writer.member("zoom", Memories.areaZoom)
          writer.array("items") { writer in
            for (cluster, last) in memories.unseen(filter) {
              writer.object { writer in
                writer.member("lastCaptured", last.localISO8601)
                writer.key("pin")
                all.write(cluster, to: &writer)
              }
            }
          }
        }
        writer.key("album")
        if let album { album.write(all, to: &writer) } else { writer.null() }
      }
    }
  }
}

extension Memories.Album {
  /// Writes the album with the known members of `name title photos box spot items`: the spot is
  /// that of the newest photo.
  func write(_ all: SpotAnswer, to writer: inout JSONWriter) {
    let library = all.library
    writer.object { writer in
      writer.member("name", name)
      writer.member("title", title)
      writer.member("photos", photoCount)
      writer.key("box")
      if let box = spots.box { box.write(to: &writer) } else { writer.null() }
      if let place = newest.first.flatMap(library.spotPlace(ofPhoto:)) {
        writer.key("spot")
        all.write(place, to: &writer)
      }
      writer.array("items") { writer in
        for photo in newest {
          let spotID = library.spotPlace(ofPhoto: photo).map { library.spots.spots[$0].id }
          PhotoAnswer(library: library).write(photo, spotID: spotID, to: &writer)
        }
      }
    }
  }
}
