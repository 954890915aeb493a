import Encodings

/// The parts of links of single sites.
extension MapSites {
  static let googleRules: [MapLinkRule] = [
    MapLinkRule(kind: .end) { link in
      // `/maps/dir/START/…/END/@…/data=…`, where an end is a position or a name.
      let segments = link.segments
      guard let index = segments.firstIndex(of: "dir") else { return [] }
      let points = segments[(index + 1)...].prefix { !$0.hasPrefix("@") && !$0.hasPrefix("data=") }
      guard points.contains(where: { !$0.isEmpty }) else { return [] }
      guard let end = points.dropFirst().last(where: { !$0.isEmpty }) else {
        return [MapLinkRule.noEnd]
      }
      // The position of a named end is the last one in the data.
      let fields = link.path.split(separator: "!")
      let pairs = zip(fields, fields.dropFirst()).filter {
        $0.hasPrefix("1d") && $1.hasPrefix("2d")
      }
      let named = pairs.last.map { "\($1.dropFirst(2)), \($0.dropFirst(2))" }
      // A group after the last position is an end without one.
      let last = fields.lastIndex { $0.hasPrefix("1d") } ?? 0
      let isOfEnd = !fields[min(last, fields.count)...].contains { $0.hasPrefix("1m") }
      return [end] + (named.map { isOfEnd ? [$0] : [] } ?? [])
    },
    MapLinkRule(kind: .end) { link in
      (link.value("daddr")?.split(separator: " to:").last).map { [String($0)] } ?? []
    },
    .end("destination"), .start("origin", "saddr"),
    MapLinkRule(kind: .place) { link in
      // `!3d48.8584!4d2.2945`.
      let fields = link.path.split(separator: "!")
      return zip(fields, fields.dropFirst())
        .filter { $0.hasPrefix("3d") && $1.hasPrefix("4d") }
        .map { "\($0.dropFirst(2)), \($1.dropFirst(2).prefix { $0 != "/" })" }.reversed()
    },
    .place("viewpoint", "cbll", "location"),
    MapLinkRule(kind: .place) { link in
      // Old links have millionths of degrees there, and the position in `ll`.
      ["latlng"].compactMap { link.value($0) }.filter { $0.contains(".") }
    },
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
  static let applePin = MapLinkRule(kind: .place) { link in
    link.value("ll").map { [$0] } ?? []
  }

  /// `rtp=pos.48.9_2.4~pos.48.8584_2.2945`.
  static let bingRoute = MapLinkRule(kind: .end) { link in
    guard let end = link.value("rtp")?.split(separator: "~").last else { return [] }
    return [end.replacing("pos.", with: "").split(separator: "_").prefix(2).joined(separator: ",")]
  }

  /// `sp=point.48.8584_2.2945_Tower`.
  static let bingPoint = MapLinkRule(kind: .place) { link in
    guard let written = link.value("sp"), written.hasPrefix("point.") else { return [] }
    return [written.dropFirst(6).split(separator: "_").prefix(2).joined(separator: ",")]
  }

  /// `/p/s-…` and `/p/e-…`: an encoded text with the position of a place.
  static let herePlace = MapLinkRule(kind: .place) { link in
    link.segments.filter { $0.hasPrefix("s-") || $0.hasPrefix("e-") }.compactMap { segment in
      let code = segment.dropFirst(2).replacing("-", with: "+").replacing("_", with: "/")
      guard let bytes = Base64.bytes(code.replacing(" ", with: "+")) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      func number(_ names: [String]) -> Substring? {
        for name in names {
          guard let found = text.firstRange(of: name) else { continue }
          return text[found.upperBound...].prefix { $0.isNumber || $0 == "." || $0 == "-" }
        }
        return nil
      }
      guard let latitude = number(["lat=", "\"latitude\":"]),
        let longitude = number(["lon=", "\"longitude\":"])
      else { return nil }
      return "\(latitude); \(longitude)"
    }
  }

  /// `/ul/h` and a geohash, or the geohash in `h`.
  static let wazeHash = MapLinkRule(kind: .place) { link in
    let hash = link.value("h")
    let paths = link.segments.filter { $0.hasPrefix("h") && $0.utf8.count > 5 }
    return (hash.map { [$0] } ?? paths.map { String($0.dropFirst()) }).compactMap {
      PointCodes.geohash($0)
    }
  }

  /// `/Umse5f0H8a/Name`: a position in ten characters.
  static let pointCode = MapLinkRule(kind: .place) { link in
    link.segments.first { !$0.isEmpty }.flatMap { PointCodes.ge0($0) }.map { [$0] } ?? []
  }

  /// `p[0][loc]=48.9,2.4&p[1][loc]=48.8584,2.2945`.
  static let komootRoute = MapLinkRule(kind: .end) { link in
    let points = link.query.filter { $0.name.hasPrefix("p[") && $0.name.hasSuffix("][loc]") }
    guard points.count > 1 else { return [] }
    let end = points.max {
      (Int($0.name.dropFirst(2).dropLast(6)) ?? 0) < (Int($1.name.dropFirst(2).dropLast(6)) ?? 0)
    }
    return end.map { [$0.value] } ?? []
  }

  /// `/directions/drive/Start:48.9,2.4/End:48.8584,2.2945`.
  static let hereRoute = MapLinkRule(kind: .end) { link in
    let segments = link.segments.filter { !$0.hasPrefix("@") }
    guard let index = segments.firstIndex(where: { $0 == "directions" || $0 == "r" }) else {
      return []
    }
    var points = Array(segments[(index + 1)...])
    if let mode = points.first, !mode.isEmpty, mode.allSatisfy(\.isLetter), mode != here {
      points.removeFirst()
    }
    if points.count > 2, points.last?.isEmpty == true { points.removeLast() }
    // An empty start is the place of the device.
    guard points.count > 1, let end = points.last, !end.isEmpty, end != here else {
      return [MapLinkRule.noEnd]
    }
    return [MapLinkRule.firstTwo(String(end.split(separator: ":").last ?? ""))]
  }

  private static let here = "mylocation"

  /// The first of the points in `2.2945,48.8584,pm2~2.3,48.9`.
  static func firstPoint(_ text: String) -> String {
    MapLinkRule.firstTwo(String(text.prefix { $0 != "~" }))
  }

  /// The middle of `bbox=west,south,east,north`.
  static let box = MapLinkRule(kind: .middle) { link in
    let edges = (link.value("bbox") ?? "").split(separator: ",")
      .compactMap { AngleNotation.decimal($0) }
    guard edges.count == 4 else { return [] }
    return [
      "\(Degrees.text((edges[1] + edges[3]) / 2)), \(Degrees.text((edges[0] + edges[2]) / 2))"
    ]
  }

  /// A marker at the position of a short code.
  static let shortMarker = MapLinkRule(kind: .place) { link in
    link.value("m") == nil ? [] : shortCode.texts(link)
  }

  /// The position in `/go/0EEQjE==`: each character holds three bits of the longitude and of the
  /// latitude (wiki.openstreetmap.org/wiki/Shortlink).
  static let shortCode = MapLinkRule(kind: .middle) { link in
    guard let index = link.segments.firstIndex(of: "go"), index + 1 < link.segments.count else {
      return []
    }
    return PointCodes.openStreetMap(link.segments[index + 1]).map { [$0] } ?? []
  }
}
