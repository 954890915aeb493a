import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// `photospots forget --everything` after the use of every command that stores files.
@Suite(.timeLimit(.minutes(30))) struct ForgetCommandTests {
  private let folder = TemporaryFolder()

  /// Runs a shell script with the program as `photospots`, and its folders in `home`.
  private func run(_ script: String) async throws -> (output: String, errors: String) {
    try await Shell.run(
      """
      cd \(folder.root)
      export HOME=$PWD/home TZ=UTC PHOTOSPOTS_LISTEN_TOKENS=phone=0123456789abcdef
      export XDG_CACHE_HOME=$HOME/cache XDG_CONFIG_HOME=$HOME/config XDG_STATE_HOME=$HOME/state
      unset http_proxy https_proxy
      mkdir -p home
      photospots() { "\(PhotoSpotsProcess.program)" "$@"; }
      \(Shell.await)
      serve() {
        "\(PhotoSpotsProcess.program)" serve --listen 127.0.0.1:0 --no-browser "$@" > out 2> err &
        pid=$!
        await 'key=' out
        url=$(sed 's,/#key=.*,,' out) key=$(sed 's,.*#key=,,' out)
      }
      ask() { curl -sS --max-time 60 -H "Authorization: Bearer $key" "$@"; }
      stop() { kill -TERM $pid; wait $pid; }
      stored() { (cd home && find . -type f ! -path './new/*' | sort); }
      \(script)
      """)
  }

  private func text(of name: String) throws -> String {
    String(decoding: try Corpus.contents(of: folder.path(name)), as: UTF8.self)
  }

  /// Runs each command that stores files.
  private static let storing = """
    cp -R \(samples)/photos album
    photospots index album > /dev/null
    photospots watch \(samples)/walk.ndjson --record > /dev/null 2>&1
    photospots near 48.86194 2.2883 --format json > near.json
    photospots mute "$(sed -n 's/.*"id": "\\([^"]*\\)".*/\\1/p' near.json | head -n 1)" > /dev/null
    photospots places add 48.8584 2.2945 --name Tower > /dev/null
    photospots pairs --limit 2 > /dev/null 2>&1
    echo '{"format":"photospots-source","version":1,"token":"1"}' > home/cache/photospots/index.json.source
    echo '{"proximityRadius": 120, "recreationsFolder": "~/new"}' > settings.json
    mkdir -p home/config/photospots && cp settings.json home/config/photospots/config.json

    """

  private static let storingByServer = """
    serve --keep-trail album
    ask "$url/api/v1/status" | grep -q '"spots":[1-9]' || await 'loaded a new index' err
    ask "$url/api/v1/spots?near=48.8619,2.2883&limit=1" > near
    photo=$(sed 's/.*"cover":"\\([^"]*\\)".*/\\1/' near)
    ask -o /dev/null "$url/api/v1/photos/$photo/picture?size=320"
    ask -o /dev/null "$url/api/v1/recreations?photo=$photo&score=0.9" --data-binary @album/Scans/house.jpg
    for seconds in 0 60 120; do
      curl -sS -o /dev/null -u phone:0123456789abcdef "$url/feed" --data '{"_type":"location","lat":48.86194,"lon":2.2883,"acc":5,"tid":"ab","tst":'"$(($(date +%s) - 180 + seconds))"'}'
    done
    stop

    """

  @Test(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
  func `forget --everything deletes all stored files, but keeps photos and settings`()
    async throws
  {
    let outcome = try await run(
      Self.storing + Self.storingByServer + """
        find album -type f | sort > photos-before; stored > stored
        photospots forget --everything --yes > listing
        echo "ended with $?"
        stored; find home/cache home/config home/state -mindepth 1 -maxdepth 1; ls home/new | wc -l
        find album -type f | sort | cmp - photos-before && echo 'the photos are there'
        cmp settings.json home/config/photospots/config.json && echo 'the settings are there'
        photospots forget --everything --yes --with-settings > /dev/null; stored
        photospots forget --everything | head -n 1
        """)
    #expect(
      outcome.output == """
        ended with 0
        ./config/photospots/config.json
        home/config/photospots
        1
        the photos are there
        the settings are there
        PhotoSpots has stored nothing here.

        """, "\(outcome)")
    let stored = try text(of: "stored")
    for name in [
      "cache/photospots/index.json", "cache/photospots/index.json.source",
      "state/photospots/journal.ndjson",
      "state/photospots/mutes.json", "state/photospots/places.json",
      "state/photospots/serve-key.json", "state/photospots/devices.json",
      "state/photospots/recreations.json", "state/photospots/trails/phone.ndjson",
    ] {
      #expect(stored.contains("./\(name)\n"), "nothing stores \(name): \(stored)")
    }
    let listing = try text(of: "listing")
    for line in stored.split(separator: "\n") where !line.contains("/cache/photospots/p") {
      #expect(listing.contains(line.dropFirst()), "\(line) is not listed: \(listing)")
    }
    #expect(listing.contains("kept: photos") && listing.contains("config.json, which may hold"))
  }

  @Test func `forget deletes nothing without a confirmation`() async throws {
    let outcome = try await run(
      Self.storing + """
        stored > before
        photospots forget --everything < /dev/null > listing; echo "ended with $?"
        echo no | photospots forget --everything > /dev/null 2>&1; echo "ended with $?"
        stored | cmp - before && grep -c journal.ndjson listing
        """)
    #expect(outcome.output == "ended with 1\nended with 1\n1\n", "\(outcome)")
    #expect(outcome.errors.contains("nothing was deleted. Add --yes"))
  }

  @Test func `forget deletes nothing while a server is running`() async throws {
    let outcome = try await run(
      Self.storing + """
        serve album
        photospots forget --everything --yes; echo "ended with $?"
        ls home/cache/photospots/index.json home/state/photospots/journal.ndjson
        ls home/state/photospots/serve-key.json
        stop
        photospots forget --everything --yes > /dev/null; echo "ended with $?"
        """)
    #expect(
      outcome.output == """
        ended with 1
        home/cache/photospots/index.json
        home/state/photospots/journal.ndjson
        home/state/photospots/serve-key.json
        ended with 0

        """, "\(outcome)")
    #expect(outcome.errors.contains("'photospots watch' or 'serve' is running. Stop it, then try"))
  }

  @Test func `forget keeps files that PhotoSpots did not write`() async throws {
    let outcome = try await run(
      """
      mkdir -p mine/trails home/cache/photospots
      for name in journal.md places.csv lock.txt trails/old.gpx devices.json.bak photo.jpg; do
        echo mine > mine/$name
      done
      echo mine > elsewhere; ln -s "$PWD/elsewhere" home/cache/photospots/tiles
      echo '{"a":1}' > home/cache/photospots/notes.json
      photospots watch \(samples)/walk.ndjson --state mine --record > /dev/null 2>&1
      photospots forget --everything --yes --state mine > listing; echo "ended with $?"
      (cd mine && find . -type f | sort); ls home/cache/photospots; cat elsewhere
      grep -c 'PhotoSpots did not write' listing
      """)
    #expect(
      outcome.output == """
        ended with 0
        ./devices.json.bak
        ./journal.md
        ./lock.txt
        ./photo.jpg
        ./places.csv
        ./trails/old.gpx
        notes.json
        mine
        7

        """, "\(outcome)")
  }

  @Test func `forget --everything deletes the index that is named, and keeps the usual one`()
    async throws
  {
    let outcome = try await run(
      Self.storing + """
        photospots index album --index home/other.json > /dev/null
        photospots index album --index home/cache/photospots/third.json > /dev/null
        for name in home/other.json home/cache/photospots/third.json; do
          photospots forget --everything --yes --index $name --state home/none > listing
          echo "ended with $?"; grep -c 'kept: .*/index.json, another index' listing
          ls $name* 2> /dev/null
        done
        photospots spots --limit 1 | cut -c 1-5
        photospots forget --everything --yes > /dev/null; ls home/cache/photospots/index.json*
        """)
    #expect(
      outcome.output == "ended with 0\n1\nended with 0\n1\nParis\n", "\(outcome)")
  }

  @Test func `forget refuses a folder whose lock file is of another program`() async throws {
    let outcome = try await run(
      """
      mkdir mine; echo 'shared by hand' > mine/lock; echo '{}' > mine/places.json
      photospots forget --everything --yes --state mine; echo "ended with $?"; ls mine
      """)
    #expect(outcome.output == "ended with 1\nlock\nplaces.json\n", "\(outcome)")
  }

  @Test func `forget takes either folders or --everything`() async throws {
    let outcome = try await run(
      """
      photospots forget --everything album; echo "ended with $?"
      photospots forget; echo "ended with $?"
      """)
    #expect(outcome.output == "ended with 64\nended with 64\n", "\(outcome)")
  }
}
