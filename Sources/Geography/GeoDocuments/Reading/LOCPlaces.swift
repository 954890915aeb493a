import Encodings
import Spatial

/// Reads the waypoints of LOC files, which EasyGPS defined and geocaching sites write.
///
/// The text of a waypoint's `name` is the name of the place, and its attribute `id` a code that is
/// unique among the waypoints of the site that `src` names.
enum LOCPlaces {
  static func read(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .loc)
    var source = ""
    try XMLPlaces.forEach("waypoint", in: text, of: &file) {
      node, root, file throws(PlaceFileError) in
      source = root.first { $0.name.local == "src" }?.value ?? source
      try add(node, source, to: &file)
    }
    return file
  }

  private static func add(
    _ node: XMLNode, _ source: String, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    let code = node.child("name")?.attribute("id") ?? ""
    let name = node.text(of: "name")
    let title = PlaceText.line(name, limit: 1).isEmpty ? code : name
    guard let position = node.child("coord"), let latitude = position.attribute("lat"),
      let longitude = position.attribute("lon")
    else { return file.skip(.withoutPosition, title) }
    guard let coordinate = WrittenDegrees.coordinate(latitude, longitude) else {
      return file.skip(.unreadablePosition, title)
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.set(name: title)
    let type = node.text(of: "type")
    if !PlaceIcon.isGeneric(type) { record.set(kind: type) }
    let link = node.text(of: "link")
    record.add(note: link)
    if !link.contains(code), !title.contains(code) { record.add(note: code) }
    if !source.isEmpty, !code.isEmpty { record.sourceID = "\(source)/\(code)" }
    record.unread = node.children
      .filter { !["name", "coord", "type", "link"].contains($0.name.local) && !$0.isEmpty }
      .map(\.name.local)
    try file.add(record)
  }
}
