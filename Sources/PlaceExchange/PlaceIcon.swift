/// OsmAnd's icons for kinds of places (names of its `mx_…` drawings, which are mostly a key and a
/// value of OpenStreetMap's tags), and symbols that say nothing of the kind.
enum PlaceIcon {
  /// The icon of a place whose kind has none of its own.
  static let standard = "special_star"

  /// The kinds in words that have an icon by another name, or that would be ambiguous.
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

  /// Returns the icon for a kind.
  static func icon(kind: String?) -> String {
    kind.flatMap { icons[$0.lowercased()] } ?? standard
  }

  /// Returns the kind in words that an icon stands for; empty for the standard one.
  static func kind(icon: String) -> String {
    let icon = PlaceText.line(icon, limit: RecordLimits.kindLength)
    guard icon != standard else { return "" }
    if let kind = kinds[icon] { return kind }
    let name = prefixes.first(where: icon.hasPrefix).map { icon.dropFirst($0.count) } ?? icon[...]
    return String(name.replacing("_", with: " "))
  }

  /// The first kind in order for each icon.
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

  /// Whether a symbol or type is what programs write where none was chosen.
  static func isGeneric(_ symbol: String) -> Bool {
    ["", "user", "waypoint", "wpt", "flag, blue", "flag", "dot", "pin", "pin, blue", "default"]
      .contains(PlaceText.line(symbol, limit: 40).lowercased())
  }
}
