import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// File names with arbitrary bytes in all output for programs, checked with Python's parsers.
@Suite struct FileNameTests {
  private static let python = ChildProcess.path(of: "python3")
  private let folder = TemporaryFolder()

  /// Parses the output of the commands, and compares its names with the names in the folder.
  private static let judge = """
    import csv, html, io, json, os, sys, urllib.parse, xml.etree.ElementTree as tree
    home = sys.argv[1]
    photos = os.fsencode(home) + b"/photos"
    wanted = {os.path.join(photos, name) for name in os.listdir(photos) if name.endswith(b".jpg")}
    def name(text):
        return b"".join(bytes([ord(c) - 0xEF00]) if 0xEF00 <= ord(c) <= 0xEFFF else c.encode() for c in text)
    def read(file):
        return open(os.path.join(home, file), "rb").read().decode("utf-8")
    def strict(file):
        document = json.loads(read(file))
        json.dumps(document, ensure_ascii=False).encode("utf-8")
        return document
    def photos_of(rows):
        return {name(photo) for row in rows for shot in row["photos"]
                for photo in [shot["path"], *shot.get("files", [])]}
    found = {
        "json": photos_of(strict("spots.json")),
        "geojson": photos_of(f["properties"] for f in strict("spots.geojson")["features"]),
        "inspect": {name(photo["path"]) for photo in strict("inspect.json")},
        "csv": {name(path) for row in csv.DictReader(io.StringIO(read("spots.csv"), newline=""))
                for path in [row["path"], *filter(None, row["files"].split("|"))]},
        "gpx": {urllib.parse.unquote_to_bytes(e.get("href")[7:])
                for e in tree.fromstring(read("spots.gpx")).iter() if e.tag.endswith("}link")},
        "kml": {name(html.unescape(line.removeprefix("+ ")))
                for e in tree.fromstring(read("spots.kml")).iter() if e.tag.endswith("}description")
                for line in e.text.split("<br/>")},
    }
    for format, names in found.items():
        print(format, "same" if names == wanted else (names ^ wanted))
    bad = {name(problem["path"]) for problem in strict("index.json")["problems"]}
    print("problems", "same" if bad == {photos + b"/bad\\xff\\n.jpeg"} else bad)
    covers = {name(json.loads(line)["spot"]["cover"]) for line in read("alerts.ndjson").splitlines()}
    print("covers", "same" if covers and covers <= wanted else covers)
    hooks = set(open(os.path.join(home, "hooks"), "rb").read().split(b"\\0")) - {b""}
    print("hooks", "same" if hooks == covers else hooks)
    """

  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `file names of any bytes are preserved in every output format`() async throws {
    let python = try #require(Self.python)
    let photo = try folder.contents(
      of: samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg"))
    var generator = SeededGenerator(seed: 71)
    var names: [[UInt8]] = [
      [0xFF, 0xFE], [0xEE, 0xBE, 0x80], [0xEF, 0xBF, 0xBE], Array("a|b,\"c\"\r\n\u{1B}<&>".utf8),
      [0xED, 0xB2, 0x80], Array("+ é".utf8),
    ]
    for _ in 0..<20 {
      names.append(
        (0..<9).map { _ in UInt8.random(in: 1...255, using: &generator) }
          .filter { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") })
    }
    for (number, name) in names.enumerated() {
      // Sizes differ, so that most are separate shots; the last file is a copy of the first.
      let content = photo + Array(repeating: 0, count: number == names.count - 1 ? 0 : number)
      try folder.write(
        content,
        to: folder.path(bytes: Array("photos/x".utf8) + name + Array(".jpg".utf8)))
    }
    try folder.write(
      "text".utf8,
      to: folder.path(bytes: Array("photos/bad".utf8) + [0xFF, 0x0A] + Array(".jpeg".utf8)))
    try folder.write(Self.judge, to: "judge.py")
    try folder.write(
      "#!/bin/sh\nprintf '%s\\0' \"$PHOTOSPOTS_SPOT_COVER\" >> \(folder.path("hooks"))\n",
      to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      photospots=\(PhotoSpotsProcess.program)
      $photospots index photos --json > index.json 2> /dev/null
      for format in json geojson csv gpx kml; do
        $photospots near 48.86195 2.28836 --photos --format $format > spots.$format
      done
      $photospots inspect --format json photos/*.jpg > inspect.json
      echo '{"time":"2025-11-20T12:00:00Z","latitude":48.86195,"longitude":2.28836}' > walk.ndjson
      $photospots watch walk.ndjson --hook ./hook.sh --format ndjson --set rulesOff=coldStart,vehicles > alerts.ndjson 2> /dev/null
      \(python) judge.py "$PWD"
      """)
    #expect(
      outcome.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" same") }, "\(outcome)")
    #expect(outcome.output.split(separator: "\n").count == 9, "\(outcome)")
  }
}
