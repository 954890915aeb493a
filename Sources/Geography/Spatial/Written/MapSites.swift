import Encodings

/// A part of a map's link that may contain a position.
struct MapLinkRule: Sendable {
  enum Kind: Sendable {
    /// The place that the link names.
    case place
    /// The end of a route.
    case end
    /// The middle of the map.
    case middle
  }

  let kind: Kind
  var isLongitudeFirst = false
  /// Returns the texts that may be positions, the decisive one first.
  let texts: @Sendable (MapLink) -> [String]

  static func place(_ names: String...) -> MapLinkRule { parameters(.place, names) }
  static func end(_ names: String...) -> MapLinkRule { parameters(.end, names) }
  static func middle(_ names: String...) -> MapLinkRule { parameters(.middle, names) }

  /// The same parts with the longitude first.
  var longitudeFirst: MapLinkRule {
    MapLinkRule(kind: kind, isLongitudeFirst: true, texts: texts)
  }

  private static func parameters(_ kind: Kind, _ names: [String]) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      names.compactMap { link.value($0).map { $0.replacing("~", with: ",") } }
    }
  }

  /// A latitude and a longitude in two parameters.
  static func two(_ kind: Kind, _ latitude: String, _ longitude: String) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      guard let latitude = link.value(latitude), let longitude = link.value(longitude) else {
        return []
      }
      return ["\(latitude); \(longitude)"]
    }
  }

  /// The last of the points of a route in one parameter.
  static func last(_ names: String..., separator: String) -> MapLinkRule {
    MapLinkRule(kind: .end) { link in
      names.compactMap { name in
        link.value(name).flatMap { $0.split(separator: separator).last.map(String.init) }
      }
    }
  }

  /// The part of the path after one with a given name.
  static func path(_ kind: Kind, after names: String...) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      let segments = link.segments
      guard let index = segments.firstIndex(where: names.contains), index + 1 < segments.count
      else { return [] }
      return [segments[index + 1]]
    }
  }

  /// `@48.8584,2.2945,17z` in the path.
  static let atSign = MapLinkRule(kind: .middle) { link in
    link.segments.filter { $0.hasPrefix("@") }.map(firstTwo)
  }

  /// `map=17/48.8584/2.2945` in the fragment, or the same without `map=`.
  static let fragment = MapLinkRule(kind: .middle) { link in
    let parts = link.fragment.split(separator: "&")
    let map = parts.first { $0.hasPrefix("map=") }?.dropFirst(4) ?? parts.first
    let numbers = map?.split(separator: "/") ?? []
    return numbers.count >= 3 ? ["\(numbers[1]), \(numbers[2])"] : []
  }

  /// A part that names an object by its number.
  static func object(_ names: String...) -> MapLinkRule {
    MapLinkRule(kind: .place) { link in
      link.segments.contains(where: names.contains) ? ["object"] : []
    }
  }

  /// Returns the first two of the numbers in a text such as `@48.8584,2.2945,17z`.
  static func firstTwo(_ text: String) -> String {
    text.drop { $0 == "@" }.split(separator: ",").prefix(2).joined(separator: ",")
  }
}

/// A map website.
struct MapSite: Sendable {
  let hosts: [String]
  /// Whether its coordinates are shifted against WGS 84, unless the link says otherwise.
  var isShifted = false
  /// Beginnings of paths of short links.
  var shortPaths: [String] = []
  /// The parts of links, the most decisive first: what names a place goes before the map.
  var rules: [MapLinkRule] = []

  func isShort(_ link: MapLink) -> Bool {
    shortPaths.contains { link.path.hasPrefix($0) && link.path.utf8.count > $0.utf8.count }
  }
}

/// The map websites whose links are read. Each is one entry.
enum MapSites {
  /// The schemes of links between programs, with the site whose links they resemble.
  static let schemes: [(scheme: String, host: String)] = [
    ("comgooglemaps://", "google.com/"), ("google.navigation:", "google.com/?"),
    ("maps://", "maps.apple.com/"), ("waze://", "waze.com/"), ("om://", "omaps.app/"),
    ("yandexmaps://", "yandex.com/"), ("bingmaps:", "bing.com/maps"),
    ("osmand.api://", "osmand.net/"),
  ]

