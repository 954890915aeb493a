import Encodings
import SystemPackage
import TestSupport
import Testing

@Suite struct PlacesCommandTests {
  private let folder = TemporaryFolder()
  private let photospots: PhotoSpotsProcess

  init() { photospots = PhotoSpotsProcess(home: folder.root) }

  private func run(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
    try await photospots.run(["places"] + arguments)
  }

  /// Runs a subcommand that must succeed, and returns its output.
  @discardableResult
  private func done(_ arguments: String...) async throws -> String {
    let outcome = try await photospots.run(["places"] + arguments)
    #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.output
  }

  /// Adds a place, and returns its id.
  private func add(_ arguments: String...) async throws -> String {
    let outcome = try await photospots.run(["places", "add"] + arguments)
    let line = try #require(outcome.output.split(separator: ":").first, "\(outcome.errors)")
    let id = line.dropFirst("kept ".count)
    #expect(line.hasPrefix("kept ") && id.utf8.count == 16)
    return String(id)
  }

  /// Returns a member of a place, as compact JSON.
  private func member(_ name: String, of id: String) async throws -> String? {
    var reader = JSONReader(Array(try await done("show", id, "--format", "json").utf8))
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let start = reader.offset
      var value = reader
      try reader.skipValue()
      guard key == name else { continue }
      switch try value.peek() {
      case .string: return try value.string()
      case .number: return "\(try value.double())"
      default: return "\(reader.offset - start)"
      }
    }
    return nil
  }

  @Test func `places alone are enough to list what is near, before there is an index`() async throws
  {
    let near = ["near", "48.8584", "2.2945"]
    let missing = try await photospots.run(near)
    #expect(missing.code == 1 && missing.errors.contains("there is no index"), "\(missing)")
    _ = try await add("48.8584", "2.2945", "--name", "Tower")
    for command in [near, ["spots"]] {
      let found = try await photospots.run(command)
      #expect(found.code == 0 && found.output.contains("Tower"), "\(found)")
      #expect(found.errors.contains("there is no index yet"), "\(found)")
    }
    let photos = try await photospots.run(near + ["--no-places"])
    #expect(photos.code == 1 && photos.errors.contains("there is no index"), "\(photos)")
    try folder.write(
      "<gpx><trk><trkseg><trkpt lat='48.8584' lon='2.2945'><time>2026-05-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>",
      to: "walk.gpx")
    let watch = try await photospots.run(["watch", folder.path("walk.gpx").string])
    #expect(watch.code == 0 && watch.errors.contains("there is no index yet"), "\(watch)")
  }

  @Test func `joiners in a name are printed as they were typed`() async throws {
    let name = "خانه\u{200C}ها"
    let id = try await add("48.8584", "2.2945", "--name", name)
    #expect(try await done("list").contains(name))
    #expect(try await done("show", id).contains(name))
  }

  @Test func `a place can be added, listed, changed, removed and restored`() async throws {
    let photo = folder.path("a photo.jpg")
    try folder.write("jpeg", to: photo)
    let id = try await add(
      "-33.8568", "-151.2153", "--name", "Opera", "--kind", "view", "--radius", "200m",
      "--collection", "Walks", "--note", "-5 degrees", "--photo", photo.string)
    let listed = try await done("list")
    #expect(listed.contains("Opera") && listed.contains("-33.85680, -151.21530"))
    #expect(listed.contains("200 m") && listed.contains("Walks") && listed.contains(id))
    let start = String(id.prefix(6)).uppercased()
    try await done("note", start, "at dusk\nfrom the east")
    let shown = try await done("show", start)
    #expect(shown.contains("at dusk\n") && shown.contains("from the east"))
    #expect(shown.contains("  -5 degrees\n") && shown.contains(photo.string))
    try await done("rename", id, "Opera House")
    try await done("move", id, "-33.8", "151.2")
    try await done("radius", id, "default")
    try await done("collect", id, "Sydney")
    try await done("uncollect", id, "Walks")
    try await done("detach", id, photo.string)
    #expect(try await member("name", of: id) == "Opera House")
    #expect(try await member("latitude", of: id) == "-33.8")
    #expect(try await member("longitude", of: id) == "151.2")
    #expect(try await member("radius", of: id) == nil)
    let changed = try await done("show", id)
    #expect(!changed.contains("Walks") && changed.contains("Sydney"))
    #expect(!changed.contains(photo.string))
    #expect(try await done("list", "--collection", "sydney").contains(id))
    #expect(try await done("list", "--kind", "bench").isEmpty)

    try await done("remove", id)
    #expect(try await done().isEmpty)
    #expect(try await done("list", "--removed").contains(id))
    #expect(try await done("restore", id).hasPrefix("restored \(id): Opera House"))
    #expect(try await done().contains(id))
  }

  @Test func `invalid arguments of places fail with a message that says what to do`() async throws {
    let id = try await add("48.8584", "2.2945")
    for (arguments, words) in [
      (["add", "91", "0"], "not a position"), (["add"], "position"),
      (["show", "zzzz"], "places list"), (["show", "z"], "at least 4 characters"),
      (["attach", id, "/nowhere.jpg"], "there is no file /nowhere.jpg"),
      (["detach", id, "/nowhere.jpg"], "places show"), (["uncollect", id, "x"], "places show"),
      (["radius", id, "5km1"], "10 to 5000 m"), (["radius", id, "6km"], "10 to 5000 m"),
      (["collect", id, ""], "is empty"), (["restore", id], "list --removed"),
      (["rename", id, String(repeating: "x", count: 201)], "at most 200"),
      (["add", "here", "of", "phone"], "'phone'"), (["merge", "/nowhere.json"], "/nowhere.json"),
    ] {
      let outcome = try await photospots.run(["places"] + arguments)
      #expect(outcome.code != 0 && outcome.output.isEmpty, "\(arguments)")
      #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
    }
    // A place without a name gets the name of its town.
    #expect(try await member("name", of: id)?.isEmpty == false)
  }

  @Test func `a name for an id, and a file that is none of places, say what to do`()
    async throws
  {
    let id = try await add("48.8584", "2.2945", "--name", "Old oak")
    try folder.write("<gpx/>", to: "a.gpx")
    let gpx = folder.path("a.gpx").string
    for (arguments, words) in [
      (["remove", "old oak"], "this is a name and no id: 'old oak'; places are chosen by"),
      (["remove", "Old oak"], "that of this name is \(id)"),
      (["remove", "Pine"], "there is no such place: 'Pine'; 'photospots places list'"),
      (["import", folder.root.string], "is a folder; name the files in it"),
      (["merge", gpx], "nothing was merged: \(gpx) is not a places.json"),
      (["merge", gpx], "photospots places import \(gpx)"),
    ] {
      let outcome = try await photospots.run(["places"] + arguments)
      #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `a place can be added at a device's last position, with control characters removed`()
    async throws
  {
    let feed =
      #"{"time":"2026-11-20T12:00:00Z","latitude":48.5,"longitude":2.5,"device":"my phone"}"#
    try folder.write(
      #"""
      {"format":"photospots-devices","version":1,"devices":[{"device":"my phone",\#
      "heard":"2026-11-20T12:00:00.000Z","day":"2026-11-20","walked":0,"fixes":1,"fix":\#(feed)}]}
      """#, to: folder.path("xdg_state_home/photospots/devices.json"))
    let id = try await add("here", "of", "my phone", "--name", "<img onerror>\u{1B}[31m")
    #expect(try await member("latitude", of: id) == "48.5")
    #expect(try await member("name", of: id) == "<img onerror>[31m")
    #expect(
      try await run("add", "here of other").errors.contains("devices with a position: my phone"))
  }

  @Test func `duplicates are explained, and merged with --merge`() async throws {
    let older = try await add("48.8584", "2.2945", "--name", "Tower", "--note", "first")
    let newer = try await add("48.85841", "2.2945", "--name", "tower", "--note", "second")
    let found = try await done("duplicates")
    #expect(found.hasPrefix("\(newer) 'tower' is probably \(older) 'Tower': the same name, 1 m"))
    #expect(
      try await done("duplicates", "--merge", "--format", "json").contains("\"merged\": true"))
    let shown = try await done("show", older)
    #expect(shown.contains("first") && shown.contains("second"))
    #expect(try await done("duplicates").isEmpty)
    #expect(try await done("list", "--removed").contains(newer))
  }

  @Test func `places are in the file of the setting, and another file can be merged`()
    async throws
  {
    let shared = folder.path("shared/my.json")
    let setting = "placesFile=\(shared.string)"
    let id = try await add("48.8584", "2.2945", "--set", setting)
    #expect(folder.exists(shared))
    #expect(try await done().isEmpty)
    let merged = try await run("merge", shared.string)
    #expect(merged.code == 0 && merged.errors.contains("1 place now, 0 before"), "\(merged)")
    #expect(try await done("show", id).contains(id))
    let generation = try folder.contents(of: folder.path("xdg_state_home/photospots/places.json"))
    try await done("merge", shared.string)
    #expect(
      try folder.contents(of: folder.path("xdg_state_home/photospots/places.json")) == generation)
    for wrong in ["relative.json", "/"] {
      let outcome = try await run("list", "--set", "placesFile=\(wrong)")
      #expect(outcome.code == 64 && outcome.errors.contains("absolute path"))
    }
  }

  @Test func `a place can be pinned to a spot and unpinned`() async throws {
    _ = try await photospots.run("index", samples.appending("photos").string)
    let id = try await add("--spot", "47xj")
    let spot = try #require(try await member("spot", of: id))
    #expect(spot.hasPrefix("47xj") && spot.utf8.count == 12)
    #expect(try await member("name", of: id)?.isEmpty == false)
    try await done("unpin", id)
    #expect(try await member("spot", of: id) == nil)
    try await done("pin", id, spot)
    #expect(try await member("spot", of: id) == spot)
    #expect(try await run("pin", id, "zzzz").errors.contains("no such spot"))
  }
}
