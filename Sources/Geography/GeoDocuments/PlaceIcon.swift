/// Maps kinds of places to OsmAnd's icons and back. The icons are named after its `mx_…` drawings,
/// mostly a key and a value of OpenStreetMap tags.
enum PlaceIcon {
  /// The icon for kinds without one of their own.
  static let standard = "special_star"

  /// The icons by kind, for kinds whose icon has a different name or would be ambiguous.
  private static let icons: [String: String] = [
    "photo": "special_photo_camera", "camera": "special_photo_camera", "home": "special_house",
    "house": "special_house", "favourite": "special_heart", "favorite": "special_heart",
    "flag": "special_flag_start", "marker": "special_marker", "tree": "natural_tree",
    "peak": "natural_peak", "mountain": "natural_peak", "beach": "natural_beach",
    "spring": "natural_spring", "cave": "natural_cave_entrance", "waterfall": "waterway_waterfall",
    "viewpoint": "tourism_viewpoint", "view": "tourism_viewpoint", "museum": "tourism_museum",
    "hotel": "tourism_hotel", "camp site": "tourism_camp_site", "artwork": "tourism_artwork",
    "castle": "historic_castle", "ruins": "historic_ruins", "monument": "historic_monument",
    "cafe": "amenity_cafe", "restaurant": "amenity_restaurant", "bar": "amenity_bar",
    "parking": "amenity_parking", "bench": "amenity_bench", "school": "amenity_school",
    "park": "leisure_park", "playground": "leisure_playground", "bridge": "bridge",
  ]

  private static let prefixes = [
    "amenity_", "tourism_", "natural_", "historic_", "leisure_", "shop_", "waterway_", "man_made_",
    "special_",
  ]

  /// Returns the icon for a kind, ``standard`` if it has none.
  static func icon(kind: String?) -> String {
    kind.flatMap { icons[$0.lowercased()] } ?? standard
  }

  /// Returns the kind for an icon, in words; empty for ``standard``.
  static func kind(icon: String) -> String {
    let icon = PlaceText.line(icon, limit: RecordLimits.kindLength)
    guard icon != standard else { return "" }
    if let kind = kinds[icon] { return kind }
    let name = prefixes.first(where: icon.hasPrefix).map { icon.dropFirst($0.count) } ?? icon[...]
    return String(name.replacing("_", with: " "))
  }

  /// The kind for each icon; of several, the alphabetically first one or an explicit choice.
  private static let kinds: [String: String] = {
    var kinds: [String: String] = [:]
    for (kind, icon) in icons.sorted(by: { $0.key < $1.key }) where kinds[icon] == nil {
      kinds[icon] = kind
    }
    kinds["special_photo_camera"] = "photo"
    kinds["special_house"] = "home"
    kinds["natural_peak"] = "peak"
    kinds["tourism_viewpoint"] = "viewpoint"
    return kinds
  }()

  /// Returns whether a text has the form of OsmAnd's icons; other programs name files of pictures
  /// in elements of the same name.
  static func isIcon(_ text: String) -> Bool {
    let line = PlaceText.line(text, limit: 100)
    return !line.isEmpty
      && line.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
      }
  }

  /// Returns whether a symbol or type is a program's default, which does not describe the place.
  static func isGeneric(_ symbol: String) -> Bool {
    ["", "user", "waypoint", "wpt", "flag, blue", "flag", "dot", "pin", "pin, blue", "default"]
      .contains(PlaceText.line(symbol, limit: 40).lowercased())
  }
}
