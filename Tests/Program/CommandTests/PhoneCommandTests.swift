import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct PhoneCommandTests {
  private let folder = TemporaryFolder()
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

  @Test func `phones are added, listed, renamed and removed, and their tokens are shown once`()
    async throws
  {
    #expect(try await photospots.run("phone").errors.contains("phone add NAME"))
    let added = try await photospots.run("phone", "add", "Anna's phone")
    let token = String(added.output.dropLast())
    #expect(added.code == 0 && token.count == 32 && added.errors.contains("not shown again"))
    let json = try await photospots.run("phone", "add", "Ben", "--format", "json")
    let made = try JSONValue(Array(json.output.utf8))
    #expect(made["name"] == .string("Ben") && made["token"]?.text?.count == 32)
    let list = try await photospots.run("phone", "list")
    #expect(list.output.split(separator: "\n").count == 2 && list.output.contains("never used"))
    #expect(!list.output.contains(token))
    let renamed = try await photospots.run("phone", "rename", "anna's PHONE", "Carla")
    #expect(renamed.output == "renamed Anna's phone to Carla\n")
    let id = try #require(made["id"]?.text)
    #expect(try await photospots.run("phone", "remove", id).output == "removed Ben\n")
    let rest = try await photospots.run("phone", "list", "--format", "json")
    let phones = try JSONValue(Array(rest.output.utf8)).items
    #expect(phones.map { $0["name"]?.text } == ["Carla"])
    let file = folder.path("xdg_state_home/photospots/phones.json")
    let stored = String(decoding: try folder.contents(of: file), as: UTF8.self)
    #expect(!stored.contains(token))
    #expect(try folder.permissions(of: file) == .ownerReadWrite)
  }

  @Test(
    arguments: [
      (["add", "carla"], "there is a phone with this name"),
      (["add", ""], "1 to 64 visible characters"), (["add", "a\u{1B}b"], "visible characters"),
      (["rename", "Carla", "ben"], "there is a phone with this name"),
      (["rename", "Dora", "Eva"], "there is no phone 'Dora'"),
      (["remove", "Carla", "Dora"], "there is no phone 'Dora'"),
    ] as [([String], String)])
  func `what cannot be changed is said, and nothing is`(
    arguments: [String], message: String
  ) async throws {
    for name in ["Carla", "Ben"] { _ = try await photospots.run("phone", "add", name) }
    let before = try await photospots.run("phone", "list")
    let outcome = try await photospots.run(["phone"] + arguments)
    #expect(outcome.code == 1 && outcome.errors.contains(message), "\(outcome)")
    #expect(try await photospots.run("phone", "list").output == before.output)
  }

  @Test func `a damaged file is reported, and a file of a newer version stays as it is`()
    async throws
  {
    let path = "xdg_state_home/photospots/phones.json"
    _ = try await photospots.run("phone", "add", "Anna")
    try folder.write("{", to: path)
    try folder.setPermissions(of: folder.path(path), to: .ownerReadWrite)
    let list = try await photospots.run("phone", "list")
    #expect(list.code == 0 && list.errors.contains("all phones must be added again"), "\(list)")
    let newer = #"{"format":"photospots-phones","version":2,"phones":[]}"#
    try folder.write(newer, to: path)
    let add = try await photospots.run("phone", "add", "Ben")
    #expect(add.code == 1 && add.errors.contains("newer photospots"), "\(add)")
    #expect(try folder.contents(of: folder.path(path)) == Array(newer.utf8))
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `a running watch accepts a new phone at once, and refuses a removed one`() async throws {
    let outcome = try await Shell.run(
      #"""
      cd \#(folder.root); trap 'kill $pid 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      photospots="\#(PhotoSpotsProcess.program)"
      "$photospots" index \#(samples)/photos > /dev/null
      \#(Shell.await)
      "$photospots" watch --listen 127.0.0.1:0 > out 2> err & pid=$!
      await 'listening at' err
      url=$(sed -n 's/.*listening at //p' err)
      post() {
        curl -sS --max-time 20 -o /dev/null -w '%{http_code}\n' $url/feed/$1 \
          -d "id=car&lat=48.9&lon=2.3&timestamp=$(date +%s)"
      }
      anna=$("$photospots" phone add Anna -q)
      post $anna; post 0123456789abcdef0123456789abcdef
      "$photospots" phone rename Anna Carla -q > /dev/null
      post $anna
      await traccar state/photospots/phones.json
      "$photospots" phone list | sed 's/  /|/g' | cut -d '|' -f 1,4
      "$photospots" phone remove Carla > /dev/null
      post $anna
      kill -TERM $pid; wait $pid; echo "status $?"
      "$photospots" devices | cut -d ' ' -f 1 | sort
      grep -c "$anna" out err
      """#)
    #expect(
      outcome.output == """
        200
        401
        200
        Carla|traccar
        401
        status 0
        Anna
        Carla
        out:0
        err:0

        """, "\(outcome)")
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `a phone comes in by a code, reports with its own token, and goes with its session`()
    async throws
  {
    let outcome = try await Shell.run(
      #"""
      cd \#(folder.root); trap 'kill $pid 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      photospots="\#(PhotoSpotsProcess.program)"
      "$photospots" index \#(samples)/photos > /dev/null
      \#(Shell.await)
      member() { { cat; echo; } | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
      serve() {
        "$photospots" serve --listen 127.0.0.1:0 > out 2> err & pid=$!
        await '#key=' out
        url=$(sed -n 's,/#key=.*,,p' out) key=$(sed -n 's,.*#key=,,p' out)
      }
      ask() { curl -sS --max-time 20 "$@"; }
      api() { path=$1; shift; ask -H "Authorization: Bearer $key" "$@" "$url/api/v1/$path"; }
      status() { "$@" -o body -w '%{http_code}\n'; }
      report() {
        status ask "$url/feed/$1" -d "id=car&lat=48.9&lon=2.3&timestamp=$(date +%s)"
      }
      open() { status ask -X POST -H "Origin: $url" -d "{\"code\":\"$1\"}" -c jar $url/api/v1/session; }
      serve
      # The command and the page make the same codes.
      link=$("$photospots" phone add Anna)
      [ "${link%#*}" = "$url/" ] && echo "${link##*&}"
      "$photospots" phone add Ben 2>&1 | grep -c 'cannot reach'
      code=${link#*#pair=} code=${code%&*}
      open $code; open $code
      open $code; api codes -X POST -d '{"phone":"Carla"}' > made
      grep -c '"isReachable":false' made; grep -c '"path":"M4 4h7v1h-7zM' made
      member link < made | sed 's,.*\(#pair=\).*\(&.*\),\1\2,'
      open $(member code < made); member name < body
      token=$(sed 's/.*"phone"//' body | member token)
      report $token
      status api codes -X POST -d '{"phone":"carla"}'; member type < body
      await '"traccar"' state/photospots/phones.json
      api phones | sed 's/"\(added\|used\)":"[^"]*"/"\1":1/g; s/"id":"[^"]*"/"id":"…"/g'; echo
      anna=$(api phones | sed 's/.*"id":"\([^"]*\)","name":"Anna".*/\1/')
      carla=$(api phones | sed 's/.*"id":"\([^"]*\)","name":"Carla".*/\1/')
      status api phones/$carla -X PATCH -d '{"name":"anna"}'
      status api phones/$carla -X PATCH -d '{"name":"Clara"}'
      report $token
      api devices | grep -o '"device":"[^"]*"' | sort
      status ask -b jar $url/api/v1/status
      status api phones/$carla -X DELETE; status api phones/$carla -X DELETE
      report $token
      status ask -b jar $url/api/v1/status
      # A phone that another program removes while no server runs has no session afterwards.
      open $(api codes -X POST -d '{"phone":"Dora"}' | member code)
      kill -TERM $pid; wait $pid; echo "ended with $?"
      "$photospots" phone remove Dora
      serve
      status ask -b jar $url/api/v1/status
      grep -c "$token" out err state/photospots/*.json* | grep -v ':0$'
      ls -l state/photospots/phones.json | cut -c1-10
      """#)
    #expect(
      outcome.output == """
        phone
        1
        200
        401
        401
        1
        1
        #pair=&phone
        200
        Carla
        200
        409
        /problems/name-taken
        {"items":[{"id":"…","name":"Anna","added":1,"used":null,"app":null},\
        {"id":"…","name":"Carla","added":1,"used":1,"app":"traccar"}],"total":2,"next":null}
        409
        204
        200
        "device":"Carla"
        "device":"Clara"
        200
        204
        404
        401
        401
        200
        ended with 0
        removed Dora
        401
        -rw-------

        """, "\(outcome)")
  }
}
