import CLibrary
import SystemPackage
import TestSupport
import Testing

#if HTTPServer
  /// The page and its API as one process, from its start to its end.
  @Suite(.timeLimit(.minutes(30))) struct ServeTests {
    private let folder = TemporaryFolder()
    private let token = "0123456789abcdef"

    /// Runs a shell script in which `serve` starts the program, and `ask PATH` sends a request with
    /// the key.
    private func serving(
      _ script: String, files: [String: String] = [:]
    ) async throws -> (output: String, errors: String) {
      for (name, text) in files { try folder.write(text, to: name) }
      return try await Shell.run(
        """
        cd \(folder.root)
        export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
        export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices PHOTOSPOTS_LISTEN_TOKENS=phone=\(token)
        photospots="\(PhotoSpotsProcess.program)"
        \(Shell.await)
        # Waits until a condition is true, checking it after each reload of the index.
        wait_for() {
          count=0
          until "$@"; do count=$((count + 1)); await 'loaded a new index' err $count; done
        }
        serve() {
          : > out
          "$photospots" serve --listen 127.0.0.1:0 --no-browser "$@" > out 2> err & pid=$!
          await 'key=' out
          url=$(sed 's,/#key=.*,,' out) key=$(sed 's,.*#key=,,' out)
        }
        get() { curl -sS --max-time 20 "$@"; }
        ask() { path=$1; shift; get -H "Authorization: Bearer $key" "$url/api/v1/$path" "$@"; }
        status() { get -o /dev/null -w '%{http_code}' "$@"; }
        has_spots() { ask status | grep -q '"spots":[1-9]'; }
        stop() { kill -TERM $pid; wait $pid; echo "ended with $?"; }
        \(script)
        """)
    }

    private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `serve indexes the named folders, and the API needs the key`()
      async throws
    {
      let outcome = try await serving(
        """
        serve \(samples)/photos
        wait_for has_spots
        status "$url/"; echo " page"
        status "$url/api/v1/status"; echo " without a key"
        status -H "Host: evil.test" "$url/"; echo " by another name"
        ask 'spots?near=48.8619,2.2883&limit=1' | grep -o '"distance":[0-9.]*' | tail -n 1
        stop
        """)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.output == """
          200 page
          401 without a key
          421 by another name
          "distance":4.9
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `the key is kept in a private file until --new-key replaces it`() async throws {
      let outcome = try await serving(
        """
        serve; first=$key; stop
        ls -l state/photospots/serve-key.json | cut -c1-10
        serve; [ "$key" = "$first" ] && echo same; stop
        serve --new-key; [ "$key" = "$first" ] || echo another
        status -H "Authorization: Bearer $first" "$url/api/v1/status"; echo " with the old one"; stop
        chmod 644 state/photospots/serve-key.json
        "$photospots" serve --listen 127.0.0.1:0 2>&1 | grep -o 'other users can read the key'
        """)
      #expect(
        outcome.output == """
          ended with 0
          -rw-------
          same
          ended with 0
          another
          401 with the old one
          ended with 0
          other users can read the key

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `--browser opens a private file that redirects to the page`() async throws {
      let outcome = try await serving(
        """
        mkdir bin
        cat > bin/xdg-open <<'END'
        #!/bin/sh
        path=${1#file://}
        ls -l "$path" | cut -c1-10 > opened.part
        grep -o 'url=[^"]*' "$path" >> opened.part
        mv opened.part opened
        END
        chmod +x bin/xdg-open
        PATH=$PWD/bin:$PATH serve --browser
        await . opened
        head -n 1 opened
        [ "$(tail -n 1 opened)" = "url=$(cat out)" ] && echo "the address"
        stop
        ls state/photospots | grep -c html
        """)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output == "-rw-------\nthe address\nended with 0\n0\n")
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a second server or a watch with the same state is refused`() async throws {
      let outcome = try await serving(
        """
        serve \(samples)/photos
        "$photospots" serve --listen 127.0.0.1:0 > second 2>&1; echo "second: $?"
        echo | "$photospots" watch - > third 2>&1; echo "watch: $?"
        grep -c 'in use by another' second third
        stop
        """)
      #expect(outcome.output == "second: 1\nwatch: 1\nsecond:1\nthird:1\nended with 0\n")
    }

    @Test func `serve refuses invalid arguments, such as listening beyond loopback without TLS`()
      async throws
    {
      let photospots = PhotoSpotsProcess(home: folder.root)
      for (arguments, reason) in [
        (["--listen", "0.0.0.0:0"], "use --certificate and --key"),
        (["--certificate", "x"], "must be used together"),
        (
          ["--behind-proxy", "--certificate", "x", "--key", "y"],
          "cannot be used with --certificate"
        ),
        (["--source", "-"], "only live feeds can be watched"),
        (["--source", "http://127.0.0.1:1"], "remove this source"),
        (["--listen", "nowhere"], "write host:port"),
      ] {
        let outcome = try await photospots.run(["serve"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(reason), "\(arguments)")
        #expect(outcome.output.isEmpty)
      }
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `positions from a phone appear in the API, fire alerts, and reach event streams`()
      async throws
    {
      let outcome = try await serving(
        #"""
        serve \#(samples)/photos
        await 'loaded a new index' err
        ask events -N > events & listener=$!
        await retry events
        send() {
          get -u phone:\#(token) -o /dev/null -w '%{http_code} ' "$url/feed" \
            -d '{"_type":"location","tst":'$1',"lat":'$2',"lon":2.2883,"acc":5}'
        }
        now=$(date +%s)
        send $((now - 60)) 48.8640; send $((now - 30)) 48.8630; send $now 48.86194; echo
        await 'event: alert' events
        ask devices | grep -o '"total":[0-9]*'
        ask devices/phone/trail | grep -o '"total":[0-9]*'
        ask alerts | grep -o '"decision":"[a-z]*"'
        grep -c 'event: position' events
        get -u phone:wrong-token-of-a-phone -o /dev/null -w '%{http_code}\n' "$url/feed" -d '{}'
        stop
        wait $listener
        """#)
      #expect(
        outcome.output == """
          200 200 200 \n"total":1
          "total":3
          "decision":"notify"
          3
          401
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `alert links mute a spot by POST without the key`()
      async throws
    {
      let settings = #"{"pageAddress": "https://photos.example:8443"}"#
      let outcome = try await serving(
        #"""
        cat > hook <<'END'
        #!/bin/sh
        echo "$PHOTOSPOTS_TAKE_AGAIN_LINK $PHOTOSPOTS_MUTE_LINK $PHOTOSPOTS_NOT_NOW_LINK" > links.new
        cat > alert; mv links.new links
        END
        chmod +x hook
        serve \#(samples)/photos --hook ./hook
        await 'loaded a new index' err
        send() {
          get -u phone:\#(token) -o /dev/null \
            "$url/feed" -d '{"_type":"location","tst":'$1',"lat":'$2',"lon":2.2883,"acc":5}'
        }
        now=$(date +%s)
        send $((now - 60)) 48.8640; send $((now - 30)) 48.8630; send $now 48.86194
        await . links
        read -r again mute wait < links
        echo "$again" | sed 's,/spot/[a-z0-9]*/,/spot/ID/,'
        grep -o '"links":{"takeAgain":"[^#]*#17' alert
        grep -c "$key" links alert
        mute=${mute#https://photos.example:8443} wait=${wait#https://photos.example:8443}
        mutes() { ask mutes | grep -o '"until"\|"total":[0-9]*' | tr '\n' ' '; echo "$1"; }
        status -H 'Host: photos.example:8443' "$url$mute"; mutes ' asked'
        status -X POST "$url$wait"; mutes ' not now'
        status -X POST "$url$mute"; mutes ' muted'
        status -X POST "$url$mute"; mutes ' again'
        status -X POST "$url$wait"; mutes ' not shorter'
        status -X POST "$url${mute}0"; status -X POST "$url/api/v1/actions/$key"; echo ' others'
        ls -l state/photospots/action-key.json | cut -c1-10
        stop
        """#, files: ["config/photospots/config.json": settings])
      #expect(
        outcome.output == """
          https://photos.example:8443/#17/48.8619433/2.2883117/spot/ID/again
          "links":{"takeAgain":"https://photos.example:8443/#17
          links:0
          alert:0
          200"total":0  asked
          200"until" "total":1  not now
          200"total":1  muted
          200"total":1  again
          200"total":1  not shorter
          404404 others
          -rw-------
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `mutes and settings changed through the API are saved in their files`()
      async throws
    {
      let outcome = try await serving(
        #"""
        serve \#(samples)/photos
        wait_for has_spots
        spot=$(ask 'spots?limit=1' | sed 's/.*"id":"\([^"]*\)".*/\1/')
        ask mutes/$spot -X PUT -o /dev/null -w '%{http_code}\n'
        "$photospots" mute | wc -l
        ask mutes/$spot -X DELETE -o /dev/null -w '%{http_code}\n'
        "$photospots" mute 2> /dev/null | wc -l
        ask settings -X PATCH -d '{"proximityRadius": "200 m"}' | grep -o '"name":"proximityRadius","value":"200 m"'
        cat config/photospots/config.json
        ask settings -X PATCH -d '{"proximityRadius": "far"}' -o /dev/null -w '%{http_code}\n'
        ask status | grep -o '"proximityRadius":200'
        ask 'replays?set=proximityRadius=50m' --data-binary @"\#(samples)/walk.nmea" | grep -o '"settings":"[^"]*"'
        ask replays -d 'no track' -o /dev/null -w '%{http_code}\n'
        stop
        """#)
      #expect(
        outcome.output == """
          200
          1
          204
          0
          "name":"proximityRadius","value":"200 m"
          {
            "proximityRadius": "200 m"
          }
          422
          "proximityRadius":200
          "settings":"as set"
          "settings":"proximityRadius=50m"
          422
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a new index is noticed, and a changed photo is not served by its old id`() async throws {
      let outcome = try await serving(
        #"""
        cp -r \#(samples)/photos photos
        "$photospots" index photos > /dev/null
        serve
        tag() { ask 'spots?limit=1' -D - -o /dev/null | grep -i '^etag'; }
        before=$(tag)
        photo=$(ask 'spots?limit=1' | sed 's/.*"cover":"\([^"]*\)".*/\1/')
        ask "photos/$photo/picture?size=96" -o /dev/null -w '%{http_code} %{content_type}\n'
        # Changes every photo: none may be served under its old id.
        find photos -name '*.jpg' | while read -r file; do echo more >> "$file"; done
        ask "photos/$photo/picture?size=96" -o /dev/null -w '%{http_code}\n'
        is_new() { [ "$(tag)" != "$before" ]; }
        wait_for is_new
        ask "photos/$photo" -o /dev/null -w '%{http_code}\n'
        stop
        """#)
      #expect(
        outcome.output == """
          200 image/jpeg
          404
          404
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a recreated spot is silent for the interval of the setting`()
      async throws
    {
      let settings = #"{"recreationsFolder": "\#(folder.root)/new", "recreationInterval": "1y"}"#
      let outcome = try await serving(
        #"""
        serve \#(samples)/photos
        await 'loaded a new index' err
        ask 'spots?near=48.8619,2.2883&limit=1' > near
        photo=$(sed 's/.*"cover":"\([^"]*\)".*/\1/' near) spot=$(sed 's/.*"id":"\([^"]*\)".*/\1/' near)
        spots() { "$photospots" spots "$@" | grep -c "$spot"; }
        spots --not-recreated-since 1y; spots --format json; ask spots/$spot | grep -c lastRecreated
        before=$(grep -c 'loaded a new index' err)
        ask "recreations?photo=$photo" -o /dev/null --data-binary "@\#(samples)/photos/Scans/house.jpg"
        await 'loaded a new index' err $((before + 1))
        spots --not-recreated-since 1y; spots --not-recreated-since 0s
        "$photospots" spots --format json | grep -c lastRecreated
        ask spots/$spot | grep -c lastRecreated
        send() {
          get -u phone:\#(token) -o /dev/null \
            "$url/feed" -d '{"_type":"location","tst":'$1',"lat":'$2',"lon":2.2883,"acc":5}'
        }
        now=$(date +%s)
        send $((now - 60)) 48.8640; send $((now - 30)) 48.8630; send $now 48.86194
        await '"by":"recreated"' state/photospots/journal.ndjson
        "$photospots" why "$spot" | grep -o 'you had taken it again\|silent for 365 d'
        stop
        """#, files: ["config/photospots/config.json": settings])
      #expect(
        outcome.output == """
          1
          1
          0
          0
          1
          1
          1
          you had taken it again
          silent for 365 d
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a recreation is saved as a new file, and existing photos stay unchanged`()
      async throws
    {
      let settings = #"{"recreationsFolder": "\#(folder.root)/new"}"#
      let outcome = try await serving(
        #"""
        cp -r \#(samples)/photos old; chmod -R a-w old
        find old -type f -exec cksum {} + > before
        serve old
        wait_for has_spots
        ask 'spots?near=48.8619,2.2883&limit=1' > near
        photo=$(sed 's/.*"cover":"\([^"]*\)".*/\1/' near) spot=$(sed 's/.*"id":"\([^"]*\)".*/\1/' near)
        ask events -N > events & listener=$!
        await retry events
        again() { ask "recreations?photo=$photo&score=0.9" --data-binary "@old/Scans/house.jpg"; }
        again > first; again > second; cmp first second && echo "the same"
        ls new | grep -c '^20[0-9-]* [0-9]*[.][0-9]*[.][0-9]* .* ([0-9]*)[.]jpg$'
        "$photospots" inspect new/*.jpg | grep -o 'EXIF position *valid\|EXIF DateTimeOriginal'
        id=$(sed 's/.*"id":"\([^"]*\)".*/\1/' first)
        ask "recreations/$id/picture" | cmp - new/*.jpg && echo "given out"
        await "$id" events; kill $listener
        in_spot() { ask "spots/$spot" | grep -q '"name":"20[0-9-]* .*[.]jpg"'; }
        wait_for in_spot; echo "in the index"
        ask recreations | grep -o '"photo":"'$photo'\|"total":1'
        ask "recreations?photo=$photo" --data-binary @before -o /dev/null -w '%{http_code}\n'
        ask "recreations/$id" -X DELETE -o /dev/null -w '%{http_code}\n'
        ask recreations | grep -o '"total":0'; ls new | wc -l
        find old -type f -exec cksum {} + | cmp - before && echo "as before"
        chmod -R u+w old
        stop
        """#, files: ["config/photospots/config.json": settings])
      #expect(outcome.errors.isEmpty)
      let photo = outcome.output.split(separator: "\n").first { $0.hasPrefix("\"photo\":") } ?? ""
      #expect(
        outcome.output == """
          the same
          1
          EXIF position valid
          EXIF DateTimeOriginal
          given out
          in the index
          \(photo)
          "total":1
          415
          204
          "total":0
          1
          as before
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a place added through the API alerts in the running watch and notifies pages`()
      async throws
    {
      let outcome = try await serving(
        #"""
        serve
        get -N -H "Authorization: Bearer $key" "$url/api/v1/events" > events 2> /dev/null & listener=$!
        await retry events
        body='{"latitude":10,"longitude":20,"name":"<img onerror=x>","radius":400,"note":"Nest"}'
        ask places --data-binary "$body" > kept
        id=$(sed 's/^{"id":"\([^"]*\)".*/\1/' kept); echo "$id" | grep -c '^[0-9a-z]\{16\}$'
        await '^event: places' events
        ls -l state/photospots/places.json | cut -c1-10
        await 'loaded the places (1)' err
        get -u phone:\#(token) -o /dev/null "$url/feed" \
          -d '{"_type":"location","tst":'$(date +%s)',"lat":10.003,"lon":20,"acc":5}'
        await '^event: alert' events; kill $listener
        ask alerts | grep -q "\"spot\":{\"id\":\"$id\"" && echo fired
        get "http://me:$key@${url#http://}/api/v1/spots.geojson" | grep -o '"title":"<img onerror=x>"'
        ask "places/$id" -X DELETE -o /dev/null -w '%{http_code}\n'
        await 'loaded the places (0)' err
        ask "places/$id/restore" -X POST | grep -o '"removed":null'
        stop
        """#)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.output == """
          1
          -rw-------
          fired
          "title":"<img onerror=x>"
          204
          "removed":null
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a remote photo's picture is fetched once and never exposes the server's key`()
      async throws
    {
      let immich = FakeImmich([
        FakeImmich.Asset(3, taken: 1_600_000_000_000, updated: 1_700_000_000_000)
      ])
      let picture = try Corpus.contents(of: samples.appending("photos/Scans/house.jpg"))
      let server = try LoopbackServer { _, request in
        guard request.path.hasPrefix("/api/assets/") else {
          return immich.text(
            request.method, request.path, key: request.headers["x-api-key"], body: request.body)
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"
        return .raw(Array(head.utf8) + picture)
      }
      let outcome = try await serving(
        """
        export PHOTOSPOTS_IMMICH_KEY=\(immich.key)
        serve immich+http://127.0.0.1:\(server.port)
        wait_for has_spots
        photo=$(ask 'spots?near=48.003,11.5&limit=1' | grep -o '"cover":"[^"]*"' | cut -d'"' -f4)
        ask "photos/$photo/picture?size=96" -o /dev/null -w '%{http_code} %{content_type}\\n'
        ask "photos/$photo/picture?size=256" -o /dev/null -w '%{http_code}\\n'
        ask "photos/$photo" > photo; grep -o '"name":"[^"]*"' photo
        grep -o '"url":"[^"]*"' photo | grep -c '/photos/00000000-0000-4000-8000-000000000003'
        ask settings > settings; cat photo settings out err | grep -c \(immich.key)
        stop
        """)
      #expect(
        outcome.output == """
          200 image/jpeg
          200
          "name":"IMG_3.jpg"
          1
          0
          ended with 0

          """, "\(outcome)")
      let asked = server.requests.filter { $0.path.hasPrefix("/api/assets/") }
      #expect(asked.map(\.path).count == 1)
      #expect(asked.allSatisfy { !$0.path.contains(immich.key) })
    }
  }
#endif