  static func isKnown(host: String) -> Bool { !host.isEmpty && site(of: host) != nil }

  /// Returns the site of a host: `google` stands for Google in every country.
  static func site(of host: String) -> MapSite? {
    let labels = host.split(separator: ".")
    return all.first { site in
      site.hosts.contains { known in
        if known.hasSuffix(".*") {
          let name = known.dropLast(2)
          return labels.count >= 2 && labels.dropLast().suffix(2).contains { $0 == name }
        }
        return host == known || host.hasSuffix("." + known)
      }
    }
  }

  private static let all: [MapSite] = [
    MapSite(
      hosts: [
        "maps.app.goo.gl", "goo.gl", "g.co", "her.is", "binged.it", "bit.ly", "t.co", "tinyurl.com",
        "j.mp", "is.gd", "go.2gis.com", "surl.amap.com", "j.map.baidu.com", "maps.apple",
        "yandex.page.link", "naver.me", "kko.to", "amap.page.link", "share.google",
      ], shortPaths: ["/"]),
    MapSite(
      hosts: ["openstreetmap.org", "osm.org", "openstreetmap.de", "opentopomap.org"],
      rules: [
        .two(.place, "mlat", "mlon"), .place("marker"), .last("route", separator: ";"), .end("to"),
        .place("query"), shortMarker, .object("node", "way", "relation", "note", "changeset"),
        .two(.middle, "lat", "lon"), .fragment, box, shortCode,
      ]),
    MapSite(hosts: ["google.*"], shortPaths: ["/maps/app/"], rules: googleRules),
    MapSite(
      hosts: ["maps.apple.com"], shortPaths: ["/p/"],
      rules: [
        .end("daddr", "destination"), .place("coordinate"), applePin, .place("q", "query"),
        .place("address", "name"), .middle("center", "sll", "near", "ll"),
      ]),
    MapSite(
      hosts: ["plus.codes"],
      rules: [MapLinkRule(kind: .place) { $0.segments.filter { !$0.isEmpty } }]),
    MapSite(
      hosts: ["bing.*"],
      rules: [
        bingRoute, bingPoint, .place("where1", "q", "ss"),
        .middle("cp"),
      ]),
    MapSite(
      hosts: ["here.com"], shortPaths: ["/p/"],
      rules: [
        hereRoute,
        MapLinkRule(kind: .place) { link in
          let segments = link.segments
          guard let index = segments.firstIndex(of: "l"), index + 1 < segments.count else {
            return []
          }
          return [MapLinkRule.firstTwo(segments[index + 1])]
        },
        MapLinkRule(kind: .middle) { ($0.value("map").map { [MapLinkRule.firstTwo($0)] }) ?? [] },
      ]),
    MapSite(
      hosts: ["waze.com"],
      rules: [.end("to"), .place("ll", "latlng"), .place("q"), .middle("center")]),
    MapSite(
      hosts: ["osmand.net"],
      rules: [
        .end("end", "finish"), .place("pin"), .two(.place, "lat", "lon"), .place("name", "q"),
        .fragment,
      ]),
    MapSite(
      hosts: ["omaps.app", "ge0.me"], rules: [.place("ll"), .place("q", "n"), .middle("cll")]),
    MapSite(
      hosts: ["komoot.com", "komoot.de"],
      rules: [
        .place("p[1][loc]", "p[0][loc]"), .object("tour", "smarttour", "highlight"), .atSign,
      ]),
    MapSite(
      hosts: ["yandex.*", "ya.ru"], shortPaths: ["/maps/-/"],
      rules: [
        .last("rtext", separator: "~"),
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          link.value("pt").map { [firstPoint($0)] } ?? []
        }, .place("whatshere[point]", "poi[point]").longitudeFirst, .place("text"),
        .object("org"), .middle("ll").longitudeFirst,
      ]),
    MapSite(
      hosts: ["mapy.cz", "mapy.com"], shortPaths: ["/s/"],
      rules: [
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          link.value("source") == "coor" ? link.value("id").map { [$0] } ?? [] : []
        },
        .place("q", "id"), .end("end").longitudeFirst, .place("center").longitudeFirst,
        .two(.middle, "y", "x"),
      ]),
    MapSite(
      hosts: ["2gis.*"],
      rules: [
        MapLinkRule(kind: .end, isLongitudeFirst: true) { link in
          guard let index = link.segments.firstIndex(of: "points"),
            index + 1 < link.segments.count
          else { return [] }
          return link.segments[index + 1].split(separator: "|").last.map { [String($0)] } ?? []
        },
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          guard let index = link.segments.firstIndex(of: "geo") else { return [] }
          return link.segments[(index + 1)...].reversed()
        },
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          link.value("m").map { [String($0.prefix { $0 != "/" })] } ?? []
        },
      ]),
    MapSite(
      hosts: ["amap.com", "gaode.com"], isShifted: true,
      rules: [.end("to").longitudeFirst, .place("position").longitudeFirst]),
    MapSite(
      hosts: ["map.baidu.com", "api.map.baidu.com", "map.qq.com"], isShifted: true,
      rules: [.end("destination"), .place("location"), .place("query"), .middle("center")]),
    MapSite(
      hosts: ["geohack.toolforge.org", "tools.wmflabs.org"],
      rules: [
        MapLinkRule(kind: .place) { link in
          guard let written = link.value("params") else { return [] }
          let fields = written.split { $0 == "_" || $0 == " " }
          let end = fields.firstIndex { $0.contains(":") } ?? fields.endIndex
          return [fields[..<end].joined(separator: " ")]
        }
      ]),
    MapSite(
      hosts: ["map.kakao.com"],
      rules: [
        MapLinkRule(kind: .place) { link in
          link.segments.filter { $0.contains(",") }
            .map { $0.split(separator: ",").suffix(2).joined(separator: ",") }
        }
      ]),
    MapSite(
      hosts: ["windy.com"],
      rules: [
        MapLinkRule(kind: .middle) { link in
          link.query.first.map { [MapLinkRule.firstTwo($0.name)] } ?? []
        }
      ]),
    MapSite(
      hosts: ["mapillary.com", "umap.openstreetmap.fr", "openseamap.org", "caltopo.com"],
      rules: [
        .two(.middle, "lat", "lng"), .two(.middle, "lat", "lon"), .middle("ll"), .fragment,
      ]),
  ]

  // MARK: - Parts of single sites

  private static let googleRules: [MapLinkRule] = [
    MapLinkRule(kind: .end) { link in
      // `/maps/dir/START/…/END/@…/data=…`, where an end is a position or a name.
      let segments = link.segments
      guard let index = segments.firstIndex(of: "dir") else { return [] }
      let points = segments[(index + 1)...].prefix { !$0.hasPrefix("@") && !$0.hasPrefix("data=") }
      guard let end = points.last(where: { !$0.isEmpty }) else { return [] }
      // The position of a named end is the last one in the data.
      let fields = link.path.split(separator: "!")
      let pairs = zip(fields, fields.dropFirst()).filter {
        $0.hasPrefix("1d") && $1.hasPrefix("2d")
      }
      let named = pairs.last.map { "\($1.dropFirst(2)), \($0.dropFirst(2))" }
      return [end] + (named.map { [$0] } ?? [])
    },
    MapLinkRule(kind: .end) { link in
      (link.value("daddr")?.split(separator: " to:").last).map { [String($0)] } ?? []
    },
    .end("destination"),
    MapLinkRule(kind: .place) { link in
      // `!3d48.8584!4d2.2945`.
      let fields = link.path.split(separator: "!")
      return zip(fields, fields.dropFirst())
        .filter { $0.hasPrefix("3d") && $1.hasPrefix("4d") }
        .map { "\($0.dropFirst(2)), \($1.dropFirst(2).prefix { $0 != "/" })" }.reversed()
    },
    .place("viewpoint", "cbll"),
    MapLinkRule(kind: .place) { link in
      // `Name@48.8584,2.2945`.
      ["q", "query"].compactMap { link.value($0) }.map { text in
        text.lastIndex(of: "@").map { String(text[$0...].dropFirst()) } ?? text
      }
    }, .path(.place, after: "place", "search"), .path(.place, after: "q"), .place("markers"),
    MapLinkRule(kind: .place) { link in
      link.value("ftid") ?? link.value("cid") == nil ? [] : ["object"]
    }, .atSign, .middle("ll", "center", "sll"),
    MapLinkRule(kind: .middle) { link in
      // An embedded map: `pb=!1m14!…!2d2.2945!3d48.8584`.
      let fields = (link.value("pb") ?? "").split(separator: "!")
      return zip(fields, fields.dropFirst())
        .filter { $0.hasPrefix("2d") && $1.hasPrefix("3d") }
        .map { "\($1.dropFirst(2)), \($0.dropFirst(2))" }
    },
  ]

  /// The place of a pin: `ll` beside a label, but not beside a position in `q`.
  private static let applePin = MapLinkRule(kind: .place) { link in
    link.value("ll").map { [$0] } ?? []
  }

  /// `rtp=pos.48.9_2.4~pos.48.8584_2.2945`.
  private static let bingRoute = MapLinkRule(kind: .end) { link in
    guard let end = link.value("rtp")?.split(separator: "~").last else { return [] }
    return [end.replacing("pos.", with: "").split(separator: "_").prefix(2).joined(separator: ",")]
  }

  /// `sp=point.48.8584_2.2945_Tower`.
  private static let bingPoint = MapLinkRule(kind: .place) { link in
    guard let written = link.value("sp"), written.hasPrefix("point.") else { return [] }
    return [written.dropFirst(6).split(separator: "_").prefix(2).joined(separator: ",")]
  }

  /// `/directions/drive/Start:48.9,2.4/End:48.8584,2.2945`.
  private static let hereRoute = MapLinkRule(kind: .end) { link in
    guard link.segments.contains(where: { $0 == "directions" || $0 == "r" }) else { return [] }
    let end = link.segments.last { $0.contains(",") } ?? ""
    return [MapLinkRule.firstTwo(String(end.split(separator: ":").last ?? ""))]
  }

  /// The first of the points in `2.2945,48.8584,pm2~2.3,48.9`.
  private static func firstPoint(_ text: String) -> String {
    MapLinkRule.firstTwo(String(text.prefix { $0 != "~" }))
  }

  /// The middle of `bbox=west,south,east,north`.
  private static let box = MapLinkRule(kind: .middle) { link in
    let edges = (link.value("bbox") ?? "").split(separator: ",")
      .compactMap { AngleNotation.decimal($0) }
    guard edges.count == 4 else { return [] }
    return [
      "\(Degrees.text((edges[1] + edges[3]) / 2)), \(Degrees.text((edges[0] + edges[2]) / 2))"
    ]
  }

  /// A marker at the position of a short code.
  private static let shortMarker = MapLinkRule(kind: .place) { link in
    link.value("m") == nil ? [] : shortCode.texts(link)
  }

  /// The position in `/go/0EEQjE==`: each character holds three bits of the longitude and of the
  /// latitude (wiki.openstreetmap.org/wiki/Shortlink).
  private static let shortCode = MapLinkRule(kind: .middle) { link in
    guard let index = link.segments.firstIndex(of: "go"), index + 1 < link.segments.count else {
      return []
    }
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@")
    let code = link.segments[index + 1].replacing("~", with: "@").prefix { $0 != "-" && $0 != "=" }
    let digits = code.compactMap { alphabet.firstIndex(of: $0) }
    guard digits.count == code.count, (2...10).contains(digits.count) else { return [] }
    var (x, y, size) = (0.0, 0.0, 1.0)
    for digit in digits {
      for shift in [5, 3, 1] {
        size /= 2
        if digit >> shift & 1 == 1 { x += size }
        if digit >> (shift - 1) & 1 == 1 { y += size }
      }
    }
    let longitude = Degrees.text((x + size / 2) * 360 - 180)
    return ["\(Degrees.text((y + size / 2) * 180 - 90)), \(longitude)"]
  }
}
