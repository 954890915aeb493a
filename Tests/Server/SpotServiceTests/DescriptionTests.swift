import SpotService
import SystemPackage
import TestSupport
import Testing

/// Checks `openapi.json` against the routes, and the routes against it.
@Suite struct DescriptionTests {
  private func description() throws -> JSONValue {
    let package = Repository.folder
    return try JSONValue(
      Corpus.contents(of: package.appending("Sources/Server/SpotService/openapi.json")))
  }

  /// The parameters of an operation, in full.
  private func parameters(_ operation: JSONValue, _ description: JSONValue) -> [JSONValue] {
    (operation["parameters"]?.items ?? []).compactMap { parameter in
      guard let name = parameter["$ref"]?.text?.split(separator: "/").last else {
        return parameter
      }
      return description["components"]?["parameters"]?[String(name)]
    }
  }

  @Test func `the description has the same paths, methods and parameters as the routes`() throws {
    let description = try description()
    #expect(description["openapi"] == .string("3.1.0"))
    let paths = try #require(description["paths"])
    var described: Set<String> = []
    for path in paths.keys {
      for method in paths[path]?.keys ?? [] { described.insert("\(method.uppercased()) \(path)") }
    }
    #expect(described == Set(ServiceRoute.all.map { "\($0.method) /\($0.path)" }))
    for route in ServiceRoute.all {
      let operation = try #require(paths["/\(route.path)"]?[route.method.lowercased()])
      let parameters = parameters(operation, description)
      let names = { (place: String) in
        parameters.filter { $0["in"] == .string(place) }.compactMap { $0["name"]?.text }
      }
      #expect(Set(names("query")) == Set(route.parameters), "\(route.method) \(route.path)")
      let variables = route.path.split(separator: "/").filter { $0.first == "{" }
        .map { String($0.dropFirst().dropLast()) }
      #expect(names("path") == variables, "\(route.path)")
      #expect((operation["security"] == .array([])) == route.isOpen, "\(route.path)")
      #expect((operation["requestBody"] != nil) == (route.bodyLimit > 0), "\(route.path)")
    }
  }

  @Test func `every reference in the description resolves`() throws {
    let description = try description()
    func check(_ value: JSONValue) {
      switch value {
      case .object(let members):
        if let reference = members["$ref"]?.text {
          let found = reference.split(separator: "/").dropFirst()
            .reduce(description as JSONValue?) { $0?[String($1)] }
          #expect(found != nil, "\(reference)")
        }
        members.values.forEach(check)
      case .array(let elements): elements.forEach(check)
      default: break
      }
    }
    check(description)
  }

  @Test func `responses have all required members and only described ones`() throws {
    let description = try description()
    var bench = ServiceBench()
    let siena = try #require(bench.json("spots")[0]?["id"]?.text)
    let id = try bench.add(
      """
      {"spot": "\(siena)", "name": "Nest", "note": "Nest", "radius": 50, "collections": ["Trees"]}
      """)
    _ = try bench.add(#"{"latitude": 1, "longitude": 1}"#)
    let feature = try bench.json("spots.geojson")["features"]?[0]
    let photo = try #require(bench.json("spots")[0]?["cover"]?.text)
    let spot = try #require(bench.json("spots")[0]?["id"]?.text)
    for (value, name) in [
      (try bench.json("status"), "Status"),
      (try bench.imported("", "lat,lon,x\n1,2,3\n,,4\n"), "PlaceImport"),
      (try bench.json("memories?around=01-01"), "Memories"),
      (try bench.json("clusters?box=-90,-180,90,180&zoom=9"), "Clusters"),
      (try bench.json("clusters?box=-90,-180,90,180&zoom=9")[0], "Cluster"),
      (try bench.json("spots?near=1,1")[0], "Spot"),
      (try bench.json("spots/\(spot)"), "SpotWithPhotos"),
      (try bench.json("photos/\(photo)"), "Photo"),
      (try bench.json("towns?query=siena")[0], "Town"),
      (try bench.json("search?query=siena")[0], "Suggestion"),
      (try bench.json("search?query=siena%202008")[0], "Suggestion"),
      (try bench.json("search?query=43,11")[0], "Suggestion"),
      (try bench.json("search?query=2008")[0], "Suggestion"),
      (try bench.json("search?query=nest")[0], "Suggestion"),
      (try bench.json("albums")[0], "Album"),
      (try bench.json("glance?near=43.3,11.3"), "Glance"),
      (try bench.json("glance?near=43.3,11.3")["nearest"], "GlanceSpot"),
      (try bench.json("settings")[0], "Setting"),
      (try bench.json("spots/\(siena)")["ownPlace"], "PinnedPlace"),
      (try bench.json("places/\(id)"), "OwnPlace"),
      (try bench.json("places?near=1,1")[0], "OwnPlace"),
      (try bench.json("places/\(id)")["notes"]?[0], "Note"),
      (try bench.json("collections")[0], "Collection"),
      (try bench.json("spots.geojson"), "FeatureCollection"), (feature, "Feature"),
      (try JSONValue(bench.response("GET", "none").body), "Problem"),
    ] {
      let schema = try #require(description["components"]?["schemas"]?[name])
      let required = schema["required"]?.items.compactMap(\.text) ?? []
      let keys = try #require(value?.keys)
      #expect(keys.isSuperset(of: required), "\(name)")
      #expect(keys.isSubset(of: schema["properties"]?.keys ?? []), "\(name)")
    }
  }
}
