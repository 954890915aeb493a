import Encodings
import ProcessSupport
import SystemPackage
import TestSupport
import Testing
import Upkeep

@testable import PhotoSpotsProgram

@Suite struct IndexCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
  }

  @Test func `index scans the samples, and a second scan reads no file again`() async throws {
    let first = try await photospots.run("index", samples.appending("photos").string)
    #expect(first.code == 0)
    #expect(first.output.contains("34 photos scanned"))
    #expect(first.output.contains("30 located, 4 without position, 0 malformed, 0 unreadable"))
    let second = try await photospots.run("index", "--json")
    #expect(second.code == 0)
    var reader = JSONReader(Array(second.output.utf8))
    var counts: [String: Int64] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if try reader.peek() == .number, key != "seconds" {
        counts[key] = try reader.integer()
      } else {
        try reader.skipValue()
      }
    }
    #expect(counts["scanned"] == 34)
    #expect(counts["new"] == 0)
    #expect(counts["filesRead"] == 0)
  }

  @Test func `index fails for a missing folder and for a file, with the reason`()
    async throws
  {
    let missing = try await photospots.run("index", folder.path("nowhere").string)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("there is no folder"))
    try folder.write("x", to: "file.jpg")
    let file = try await photospots.run("index", folder.path("file.jpg").string)
    #expect(file.code == 1)
    #expect(file.errors.contains("is not a folder"))
  }

  @Test func `a folder named through a link above it is the same folder`() async throws {
    let run = try await Shell.run(
      """
      cd '\(folder.root)'
      export XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state
      photospots() { '\(PhotoSpotsProcess.program)' "$@"; }
      mkdir -p disk/pictures/trip
      cp '\(samples)'/photos/Scans/* disk/pictures/trip
      ln -s disk/pictures link
      photospots index disk/pictures/trip > first
      photospots index link/trip | grep '^0 new'
      photospots index link | grep '^0 new'
      photospots status | grep -o 'in 1 folder'
      photospots forget link/trip | grep -o '^forgot .*/disk/pictures/trip:' | grep -o '/disk.*'
      # A path that the index has from before stays.
      photospots index disk/pictures > /dev/null
      sed -i 's,/disk/pictures,/link,g' cache/photospots/index.json
      rm -f cache/photospots/index.json.mapped
      photospots forget link/trip | grep -o '^forgot .*/link/trip:' | grep -o '/link.*'
      """)
    let lines = run.output.split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(
      lines == ["0 new", "0 new", "in 1 folder", "/disk/pictures/trip:", "/link/trip:"],
      "\(run.output)\(run.errors)")
  }

  /// It was told that the photos of the misspelt folder stay in the index. There were none.
  @Test func `a missing folder and a file in an indexed folder fail in the same way`() async throws
  {
    try folder.createFolder(folder.path("photos/sub"))
    try folder.write("x", to: "photos/file.jpg")
    try #require(try await photospots.run("index", folder.path("photos").string).code == 0)
    let missing = try await photospots.run("index", folder.path("photos/typo").string)
    #expect(missing.code == 1 && missing.errors.contains("there is no folder"), "\(missing)")
    let file = try await photospots.run("index", folder.path("photos/file.jpg").string)
    #expect(file.code == 1 && file.errors.contains("is not a folder"), "\(file)")
  }

  @Test func `a path to skip that no folder has is told`() async throws {
    try folder.write("x", to: "photos/Drafts/a.txt")
    let photos = folder.path("photos").string
    for (exclude, isTold) in [
      ("photos/Drafts", true), ("/nowhere/Drafts", true), ("Drafts/", false),
      ("\(photos)/Drafts", false), ("Draft*/x", false), ("nothing", false),
    ] {
      let outcome = try await photospots.run("index", photos, "--exclude", exclude)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.contains("skips nothing") == isTold, "\(exclude): \(outcome)")
    }
  }

  @Test func `index accepts a folder without photos`() async throws {
    try folder.createFolder(folder.path("empty"))
    let outcome = try await photospots.run("index", folder.path("empty").string)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("0 photos scanned"))
    let near = try await photospots.run("near", "1", "2")
    #expect(near.code == 0)
    #expect(near.output.isEmpty)
  }

  @Test func `a scan that found few positions names the next step on standard error`()
    async throws
  {
    try folder.createFolder(folder.path("empty"))
    let empty = try await photospots.run("index", folder.path("empty").string)
    #expect(empty.errors.contains("no photo was found. Name the folder that holds your photos"))
    let file = folder.path("other.json").string
    let none = try await photospots.run("index", try unlocated(2), "--index", file, "--json")
    #expect(none.errors.contains("none of the 2 photos has a position"), "\(none.errors)")
    #expect(none.errors.contains("photospots index --tracks FOLDER"))
    #expect(none.errors.contains("photospots import-positions FILE"))
    let quiet = try await photospots.run("index", "--index", file, "--quiet")
    #expect(quiet.errors.isEmpty)
    // Most of the samples have a position.
    let most = try await photospots.run("index", samples.appending("photos").string)
    #expect(!most.errors.contains("position"))
  }

  /// Returns a folder with copies of a photo without a position.
  private func unlocated(_ count: Int) throws -> String {
    try folder.createFolder(folder.path("unlocated"))
    for number in 0..<count {
      // A JPEG file without metadata: SOI, SOF0 of one pixel, EOI.
      let picture: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xD9,
      ]
      try folder.write(picture + [UInt8(number)], to: "unlocated/\(number).jpg")
    }
    return folder.path("unlocated").string
  }

  @Test(
    arguments: [
      (100, 19, false, nil), (100, 20, false, "20 of 100 photos (20 %) have no position"),
      (4, 1, false, "1 of 4 photos (25 %) has no position"),
      (200, 86, false, "--tracks FOLDER"), (200, 86, true, "Longer tracks"),
      (200, 86, false, "photospots serve"), (1, 1, false, "the only photo has no position"),
      (3, 3, true, "none of the 3 photos has a position"), (0, 0, false, "no photo was found"),
      (1, 0, false, nil),
    ] as [(Int, Int, Bool, String?)])
  func `advice is given where a fifth of the photos or more have no position`(
    photos: Int, unplaced: Int, usedTracks: Bool, part: String?
  ) {
    let advice = ScanAdvice(photoCount: photos, unplacedCount: unplaced, usedTracks: usedTracks)
    #expect((advice.text == nil) == (part == nil))
    if let part { #expect(advice.text?.contains(part) == true) }
  }

  @Test func `slashes at the end of a folder are not doubled in paths`() async throws {
    let (photos, state) = (samples.appending("photos").string, folder.path("state").string)
    for arguments in [
      ["index", photos + "//", "--verbose"],
      ["index", photos + "/", "--json", "--full", "--tracks", folder.root.string + "//"],
      ["near", "48.86194", "2.2883", "--photos", "--state", state + "/"],
      ["status", "--all", "--state", state + "//"], ["forget", folder.root.string + "//"],
      ["places", "add", "1", "2", "--state", state + "/"],
      ["forget", "--everything", "--state", state + "//"],
    ] {
      let outcome = try await photospots.run(arguments)
      #expect(!(outcome.output + outcome.errors).contains("//"), "\(arguments) \(outcome)")
    }
  }

  @Test func `index --verbose names files that belong to no photo, and does not offer itself`()
    async throws
  {
    let photo = samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg")
    try folder.write(folder.contents(of: photo), to: folder.path("one/a.jpg"))
    try folder.write("hi", to: folder.path("one/b.xmp"))
    let plain = try await photospots.run("index", folder.path("one").string)
    #expect(plain.output.contains("1 XMP or JSON file belongs to no photo: --verbose names it"))
    let verbose = try await photospots.run("index", "--verbose", folder.path("one").string)
    #expect(verbose.output.contains("1 XMP or JSON file belongs to no photo\n"), "\(verbose)")
    #expect(!verbose.output.contains("--verbose"), "\(verbose)")
    #expect(verbose.errors.contains("one/b.xmp belongs to no photo"), "\(verbose)")
    let near = try await photospots.run("spots", "--verbose")
    #expect(near.errors.contains("holds 1 file and 1 located photo; opened"), "\(near)")
  }

  @Test func `index keeps a copy of a damaged index and rebuilds it; other commands fail`()
    async throws
  {
    let photos = samples.appending("photos").string
    _ = try await photospots.run("index", photos)
    let index = folder.root.appending("xdg_cache_home/photospots/index.json")
    let whole = try folder.contents(of: index)
    try folder.write(whole.prefix(whole.count / 2), to: index)
    let near = try await photospots.run("near", "48.8584", "2.2945")
    #expect(near.code == 1)
    #expect(near.errors.contains("damaged") && near.errors.contains("photospots index FOLDER"))
    let again = try await photospots.run("index", photos)
    #expect(again.code == 0)
    #expect(again.errors.contains("index.json.damaged-"))
    #expect(try await photospots.run("near", "48.86194", "2.2883").output.contains("6 photos"))
  }

  @Test(arguments: ["\u{FF}\u{D8}\u{FF}", "# Read me\n", "{\"name\": \"package\"}\n", "[1, 2]"])
  func `a file that is not an index is refused by name and left unchanged`(text: String)
    async throws
  {
    try folder.write(text, to: "mine")
    let mine = folder.path("mine")
    for arguments in [["index", samples.string], ["near", "1", "2"], ["index"]] {
      let outcome = try await photospots.run(arguments + ["--index", mine.string])
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("\(mine) was not written by photospots"), "\(outcome)")
      #expect(try folder.contents(of: mine) == Array(text.utf8))
      let names = Corpus.paths(under: folder.root).compactMap { $0.lastComponent?.string }
      #expect(names.filter { $0.hasPrefix("mine") } == ["mine"])
    }
  }

  @Test func `an index of a newer version is refused, naming both versions`() async throws {
    try folder.createFolder(folder.path("xdg_cache_home"))
    try folder.createFolder(folder.path("xdg_cache_home/photospots"))
    try folder.write(
      #"{"format":"photospots-index","version":4,"anything":[}"#,
      to: "xdg_cache_home/photospots/index.json")
    for arguments in [["near", "1", "2"], ["index", samples.string]] {
      let outcome = try await photospots.run(arguments)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("version 4") && outcome.errors.contains("version 3"))
    }
  }

  @Test func `file names with control characters or invalid UTF-8 are shown escaped`()
    async throws
  {
    try folder.createFolder(folder.path("photos"))
    let names: [[UInt8]] = [
      Array("a\nb.jpg".utf8), Array("red\u{1B}[31m.jpg".utf8),
      [0x62, 0xFF, 0x2E, 0x6A, 0x70, 0x67],
    ]
    for name in names {
      try folder.write(
        "not a photo".utf8, to: folder.path(bytes: Array("photos/".utf8) + name))
    }
    let outcome = try await photospots.run("index", folder.path("photos").string)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("3 malformed"))
    #expect(!outcome.errors.contains("\u{1B}"))
    #expect(outcome.errors.contains("a\\nb.jpg") && outcome.errors.contains("b\\xff.jpg"))
  }

  @Test func `a restored library is relocated with the photos of places, and back`() async throws {
    let (old, new) = (folder.path("old"), folder.path("new"))
    let content = try folder.contents(
      of: samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg"))
    for place in [old, new] {
      try folder.write(content, to: place.appending("a.jpg"))
      try folder.setModified(place.appending("a.jpg"), seconds: 1_700_000_000)
    }
    _ = try await photospots.run("index", old.string)
    let kept = try await photospots.run("places", "add", "48.85", "2.29", "--name", "Oak")
    let id = String(try #require(kept.output.split(separator: " ").dropFirst().first).dropLast())
    _ = try await photospots.run("places", "attach", id, old.appending("a.jpg").string)
    folder.remove(old)
    let indexed = try await photospots.run("index", new.string)
    let command = "photospots relocate \(old) \(new)"
    #expect(indexed.errors.contains(command), "\(indexed)")
    let refused = try await photospots.run("forget", old.string)
    #expect(refused.code == 1 && refused.errors.contains("1 photo of a place would be lost"))
    #expect(refused.errors.contains(command))
    let moved = try await photospots.run("relocate", old.string, new.string)
    #expect(moved.code == 0 && moved.output.contains("1 of 1 photos are there"), "\(moved)")
    #expect(moved.output.contains("along go 1 photo of a place"))
    #expect(moved.errors.contains("to take it back: photospots relocate --undo \(old) \(new)\n"))
    let again = try await photospots.run("relocate", old.string, new.string)
    #expect(again.code == 1 && again.errors.contains("is there already"), "\(again)")
    let swapped = try await photospots.run("relocate", "--undo", new.string, old.string)
    #expect(swapped.code == 1 && swapped.errors.contains("in the order of the relocation"))
    #expect(swapped.errors.contains("photospots relocate --undo \(old) \(new)\n"), "\(swapped)")
    #expect(try await photospots.run("places", "show", id).output.contains("\(new)/a.jpg"))
    let undone = try await photospots.run("relocate", "--undo", old.string, new.string)
    #expect(undone.code == 0 && undone.output.contains("relocated \(new) to \(old)"))
    #expect(try await photospots.run("places", "show", id).output.contains("\(old)/a.jpg"))
    let nested = try await photospots.run("relocate", old.string, folder.root.string)
    #expect(nested.code == 1 && nested.errors.contains("inside the other"))
    #expect(try await photospots.run("forget", "--yes", old.string).code == 0)
  }

  @Test func `photos of places follow a renamed folder, and a renamed library`() async throws {
    let (library, renamed) = (folder.path("library"), folder.path("renamed"))
    let content = try folder.contents(
      of: samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg"))
    try folder.write(content, to: library.appending("2025/a.jpg"))
    _ = try await photospots.run("index", library.string)
    let kept = try await photospots.run("places", "add", "48.85", "2.29", "--name", "Oak")
    let id = String(try #require(kept.output.split(separator: " ").dropFirst().first).dropLast())
    _ = try await photospots.run(
      "places", "attach", id, library.appending("2025/a.jpg").string)
    try folder.move(library.appending("2025"), to: library.appending("Paris"))
    let indexed = try await photospots.run("index")
    #expect(indexed.errors.contains("moved with their files: 1 photo of a place"), "\(indexed)")
    #expect(
      try await photospots.run("places", "show", id).output.contains("\(library)/Paris/a.jpg"))
    try folder.move(library, to: renamed)
    #expect(try await photospots.run("index", renamed.string).code == 0)
    #expect(
      try await photospots.run("places", "show", id).output.contains("\(renamed)/Paris/a.jpg"))
  }

  @Test func `a missing folder is reported with the forget command, which removes it`()
    async throws
  {
    let gone = folder.path("my disk")
    let photo = samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg")
    try folder.write(folder.contents(of: photo), to: gone.appending("a.jpg"))
    _ = try await photospots.run("index", gone.string)
    folder.remove(gone)
    for arguments in [["index"], ["index", "--full"], ["index", "--full", gone.string]] {
      let outcome = try await photospots.run(arguments)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("\(gone) does not exist"), "\(outcome)")
      #expect(outcome.errors.contains("photospots forget '\(gone)'"))
    }
    let unknown = try await photospots.run("forget", folder.path("other").string)
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("contains no files in") && unknown.errors.contains(gone.string))
    let forgotten = try await photospots.run("forget", gone.string)
    #expect(forgotten.code == 0)
    #expect(
      forgotten.output.contains("\(gone): 1 file; the index holds 0 located photos, 1 fewer"),
      "\(forgotten)")
    #expect(try await photospots.run("near", "48.86195", "2.28836").output.isEmpty)
    let nothing = try await photospots.run("index")
    #expect(nothing.code == 64 && nothing.errors.contains("photospots index FOLDER"))
  }

  /// The scan is slow because it saves a checkpoint after every file.
  @Test(arguments: ["HUP", "TERM"])
  func `SIGHUP or SIGTERM ends a scan, and the next one continues it`(signal: String)
    async throws
  {
    let photo = try folder.contents(
      of: samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg"))
    for number in 0..<400 { try folder.write(photo.prefix(20_000), to: "photos/\(number).jpg") }
    let outcome = try await Shell.run(
      """
      export XDG_CACHE_HOME=\(folder.root)/cache
      mkdir -p "$XDG_CACHE_HOME/photospots"
      photospots="\(PhotoSpotsProcess.program) index"
      status=0
      # On a busy machine the scan may end before the signal.
      until [ $status != 0 ]; do
        rm -f "$XDG_CACHE_HOME"/photospots/*
        $photospots --jobs 1 --checkpoint-interval 0s "\(folder.path("photos"))" & pid=$!
        timeout 120 tail -c +1 -F "$XDG_CACHE_HOME/photospots/index.json" 2> /dev/null |
          head -c 1 > /dev/null
        kill -\(signal) $pid; kill -\(signal == "HUP" ? "HUP" : "0") $pid; wait $pid; status=$?
      done
      echo status $status
      $photospots --json
      """)
    #expect(outcome.output.contains("status 1"), "\(outcome)")
    #expect(outcome.errors.contains("The progress is saved"))
    let read = try #require(outcome.output.firstMatch(of: /"filesRead": (\d+)/)?.1)
    #expect((1..<400).contains(Int(read) ?? 0))
  }

  @Test func `a scan started with SIGHUP ignored runs to its end`() async throws {
    let outcome = try await Shell.run(
      """
      export XDG_CACHE_HOME=\(folder.root)/cache
      trap '' HUP
      \(PhotoSpotsProcess.program) index --checkpoint-interval 0s --jobs 1 \
        "\(samples.appending("photos"))" & pid=$!
      until test -e "$XDG_CACHE_HOME/photospots/index.json.lock"; do sleep 0.01; done
      kill -HUP $pid; wait $pid; echo status $?
      """)
    #expect(outcome.output.contains("status 0"), "\(outcome)")
  }

  @Test func `photos on an unmounted disk stay in the index, and index exits with status 2`()
    async throws
  {
    try folder.createFolder(folder.path("disk"))
    let photo = samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg")
    try folder.write(folder.contents(of: photo), to: "disk/a.jpg")
    _ = try await photospots.run("index", folder.path("disk").string)
    folder.remove(folder.path("disk/a.jpg"))
    let stale = try await photospots.run("index")
    #expect(stale.code == 2)
    #expect(stale.errors.contains("stale"))
    #expect(try await photospots.run("near", "48.86195", "2.28836").output.contains("1 photo "))
    let full = try await photospots.run("index", "--full")
    #expect(full.code == 0)
    #expect(full.output.contains("1 removed"))
  }
}
