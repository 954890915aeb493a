/// A map website.
struct MapSite: Sendable {
  let hosts: [String]
  /// Whether its coordinates are shifted against WGS 84, unless the link says otherwise.
  var isShifted = false
  /// Whether its addresses are three words, which only the site can resolve.
  var isOfWords = false
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
    ("comgooglemaps://", "google.com/"), ("comgooglemaps-x-callback://", "google.com/"),
    ("google.navigation:", "google.com/?"), ("google.streetview:", "google.com/?"),
    ("maps://", "maps.apple.com/"), ("waze://", "waze.com/"), ("om://", "omaps.app/"),
    ("cm://", "comaps.at/"), ("ge0://", "omaps.app/"), ("mapswithme://", "omaps.app/"),
    ("mapsme://", "omaps.app/"), ("yandexmaps://", "yandex.com/"),
    ("yandexnavi://", "yandex.com/"), ("bingmaps:", "bing.com/maps"),
    ("osmand.api://", "osmand.net/"),
    ("osmandmaps://", "osmand.net/"), ("osmand.navigation:", "osmand.net/?"),
    ("citymapper://", "citymapper.com/"), ("dgis://2gis.ru/", "2gis.ru/"), ("dgis://", "2gis.ru/"),
    ("magicearth://", "magicearth.com/"), ("here-location://", "here.com/l/"),
    ("here-route://", "here.com/directions/"), ("nmap://", "map.naver.com/"),
    ("kakaomap://", "map.kakao.com/"), ("baidumap://map/", "map.baidu.com/"),
    ("iosamap://", "amap.com/"), ("androidamap://", "amap.com/"), ("amapuri://", "amap.com/"),
    ("qqmap://map/", "map.qq.com/"), ("w3w://", "what3words.com/"), ("intent://", ""),
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
        "s.geo.admin.ch", "go.urbi.ae", "mapq.st", "strava.app.link", "osm.li", "wego.page.link",
        "waze.page.link",
      ], shortPaths: ["/"]),
    MapSite(hosts: ["what3words.com", "w3w.co", "w3w.io"], isOfWords: true),
    MapSite(
      hosts: [
        "openstreetmap.org", "osm.org", "openstreetmap.de", "opentopomap.org", "cyclosm.org",
        "opencyclemap.org", "openseamap.org", "umap.openstreetmap.fr", "project-osrm.org",
      ],
      rules: [
        .two(.place, "mlat", "mlon"), .fragmentMarker, .place("marker"),
        .last("route", separator: ";"), .end("to"), .start("from"), .lastValue("loc"),
        .place("query"), shortMarker, .place("node", "way", "relation"),
        .object("node", "way", "relation", "note", "changeset"),
        .two(.middle, "lat", "lon"), .fragment, box, shortCode,
      ]),
    MapSite(
      hosts: ["google.*", "googleapis.com"], shortPaths: ["/maps/app/"], rules: googleRules),
    MapSite(
      hosts: ["maps.apple.com"], shortPaths: ["/p/"],
      rules: [
        .end("daddr", "destination"), .start("saddr", "source"), .place("coordinate"), applePin,
        .place("q", "query"), .place("address", "name", "auid", "place-id"),
        .middle("center", "sll", "near", "ll"),
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
        hereRoute, herePlace, .path(.place, after: "search"),
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
      rules: [
        .end("to"), .start("from"), .place("ll", "latlng"), wazeHash,
        .place("q", "venue_id", "place"), .middle("center"), .two(.middle, "lat", "lon"),
      ]),
    MapSite(
      hosts: ["osmand.net"],
      rules: [
        .end("end", "finish"), .two(.end, "dest_lat", "dest_lon"), .start("start"),
        .place("pin"), .two(.place, "lat", "lon"), .place("name", "q"), .fragment,
      ]),
    MapSite(
      hosts: ["omaps.app", "ge0.me", "comaps.at", "comaps.app"],
      rules: [
        .end("dll", "daddr"), .start("sll"), .place("ll"), pointCode, .place("q", "query", "n"),
        .middle("cll"),
      ]),
    MapSite(
      hosts: ["komoot.com", "komoot.de"],
      rules: [
        komootRoute, .place("p[0][loc]"), .object("tour", "smarttour", "highlight"),
        .path(.place, after: "discover", "guide"), .atSign,
      ]),
    MapSite(
      hosts: ["yandex.*", "ya.ru"], shortPaths: ["/maps/-/"],
      rules: [
        .last("rtext", separator: "~"), .two(.end, "lat_to", "lon_to"),
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          link.value("pt").map { [firstPoint($0)] } ?? []
        }, .place("whatshere[point]", "poi[point]", "panorama[point]").longitudeFirst,
        .place("text"), .object("org", "geo", "house"), .middle("ll").longitudeFirst,
      ]),
    MapSite(
      hosts: ["mapy.cz", "mapy.com"], shortPaths: ["/s/"],
      rules: [
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          link.value("source") == "coor" ? link.value("id").map { [$0] } ?? [] : []
        },
        .place("q", "query", "id"), .end("end").longitudeFirst, .end("rc"),
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          link.value("marker") == "true" ? link.value("center").map { [$0] } ?? [] : []
        }, .middle("center").longitudeFirst, .two(.middle, "y", "x"),
      ]),
    MapSite(
      hosts: ["2gis.*", "urbi.*"],
      rules: [
        MapLinkRule(kind: .end, isLongitudeFirst: true) { link in
          guard let index = link.segments.firstIndex(of: "points"),
            index + 1 < link.segments.count
          else { return [] }
          return link.segments[index + 1].split(separator: "|").last.map { [String($0)] } ?? []
        },
        MapLinkRule(kind: .place, isLongitudeFirst: true) { link in
          guard let index = link.segments.firstIndex(where: ["geo", "firm"].contains) else {
            return []
          }
          return link.segments[(index + 1)...].reversed()
        },
        MapLinkRule(kind: .end, isLongitudeFirst: true) { link in
          guard let index = link.segments.firstIndex(of: "routeSearch") else { return [] }
          let points = link.segments[index...]
          guard let end = points.firstIndex(of: "to"), end + 1 < points.endIndex else {
            return [MapLinkRule.noEnd]
          }
          return [points[end + 1]]
        }, .middle("center").longitudeFirst,
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          link.value("m").map { [String($0.prefix { $0 != "/" })] } ?? []
        },
      ]),
    MapSite(
      hosts: ["amap.com", "gaode.com"], isShifted: true,
      rules: [
        .end("to").longitudeFirst, .place("position").longitudeFirst, .two(.place, "lat", "lon"),
        .two(.place, "lat", "lng"),
      ]),
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
        MapLinkRule(kind: .end) { link in
          // `/link/from/A,48.9,2.4/to/Tower,48.8584,2.2945`.
          MapLinkRule.path(.end, after: "to").texts(link)
            .map { $0.split(separator: ",").suffix(2).joined(separator: ",") }
        },
        MapLinkRule(kind: .place) { link in
          link.segments.filter { $0.contains(",") && !link.segments.contains("to") }
            .map { $0.split(separator: ",").suffix(2).joined(separator: ",") }
        }, .end("ep"), .place("p", "q"),
      ]),
    MapSite(
      hosts: ["map.naver.com"],
      rules: [
        .two(.end, "dlat", "dlng"), .two(.place, "lat", "lng"), .object("place"),
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          (link.value("c").map { [MapLinkRule.firstTwo($0)] }) ?? []
        },
      ]),
    MapSite(
      hosts: ["windy.com"],
      rules: [
        .decimals,
        MapLinkRule(kind: .middle) { link in
          link.query.first.map { [MapLinkRule.firstTwo($0.name)] } ?? []
        },
      ]),
    MapSite(
      hosts: ["citymapper.com"],
      rules: [
        .end("endcoord"), .place("coord"), .end("endname", "endaddress"), .start("startcoord"),
        .object("trip"),
      ]),
    MapSite(
      hosts: ["magicearth.com"],
      rules: [.end("daddr"), .two(.place, "lat", "lon"), .place("q", "name")]),
    MapSite(
      hosts: ["graphhopper.com"],
      rules: [
        MapLinkRule(kind: .end) { link in
          // `48.8584,2.2945_Tower`.
          let points = link.values("point").map { String($0.prefix { $0 != "_" }) }
          return points.count > 1 ? points.suffix(1) : []
        },
        MapLinkRule(kind: .place) { link in
          let points = link.values("point")
          return points.count == 1 ? points : []
        }, .fragment,
      ]),
    MapSite(
      hosts: ["brouter.de", "bikerouter.de"],
      rules: [.last("lonlats", separator: ";").longitudeFirst, .fragment]),
    MapSite(
      hosts: ["mapquest.com"],
      rules: [.path(.place, after: "latlng"), .place("q", "query"), .middle("center")]),
    MapSite(
      hosts: ["duckduckgo.com", "kagi.com", "qwant.com"],
      rules: [
        MapLinkRule(kind: .place) { link in
          // `/maps/place/latlon:48.8584:2.2945`.
          link.segments.filter { $0.hasPrefix("latlon:") }
            .map { String($0.dropFirst(7)).replacing(":", with: ",") }
        }, .place("q"), .path(.place, after: "place", "search"), .atSign, .fragment,
      ]),
    MapSite(
      hosts: ["overpass-turbo.eu"],
      rules: [
        MapLinkRule(kind: .middle) { link in
          link.value("c").map { [$0.split(separator: ";").prefix(2).joined(separator: ",")] } ?? []
        }
      ]),
    MapSite(
      hosts: ["gaiagps.com"],
      rules: [
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          let numbers = (link.value("loc") ?? "").split(separator: "/")
          return numbers.count == 3 ? ["\(numbers[1]),\(numbers[2])"] : []
        }
      ]),
    MapSite(
      hosts: ["strava.com"],
      rules: [
        // Of old, `/heatmap#14/2.2945/48.8584/hot/all`; now `/maps/…#14/48.8584/2.2945`.
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          link.segments.contains("heatmap") ? MapLinkRule.fragment.texts(link) : []
        }, .fragment,
      ]),
    MapSite(hosts: ["geoportail.gouv.fr"], rules: [.middle("c").longitudeFirst]),
    MapSite(
      hosts: ["suncalc.org"],
      rules: [
        // `#/48.8584,2.2945,15/2024.01.01/12:00/1/0`.
        MapLinkRule(kind: .middle) { link in
          link.fragment.split(separator: "/").prefix(1).map { MapLinkRule.firstTwo(String($0)) }
        }
      ]),
    MapSite(hosts: ["peakfinder.com", "peakfinder.org"], rules: [.two(.place, "lat", "lng")]),
    MapSite(hosts: ["flickr.com"], rules: [.two(.middle, "flat", "flon")]),
    MapSite(hosts: ["flightradar24.com"], rules: [.decimals]),
    MapSite(
      hosts: ["zoom.earth", "ventusky.com"],
      rules: [
        // `#view=48.8584,2.2945,10z` and `?p=48.8584;2.2945;10`.
        MapLinkRule(kind: .middle) { link in
          (link.value("view") ?? link.value("p")).map {
            [MapLinkRule.firstTwo($0.replacing(";", with: ","))]
          } ?? []
        }
      ]),
    MapSite(
      hosts: ["outdooractive.com"],
      rules: [
        // `#zc=12,2.2945,48.8584`: the zoom comes first.
        MapLinkRule(kind: .middle, isLongitudeFirst: true) { link in
          let numbers = (link.value("zc") ?? "").split(separator: ",")
          return numbers.count == 3 ? ["\(numbers[1]),\(numbers[2])"] : []
        }
      ]),
    MapSite(
      hosts: ["map.geo.admin.ch"],
      rules: [
        .two(.middle, "lat", "lon"), .two(.middle, "lat", "lng"),
        // The Swiss grid: `?E=2600000&N=1200000`, `?center=2600000,1200000`.
        MapLinkRule(kind: .middle) { link in
          link.value("e") != nil && link.value("n") != nil || link.value("center") != nil
            ? [MapLinkRule.otherGrid] : []
        },
      ]),
    MapSite(hosts: ["arcgis.com"], rules: [.middle("marker", "center").longitudeFirst]),
    MapSite(
      hosts: [
        "mapillary.com", "kartaview.org", "caltopo.com", "fatmap.com", "waymarkedtrails.org",
        "geo.admin.ch", "peakbagger.com", "openrailwaymap.org", "f4map.com",
        "lightpollutionmap.info", "panoramax.fr",
        "geocaching.com", "gpx.studio", "openinframap.org", "opensnowmap.org", "shademap.app",
        "photoephemeris.com", "sentinel-hub.com", "dataspace.copernicus.eu",
        "openstreetbrowser.org", "osmapp.org", "maps.refuges.info", "freemap.sk",
      ],
      rules: [
        .two(.middle, "lat", "lng"), .two(.middle, "lat", "lon"), .two(.middle, "cy", "cx"),
        .middle("ll", "center"), .atSign, .fragment,
      ]),
  ]
}
