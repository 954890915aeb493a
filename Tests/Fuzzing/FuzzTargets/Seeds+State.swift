import Encodings
import LocationFeeds
import TestSupport

extension Seeds {
  /// Feeds that pass the spots of a ``WatchScene``.
  static let watch: [[UInt8]] = {
    var writer = JSONWriter()
    for fix in WatchScene.visit {
      fix.write(to: &writer)
      writer.newline()
    }
    let odd = """
      {"time":"2026-11-20T12:00:00Z","latitude":48.8584,"longitude":2.2945,"speed":1e300,"course":360}
      {"time":"2026-11-20T12:00:10Z","latitude":48.8584,"longitude":2.2945,"horizontalAccuracy":1e9}
      {"time":"2026-11-20T12:00:20Z","latitude":91,"longitude":2.2945,"device":"\\u0000"}
      {"time":"2026-11-20T12:00:30Z","latitude":0,"longitude":0,"battery":2}
      {"time":"2026-11-20T12:00:40Z","latitude":-16.8,"longitude":180,"altitude":-1e300}
      {"time":"2026-11-20T12:00:50Z","latitude":-16.8,"longitude":-180,"device":"a"}
      {"latitude":48.8584,"longitude":2.2945}
      {"time":"2026-11-21T12:00:00Z","latitude":90,"longitude":0,"device":"a"}

      """
    return [writer.takeBytes(), Array(odd.utf8)] + FeedSample.every.map(\.bytes)
  }()

  private static let notification = """
    {"id":"4hf8k3bq0m2ra","type":"enter","time":"2026-11-20T12:00:00.000Z","device":"phone","distance":12.5,\
    "bearing":270,"spot":{"id":"spot0","latitude":48.8584,"longitude":2.2945,"distance":12.5,"photoCount":14,\
    "firstCaptured":"2016-05-01T10:00:00.000+02:00","lastCaptured":"2024-08-01T10:00:00.000Z",\
    "cover":"/photos/2016/\\udcfftower.jpg"},"alsoNear":[{"id":"spot1","latitude":48.8585,"longitude":2.2946,\
    "distance":20,"photoCount":0,"place":{"id":"smjyhscpak3d852b","name":"Oak","kind":"tree",\
    "notes":[{"time":"2026-01-01T00:00:00.000Z","text":"Nest"}],"collections":["Trees"]}}],"memory":{"yearCount":6,"sinceLatest":{"years":2,\
    "days":111},"anniversary":{"years":9,"daysAway":0},"heading":180,"focalLength":5.7,"focalLength35mm":28},\
    "fix":{"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,"longitude":2.2943,"horizontalAccuracy":5,\
    "speed":1.4,"course":90,"device":"phone","battery":0.8}}
    """

  static let journal = [
    Array(
      """
      {"format":"photospots-journal","version":1}
      {"event":"fired","recorded":"2026-11-20T12:00:00.000Z","notifiers":["stdout","hook"],"notification":\(notification)}
      {"event":"attempt","recorded":"2026-11-20T12:00:01.000Z","id":"4hf8k3bq0m2ra","notifier":"hook","tries":1,\
      "failure":"exit status 1","next":"2026-11-20T12:00:02.000Z"}
      {"event":"delivered","recorded":"2026-11-20T12:00:02.000Z","id":"4hf8k3bq0m2ra","notifier":"stdout","tries":1}
      {"event":"digest","recorded":"2026-11-20T12:00:02.000Z","notifiers":["stdout"],"digest":{"id":"x",\
      "type":"digest","from":"2026-11-19T12:00:00.000Z","until":"2026-11-20T12:00:00.000Z","utcOffset":60,\
      "fired":{"count":2,"places":[{"place":"Siena","count":2}]},"keptBack":[{"decision":"quiet","count":1}],\
      "passedBy":{"count":1,"places":[{"place":"Roma","decision":"arriving"}]}}}
      {"event":"suppressed","recorded":"2026-11-20T12:00:03.000Z","device":"phone","spot":"spot2","latitude":48.86,\
      "longitude":2.296,"time":"2026-11-20T12:00:03.000Z","by":"muted"}
      {"event":"lapsed","recorded":"2026-11-20T12:00:04.000Z","spot":"spot2","latitude":48.86,"longitude":2.296,\
      "time":"2026-11-20T12:00:04.000Z"}
      {"event":"left","recorded":"2026-11-20T12:00:05.000Z","device":"phone","spot":"spot0","latitude":48.8584,\
      "longitude":2.2945,"time":"2026-11-20T12:00:05.000Z"}
      {"event":"expired","recorded":"2026-11-20T12:20:00.000Z","id":"4hf8k3bq0m2ra","notifier":"hook","tries":9}

      """.utf8)
  ]

  static let devices = [
    Array(
      """
      {"format":"photospots-devices","version":1,"devices":[
        {"device":"phone","heard":"2026-11-20T12:00:00.000Z","accuracyClass":"good","day":"2026-11-20",
         "walked":1234.5,"fixes":678,"fix":{"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,
         "longitude":2.2945,"altitude":35,"horizontalAccuracy":5,"speed":1.4,"course":270,"device":"phone",
         "battery":0.8}},
        {"heard":"2026-11-19T12:00:00.000Z","day":"2026-11-19","walked":0,"fixes":1,
         "fix":{"latitude":-33.8568,"longitude":151.2153}}]}
      """.utf8)
  ]

  static let mutes = [
    Array(
      """
      {"format":"photospots-mutes","version":1,"mutes":[
        {"spot":"spot0","latitude":48.8584,"longitude":2.2945,"until":"2026-12-01T08:00:00.000Z"},
        {"spot":"spot2","latitude":48.86,"longitude":2.296}]}
      """.utf8)
  ]

  static let config = [
    Array(
      """
      {"proximityRadius":150,"clusterRadius":"20 m","cooldown":"2 h","minimumPhotoAge":"1 y","dwell":"10s",
       "favoritesOnly":false,"distanceFilter":10.5,"maximumAccuracy":"0.2 km","maximumFixAge":"15 min",
       "minimumInterval":300,"maximumSpeed":"30 km/h","quietHours":"22:00-07:00","notificationsEnabled":true,
       "dailyBudget":5,"indexMaxAge":"7d","mutedZones":[{"latitude":48.85,"longitude":2.29,"radius":50}]}
      """.utf8),
    Array(
      #"{"mutedZones":"47,8,100;-33.8568,151.2153,1.5km","maximumSpeed":"off","ntfyPriority":4,"dwell":0}"#
        .utf8),
    Array(
      #"{"listenTokens":{"phone":"0123456789abcdef0123456789abcdef"},"webhookURL":"https://example.org/a"}"#
        .utf8),
    Array(
      #"{"language":"es","digest":"sunday 18:00","mapTiles":"~/t/{z}/{x}/{y}.png","serveHosts":["a.b"]}"#
        .utf8),
  ]
}
