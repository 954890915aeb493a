import CLibrary
import ProcessSupport
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
        export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,vehicles PHOTOSPOTS_LISTEN_TOKENS=phone=\(token)
        photospots="\(PhotoSpotsProcess.program)"
        \(Shell.await)
        # Waits until a condition is true, checking it after each reload of the index.
        wait_for() {
          count=0
          until "$@"; do count=$((count + 1)); await 'loaded a new index' err $count; done
        }
        serve() {
          : > out
          case "$*" in *--listen*) ;; *) set -- --listen 127.0.0.1:0 "$@" ;; esac
          "$photospots" serve --no-browser "$@" > out 2> err & pid=$!
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

    @Test(
      .enabled(
        if: hasCurl && access("/usr/bin/openssl", X_OK) == 0, "curl or openssl is not installed"))
    func `with --lan the page has a certificate of the machine's own authority`() async throws {
      let outcome = try await serving(
        """
        cd \(folder.root)
        trust="--cacert state/photospots/home-authority.pem"
        serve --lan --listen 127.0.0.1:0
        case "$url" in https://127.0.0.1:*) echo "https" ;; esac
        status $trust "$url/"; echo " with the authority"
        status "$url/" 2> /dev/null; echo " without it"
        port=${url##*:}
        get -o /dev/null -w '%{http_code} %{redirect_url}' "http://127.0.0.1:$port/" |
          sed "s,$port,PORT,"; echo " on this machine"
        get -o /dev/null -w '%{http_code} %{redirect_url}' -H "Host: home.local:$port" \
          "http://127.0.0.1:$port/" | sed "s,$port,PORT,"; echo
        stop
        cp state/photospots/home-authority.pem first
        serve --lan --listen 127.0.0.1:0
        cmp first state/photospots/home-authority.pem && echo "the same authority"
        stop
        """)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.output == """
          https
          200 with the authority
          000 without it
          200  on this machine
          308 https://home.local:PORT/
          ended with 0
          the same authority
          ended with 0

          """)
    }

    @Test(
      .enabled(
        if: hasCurl && access("/usr/bin/openssl", X_OK) == 0, "curl or openssl is not installed"))
    func `the setting lan gives the page a certificate, or says that it cannot be made`()
      async throws
    {
      let outcome = try await serving(
        """
        export PHOTOSPOTS_LAN=true PHOTOSPOTS_SERVE_HOSTS=192.168.1.20
        "$photospots" index \(samples)/photos > /dev/null 2>&1
        serve --listen 0.0.0.0:0 --behind-proxy
        case "$url" in https://192.168.1.20:*) echo "https" ;; esac
        port=${url##*:}
        status "http://127.0.0.1:$port/"; echo " on this machine"
        status -H "Host: 192.168.1.20:$port" "http://127.0.0.1:$port/"; echo " by another name"
        grep -c 'so --behind-proxy has no effect' err
        get -o /dev/null -w '%{http_code} for a change\n' -X PATCH -d '{"lan": false}' \
          -H 'Content-Type: application/json' -H "Authorization: Bearer $key" \
          "http://127.0.0.1:$port/api/v1/settings"
        stop
        unset PHOTOSPOTS_LAN
        mkdir -p config/photospots; echo '{"lan": true}' > config/photospots/config.json
        serve --listen 0.0.0.0:0
        echo '{"lan": false}' > config/photospots/config.json
        await "http://127.0.0.1:" out; echo "this machine alone"
        stop
        echo '{"lan": true}' > config/photospots/config.json
        mkdir bin; printf '#!/bin/sh\nexit 1\n' > bin/openssl; chmod +x bin/openssl
        rm -r state
        PATH=$PWD/bin:$PATH
        serve --listen 127.0.0.1:0
        case "$url" in http://127.0.0.1:*) echo "http" ;; esac
        ask status | grep -o '"outages":[^]]*'
        grep -c 'phones of this network cannot be let in' err
        "$photospots" status 2>&1 | grep -o 'phones of this network cannot open the page'
        stop
        """)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.output == """
          https
          200 on this machine
          308 by another name
          1
          422 for a change
          ended with 0
          this machine alone
          ended with 0
          http
          "outages":["lan"
          1
          phones of this network cannot open the page
          ended with 0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a photo that became a link to another file is not sent`() async throws {
      let outcome = try await serving(
        """
        mkdir -p photos/2008 private
        cp \(samples)/photos/*.jpg photos/2008 2> /dev/null || cp -r \(samples)/photos/. photos/2008
        serve photos
        wait_for has_spots
        id=$(ask 'spots?limit=1' | grep -o '"cover":"[^"]*"' | cut -d'"' -f4)
        code() { status -H "Authorization: Bearer $key" "$url/api/v1/photos/$id/$1"; echo " $2"; }
        code original 'the photo'
        # Each file is replaced by a link to a secret of the same size and time.
        find photos -type f | while read -r file; do
          cp --preserve=timestamps "$file" "private/secret"
          rm "$file"; ln -s "$PWD/private/secret" "$file"
        done
        code original 'a link'; code picture 'a link'
        rm -r photos/2008
        mkdir away; cp -rp \(samples)/photos/. away
        ln -s ../away photos/2008
        code original 'in a folder that is a link'
        stop
        """)
      #expect(
        outcome.output == """
          200 the photo
          404 a link
          404 a link
          404 in a folder that is a link
          ended with 0

          """, "\(outcome.errors)")
    }

    @Test(
      .enabled(if: hasCurl, "curl is not installed"),
      .enabled(if: access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"))
    func `a thousand strangers who log in with long bodies take little memory`() async throws {
      let outcome = try await serving(
        """
        serve \(samples)/photos
        wait_for has_spots
        cat > strangers.py <<'END'
        import re, resource, socket, sys
        port, pid = int(sys.argv[1]), sys.argv[2]
        def peak():
            return int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/' + pid + '/status').read()).group(1))
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4000, hard), hard))
        before, sockets = peak(), []
        for length in (4096, 1 << 20):
            for _ in range(500):
                try:
                    s = socket.create_connection(('127.0.0.1', port), timeout=5)
                    s.settimeout(0.2)
                    s.sendall((
                        'POST /api/v1/session HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\n'
                        'Origin: http://127.0.0.1:%d\\r\\nContent-Length: %d\\r\\n\\r\\n'
                        % (port, port, length)).encode())
                    s.sendall(b'{"key":"' + b'a' * (length - 20))
                except OSError:
                    pass
                sockets.append(s)
        print((peak() - before) // 1024)
        END
        /usr/bin/python3 strangers.py "${url##*:}" $pid
        stop
        """)
      let lines = outcome.output.split(separator: "\n").map(String.init)
      let mebibytes = try #require(lines.first.flatMap { Int($0) }, "\(outcome)")
      #expect(mebibytes < 100)
      #expect(lines.last == "ended with 0")
    }

    #if os(Linux)
      @Test(.enabled(if: hasCurl, "curl is not installed"))
      func `pictures survive a crash of their process, which ends with the server`() async throws {
        let outcome = try await serving(
          """
          serve \(samples)/photos
          wait_for has_spots
          id=$(ask 'spots?limit=1' | grep -o '"cover":"[^"]*"' | cut -d'"' -f4)
          code() {
            status -H "Authorization: Bearer $key" "$url/api/v1/photos/$id/picture?size=$1"
            echo " $2"
          }
          workers() {
            grep -ls "^PPid:[[:space:]]*$pid$" /proc/[0-9]*/status | cut -d/ -f3
          }
          # Whether a process is there, and not only its status.
          lives() { grep -qs '^State:[[:space:]]*[^ZX[:space:]]' /proc/$1/status; }
          code 300 'before a crash'
          [ -n "$(workers)" ] && echo 'by a process of their own'
          for worker in $(workers); do
            grep -c '^NoNewPrivs:.1' /proc/$worker/status
            tr '\\0' ' ' < /proc/$worker/environ | grep -c PHOTOSPOTS
          done | sort -u
          for worker in $(workers); do
            kill -SEGV $worker
            while lives $worker; do :; done
          done
          code 301 'after it'
          last=$(workers)
          kill -KILL $pid; wait $pid
          for worker in $last; do while lives $worker; do :; done; done
          echo 'none is left'
          """)
        #expect(
          outcome.output == """
            200 before a crash
            by a process of their own
            0
            1
            200 after it
            none is left

            """, "\(outcome.errors)")
      }
    #endif

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a photo whose picture turns out to be damaged is no cover any more`() async throws {
      for (name, date, seed) in [("a", "2019", 1), ("b", "2020", 2)] as [(String, String, UInt64)] {
        let photo = DrawnView(seed: seed).jpeg(
          date: date + ":05:01 12:00:00", latitude: 43.4674, longitude: 11.8851)
        // The later one is the cover at first.
        try folder.write(
          name == "b" ? photo.prefix(photo.count / 2) : photo[...], to: "p/\(name).jpg")
      }
      let outcome = try await serving(
        """
        cover() { ask 'spots?limit=1' | grep -o '"cover":"[^"]*"' | cut -d'"' -f4; }
        tag() { ask 'spots?limit=1' -D - -o /dev/null | grep -i '^etag'; }
        serve p
        wait_for has_spots
        first=$(cover) tag=$(tag)
        ask "photos/$first/picture?size=300" -o /dev/null -w '%{http_code}\\n'
        second=$(cover)
        [ "$first" = "$second" ] || echo 'another cover'
        [ "$(tag)" = "$tag" ] || echo 'another state'
        ask "photos/$second/picture?size=300" -o /dev/null -w '%{http_code}\\n'
        [ "$(cover)" = "$second" ] && echo 'which stays'
        stop
        serve p
        [ "$(cover)" = "$second" ] && echo 'also after a restart'
        stop
        """)
      #expect(
        outcome.output == """
          200
          another cover
          another state
          200
          which stays
          ended with 0
          also after a restart
          ended with 0

          """, "\(outcome.errors)")
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
        "$photospots" serve --listen 127.0.0.1:0 2>&1 | grep -o 'others can read it'
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
          others can read it

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
        # The browser gets a code that works once, and the reader of the output the key.
        code=$(tail -n 1 opened | sed 's,.*#pair=,,')
        [ "$(tail -n 1 opened)" = "url=$url/#pair=$code" ] && echo "the address with a code"
        login() {
          status -X POST -H "Origin: $url" -c jar -d "{\\"code\\":\\"$1\\"}" "$url/api/v1/session"
        }
        login "$code"; echo " the code"; login "$code"; echo " again"
        stop
        ls state/photospots | grep -c html
        """)
      #expect(outcome.errors.isEmpty)
      #expect(
        outcome.output == """
          -rw-------
          the address with a code
          200 the code
          401 again
          ended with 0
          0

          """)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a session is kept, is ended by itself and by others, and changes need its token`()
      async throws
    {
      let outcome = try await serving(
        """
        serve
        login() { # Logs in as a browser of a name, with the cookie in a file of its own.
          get -X POST -H "Origin: $url" -A "$1" -c "$1" -d "$2" "$url/api/v1/session" \\
            | cut -d'"' -f4 > "$1.token"
        }
        as() { # METHOD PATH, as the browser of a name.
          name=$1; method=$2; path=$3; shift 3
          status -X "$method" -H "Origin: $url" -b "$name" -c "$name" "$@" "$url/api/v1/$path"
        }
        login one "{\\"key\\":\\"$key\\"}"; login two "{\\"key\\":\\"$key\\"}"
        as one GET status; as two GET status; echo " both are in"
        as one POST codes; as one POST codes -H "PhotoSpots-Token: $(cat one.token)"; echo " a code"
        as one POST codes -H "PhotoSpots-Token: $(cat two.token)"; echo " another's token"
        cp one stolen
        as one DELETE session; as stolen GET status; echo " logged out"
        port=${url##*:}; grep -c "photospots-$port" two
        ls -l state/photospots/serve-sessions.json | cut -c1-10
        grep -c "$(awk '/photospots-/ { print $7 }' two)" state/photospots/serve-sessions.json
        stop; url=; serve --listen 127.0.0.1:$port
        as two GET status; echo " after a restart"
        id=$(ask sessions | grep -o '"id":"[^"]*"' | cut -d'"' -f4)
        ask sessions | grep -o '"total":[0-9]*\\|"browser":"[^"]*"\\|"address":"[^"]*"'
        status -X DELETE -H "Authorization: Bearer $key" "$url/api/v1/sessions/$id"
        as two GET status; echo " ended by another"
        login three "{\\"key\\":\\"$key\\"}"; old=$key; stop
        serve --listen 127.0.0.1:$port --new-key
        as three GET status; echo " after --new-key"
        stop
        """)
      #expect(
        outcome.output == """
          200200 both are in
          403201 a code
          403 another's token
          204401 logged out
          1
          -rw-------
          0
          ended with 0
          200 after a restart
          "browser":"two"
          "address":"127.0.0.1"
          "total":1
          204401 ended by another
          ended with 0
          401 after --new-key
          ended with 0

          """, "\(outcome.errors)")
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `codes come from --open, SIGUSR1 and a page, and too many wrong ones are refused`()
      async throws
    {
      let outcome = try await serving(
        """
        login() {
          status -X POST -H "Origin: $url" -d "{\\"code\\":\\"$1\\"}" "$url/api/v1/session"; echo " $2"
        }
        "$photospots" serve --open > none 2>&1; echo "$? without a server"
        serve
        page=$("$photospots" serve --open --no-browser)
        [ "${page%#*}" = "$url/" ] && login "${page#*#pair=}" '--open'
        kill -USR1 $pid; await '#pair=' out
        login "$(sed -n 's,.*#pair=,,p' out | tail -n 1)" SIGUSR1
        made=$(get -X POST -H "Authorization: Bearer $key" "$url/api/v1/codes" | cut -d'"' -f4)
        login "$(echo "$made" | sed 's/..../&-/g' | tr A-Z a-z)" 'as typed'
        for code in 1 2 3 4; do get -X POST -H "Authorization: Bearer $key" "$url/api/v1/codes"; done > codes
        ls state/photospots | grep -c serve-code
        login "$(head -c 100 codes | cut -d'"' -f4)" 'the oldest of four'
        for code in 2 3 4 5 6 7 8 9 10; do login 000000000000 wrong; done | sort | uniq -c | tr -s ' '
        login 000000000000 'one more'
        stop
        ls state/photospots | grep -c serve-address
        """)
      #expect(
        outcome.output == """
          1 without a server
          200 --open
          200 SIGUSR1
          200 as typed
          3
          401 the oldest of four
           9 401 wrong
          429 one more
          ended with 0
          0

          """, "\(outcome.errors)")
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a second server or a watch with the same state is refused`() async throws {
      let outcome = try await serving(
        """
        serve \(samples)/photos
        wait_for has_spots
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
        (["--listen", "0.0.0.0:0"], "use --lan, --certificate and --key"),
        (["--lan", "--behind-proxy"], "--lan cannot be used with --behind-proxy"),
        (["--lan", "--certificate", "x", "--key", "y"], "--lan cannot be used with --certificate"),
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
        spot=$(ask mutes | sed 's/.*"spot":"\([^"]*\)".*/\1/')
        ask mutes/$spot -X DELETE
        status -X POST "$url$mute"; status "$url$mute"; status -X POST "$url$wait"; mutes ' used'
        stop
        serve \#(samples)/photos
        wait_for has_spots
        status -X POST "$url$mute"; mutes ' used, after a restart'
        status -X POST "$url${mute}0"; status -X POST "$url/api/v1/actions/$key"; echo ' others'
        ls -l state/photospots/action-key.json state/photospots/used-links.json | cut -c1-10
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
          200"until" "total":1  muted
          410410410"total":0  used
          ended with 0
          410"total":0  used, after a restart
          404404 others
          -rw-------
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
