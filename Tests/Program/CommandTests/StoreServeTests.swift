#if Postgres && HTTPServer
  import ProcessSupport
  import CLibrary
  import PostgresStore
  import SystemPackage
  import TestSupport
  import Testing

  /// `serve --store` and `store account` as processes.
  @Suite(
    .enabled(
      if: PostgresServer.isInstalled && access("/usr/bin/curl", X_OK) == 0,
      "PostgreSQL or curl is not installed"), .timeLimit(.minutes(30)))
  struct StoreServeTests {
    private let folder = TemporaryFolder()
    private let database: PostgresServer.Database

    init() throws {
      database = try PostgresServer.shared.database()
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
    }

    /// Runs a shell script in which `store` runs subcommands of `store account`, `serve` starts the
    /// server, and `ask KEY PATH` sends a request.
    private func run(_ script: String) async throws -> (output: String, errors: String) {
      try await Shell.run(
        """
        cd \(folder.root)
        export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
        photospots="\(PhotoSpotsProcess.program)" address='\(database.address)'
        wait_for() {
          tries=0
          until "$@"; do
            sleep 0.1; tries=$((tries + 1))
            [ $tries -lt 1200 ] || { echo "waited in vain: $*"; kill -KILL $pid; exit 1; }
          done
        }
        account() { verb=$1; shift; "$photospots" store account $verb "$address" "$@"; }
        serve() {
          : > out
          "$photospots" serve --store "$address" --listen 127.0.0.1:0 "$@" > out 2> err & pid=$!
          wait_for grep -q '^http' out
          url=$(sed 's,/$,,' out)
        }
        ask() { key=$1 path=$2; shift 2
          curl -sS --max-time 20 -H "Authorization: Bearer $key" "$url/api/v1/$path" "$@"; }
        status() { ask "$@" -o /dev/null -w '%{http_code}'; }
        stop() { kill -TERM $pid; wait $pid; echo "ended with $?"; }
        \(script)
        """)
    }

    @Test func `a key is printed once, opens one library, and is invalid after its removal`()
      async throws
    {
      let outcome = try await run(
        """
        "$photospots" index --store "$address" --owner anna \(samples)/photos > indexed 2>&1
        anna=$(account add anna 2> note); grep -c 'not shown again' note
        ben=$(account add ben 2> note)
        account add ben 2>&1 | grep -o 'already has keys'
        phone=$(account key anna --label phone 2> note)
        account list 2> note | sed 's/, created.*//'
        serve
        ask "$anna" status | grep -o '"photos":[0-9]*'
        ask "$ben" status | grep -o '"photos":[0-9]*'
        status 1-1-00000000000000000000000000000000 status; echo " with another key"
        curl -sS -o page -w '%{http_code}' "$url/"; echo " page"
        curl -sS -o feed -w '%{http_code}' -d '{"_type":"location"}' "$url/feed"; echo " feed"
        curl -sS -o metrics -w '%{http_code}' -H "Authorization: Bearer $anna" "$url/metrics"
        echo " metrics"
        ask "$phone" events --max-time 60 -N > events 2> ended & stream=$!
        wait_for grep -q retry events
        ask "$anna" events --max-time 60 -N > others 2> ended & other=$!
        wait_for grep -q retry others
        account remove anna --number 2
        status "$phone" status; echo " when it was removed"
        wait $stream; echo "stream ended with $?"
        "$photospots" index --store "$address" --owner anna --full > indexed 2>&1
        status "$anna" status; echo " with the other key"
        kill $other; wait $other 2> ended
        stop
        grep -c "$anna" err
        """)
      #expect(
        outcome.output == """
          1
          already has keys
          anna 1: browser
          anna 2: phone
          ben 1: browser
          "photos":30
          "photos":0
          401 with another key
          200 page
          401 feed
          404 metrics
          removed 1 key of anna
          401 when it was removed
          stream ended with 0
          200 with the other key
          ended with 0
          0

          """, "\(outcome)")
      let text = try database.execute("select account_key::text from account_key").joined()
      #expect(!text.isEmpty)
    }

    @Test func `serve --store works with read-only access and notifies pages of changes`()
      async throws
    {
      try database.execute(
        """
        create role web_\(database.name) login;
        grant select on all tables in schema public to web_\(database.name);
        revoke select on receiver from web_\(database.name)
        """)
      defer {
        _ = try? database.execute(
          "drop owned by web_\(database.name); drop role web_\(database.name)")
      }
      let outcome = try await run(
        """
        "$photospots" index --store "$address" --owner anna \(samples)/photos > indexed 2>&1
        anna=$(account add anna 2> note)
        whole=$address address=$(echo "$address" | sed 's,photospots,web_\(database.name),')
        serve
        address=$whole
        ask "$anna" events --max-time 60 -N > events 2> ended & stream=$!
        wait_for grep -q retry events
        ask "$anna" status | grep -o '"photos":[0-9]*'
        mkdir one; cp "$(find \(samples)/photos -name '*.jpg' | sort | head -n 1)" one
        "$photospots" index --store "$address" --owner anna --source other --index o.json one \
          > indexed 2>&1
        wait_for grep -q 'event: index' events
        ask "$anna" status | grep -o '"photos":[0-9]*'
        kill $stream; wait $stream 2> ended
        stop
        """)
      #expect(
        outcome.output == """
          "photos":30
          "photos":31
          ended with 0

          """, "\(outcome)")
    }

    @Test func `with rights to write alerts, devices send positions with tokens of accounts`()
      async throws
    {
      let role = "feeds_\(database.name)"
      try database.execute(
        """
        create role \(role) login; grant select on all tables in schema public to \(role);
        grant insert, update, delete on device, alert, alerting, delivery to \(role)
        """)
      defer { _ = try? database.execute("drop owned by \(role); drop role \(role)") }
      let outcome = try await run(
        """
        "$photospots" index --store "$address" --owner anna \(samples)/photos > indexed 2>&1
        anna=$(account add anna 2> note)
        phone=$(account feed anna phone 2> note); grep -c 'not shown again' note
        account feed ben phone 2>&1 | grep -o 'no owner'
        account feed anna "$(printf 'a\\tb')" 2>&1 | grep -o 'visible characters'
        account list 2> note | sed 's/, created.*//'
        account list --json 2> note | grep -e kind -e device
        whole=$address address=$(echo "$address" | sed 's,photospots,\(role),')
        export PHOTOSPOTS_RULES_OFF=bursts,coldStart,vehicles
        serve --feeds --watched-accounts 2
        address=$whole
        ask "$anna" events --max-time 60 -N > events 2> ended & stream=$!
        wait_for grep -q retry events
        # The server compares the store with its state at the last check, which this waits for.
        XDG_CACHE_HOME=$PWD/second "$photospots" index --store "$address" --owner anna \
          --source second \(samples)/photos > indexed 2>&1
        wait_for grep -q 'event: index' events
        send() {
          curl -sS -o answer -w '%{http_code}' -u "x:$1" "$url/feed" -d \
            '{"_type":"location","tid":"x","tst":'$2',"lat":'$3',"lon":2.2883,"acc":5}'
          echo "$4"
        }
        now=$(date +%s)
        # At a walking pace, so that the device is not taken for a vehicle.
        send "$phone" $((now - 400)) 48.8640; send "$phone" $((now - 200)) 48.8630
        send "$phone" $now 48.86194 " and $(cat answer)"
        wait_for grep -q 'event: gap' events
        ask "$anna" alerts | grep -o -e '"decision":"[a-z]*"' -e '"device":"[a-z]*"'
        status "$phone" status; echo " page with the token"
        send "$anna" $((now + 1)) 48.86194 " feed with the key"
        account remove anna --number 2
        send "$phone" $((now + 1)) 48.86194 " with a removed token"
        kill $stream; wait $stream 2> ended
        stop
        grep -c -e "$anna" -e "$phone" err
        """)
      #expect(
        outcome.output == """
          1
          no owner
          visible characters
          anna 1: browser
          anna 2: feed of phone
              "kind": "page",
              "kind": "feed",
              "device": "phone",
          200
          200
          200 and []
          "device":"phone"
          "decision":"notify"
          401 page with the token
          401 feed with the key
          removed 1 key of anna
          401 with a removed token
          ended with 0
          0

          """, "\(outcome)")
    }

    @Test func `receivers of an account are added, listed, and get its alerts until their removal`()
      async throws
    {
      let webhook = try LoopbackServer { _, _ in .status(200) }
      let outcome = try await run(
        """
        "$photospots" index --store "$address" --owner anna \(samples)/photos > indexed 2>&1
        anna=$(account add anna 2> note)
        phone=$(account feed anna phone 2> note)
        tablet=$(account feed anna tablet 2> note)
        echo '{"webhookURL": "http://127.0.0.1:\(webhook.port)/s3cr3t", "webhookSecret": "w0rd"}' \
          > anna.json
        chmod 644 anna.json
        account notify anna webhook --settings anna.json 2>&1 | grep -o 'chmod 600'
        chmod 600 anna.json
        account notify anna webhook --settings anna.json 2> note
        grep -o 'within seconds' note
        PHOTOSPOTS_NTFY_URL=https://ntfy.sh/s3cr3t account notify anna ntfy 2> note
        export PHOTOSPOTS_GOTIFY_URL=https://gotify.example.org
        account notify anna gotify 2>&1 | grep -o 'PHOTOSPOTS_GOTIFY_TOKEN'
        PHOTOSPOTS_NTFY_URL=https://ntfy.sh/x account notify anna ntfy --settings anna.json 2>&1 |
          grep -o 'ntfy needs the setting ntfyURL; set it in anna.json'
        account notify ben webhook --settings anna.json 2>&1 | grep -o 'no owner'
        account list 2> note | sed 's/, created.*//'
        account list --json 2> note | grep -e receiver -e server
        for number in 3 4 5 6 7 8 9; do
          account notify anna webhook --settings anna.json > added 2>&1
        done
        grep -o 'already has 8 receivers' added
        account remove anna --number 99 2>&1 | grep -o 'no key or receiver 99'
        for number in 5 6 7 8 9 10 11; do account remove anna --number $number; done | uniq -c
        export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,vehicles
        serve --feeds
        send() {
          curl -sS -o answer -w '%{http_code}\n' -u "x:$1" "$url/feed" -d \
            '{"_type":"location","tid":"x","tst":'$2',"lat":48.86194,"lon":2.2883,"acc":5}'
        }
        delivered() { ask "$anna" alerts | grep -q '"result":"delivered"'; }
        now=$(date +%s)
        send "$phone" $now
        wait_for delivered
        account remove anna --all
        stop
        grep -c -e s3cr3t -e w0rd err
        """)
      #expect(
        outcome.output == """
          chmod 600
          anna 4: alerts to webhook at http://127.0.0.1:\(webhook.port)/…
          within seconds
          anna 5: alerts to ntfy at https://ntfy.sh/…
          PHOTOSPOTS_GOTIFY_TOKEN
          ntfy needs the setting ntfyURL; set it in anna.json
          no owner
          anna 1: browser
          anna 2: feed of phone
          anna 3: feed of tablet
          anna 4: alerts to webhook at http://127.0.0.1:\(webhook.port)/…
          anna 5: alerts to ntfy at https://ntfy.sh/…
              "kind": "receiver",
              "receiver": "webhook",
              "server": "http://127.0.0.1:\(webhook.port)/…",
              "kind": "receiver",
              "receiver": "ntfy",
              "server": "https://ntfy.sh/…",
          already has 8 receivers
          no key or receiver 99
                7 removed 1 receiver of anna
          200
          removed 3 keys and 1 receiver of anna
          ended with 0
          0

          """, "\(outcome)")
      #expect(webhook.requests.map(\.path) == ["/s3cr3t"])
      let body = webhook.requests.first.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      #expect(body.contains(#""device":"phone""#))
    }

    @Test func `hooks, brokers and unknown receivers are refused for accounts`() async throws {
      let photospots = PhotoSpotsProcess(home: folder.root)
      for (receiver, words) in [
        ("hook", "'photospots serve' runs no programs for accounts"),
        ("stdout", "not available for accounts"),
        ("mqtt", "not available for accounts"), ("home-assistant", "not available for accounts"),
        ("pigeon", "there is no such receiver"),
      ] {
        let outcome = try await photospots.run(
          "store", "account", "notify", database.address, "anna", "webhook", receiver)
        #expect(outcome.code == 64, "\(outcome)")
        #expect(outcome.errors.contains("'\(receiver)': ") && outcome.errors.contains(words))
        #expect(outcome.errors.contains("use webhook, ntfy, gotify, apprise"))
      }
      #expect(try database.execute("select count(*) from receiver") == ["0"])
    }

    @Test func `serve --store refuses options for a single library`() async throws {
      let photospots = PhotoSpotsProcess(home: folder.root)
      for arguments in [
        ["/tmp"], ["--new-key"], ["--hook", "x"], ["--source", "gpsd://localhost"],
        ["--keep-trail"], ["--index", "x"],
      ] {
        let outcome = try await photospots.run(["serve", "--store", database.address] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains("has no effect with --store"))
      }
      for (arguments, words) in [
        (["--feeds"], "--feeds needs --store"),
        (["--store", database.address, "--watched-accounts", "3"], "needs --feeds"),
        (["--store", database.address, "--feeds", "--watched-accounts", "129"], "1 to 128"),
      ] {
        let outcome = try await photospots.run(["serve"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
      }
      let secret = try await photospots.run("serve", "--store", "postgres://a:secret@host/db")
      #expect(secret.code == 64 && !secret.errors.contains("secret"))
    }
  }
#endif
