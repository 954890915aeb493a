import CivilTime
import Encodings
import KeptPlaces
import Spatial
import SystemPackage

extension FuzzTarget {
  /// The document of places, which may come from another machine.
  static let places = FuzzTarget("places", seeds: Seeds.places) { content in
    let document: PlaceDocument
    do throws(JSONError) { document = try PlaceDocument(json: content) } catch { return nil }
    let written = document.json
    let again = try PlaceDocument(json: written)
    guard again == document, again.json == written else { return "other places after writing" }
    var merged = document
    merged.merge(again)
    guard merged == document else { return "other places after merging the same" }
    let now = Instant(secondsSince1970: 1_795_176_000)
    for place in document.places {
      guard place.coordinate.latitude.magnitude <= 90, place.coordinate.longitude.magnitude <= 180,
        place.alertRadiusMeters.map({ (10...5000).contains($0) }) ?? true,
        place.photos.allSatisfy(\.isAbsolute)
      else { return "a place that none can be" }
    }
    guard document.duplicates(within: 15).count <= document.count else {
      return "more duplicates than places"
    }
    // Every place in a document can be removed, restored and changed.
    if let place = document.places.first, place.changedTime.millisecondsSince1970 < 1 << 51 {
      try merged.remove(place.id, now: now)
      guard merged[place.id] == nil else { return "a place that cannot be removed" }
      let end = max(now, place.changedTime)
      guard try merged.restore(place.id, now: end).fields == place.fields else {
        return "another place when it is restored"
      }
      try merged.change(place.id, now: now) { $0.name = "x" }
    }
    merged.dropRemoved(now: now)
    return nil
  }
}

extension Seeds {
  /// Documents with all members, removed elements, and a place of which only the removal is
  /// recorded.
  static let places = [
    Array(
      """
      {"format":"photospots-places","version":1,"places":[
      {"id":"0123456789abcdef","created":1795176000000,"latitude":48.8584,"longitude":-2.2945,\
      "name":"Tower \u{EFFF}","kind":"bench","radius":250.5,"spot":"47xjsbmtz9sp","notes":[{"id":"a",\
      "date":1795176000000,"text":"at dusk\\n"},{"id":"b","removed":true,"time":5}],"photos":[\
      "/a.jpg",{"path":"/b\\udce9.jpg","time":7}],"collections":["Paris",{"name":"Rome","removed":true,\
      "time":9}],"times":{"position":1,"name":2,"kind":3,"radius":4,"spot":5,"removed":6}},
      {"id":"1123456789abcdef","created":0,"removed":true,"times":{"removed":1795176000000}}]}
      """.utf8)
  ]
}
