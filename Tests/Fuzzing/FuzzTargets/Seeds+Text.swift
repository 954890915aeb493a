import CivilTime
import LocationFeeds
import PhotoLibrary
import TestSupport

extension Seeds {
  static let xmp = [
    Array(
      XMPText.packet(
        attributes: #"exif:GPSLatitude="48,51.504N" exif:GPSLongitude='2,17.67E' xmp:Rating="5""#,
        elements: """
          <!-- a comment --><photoshop:DateCreated>2024-04-13T20:34:30&#x5A;</photoshop:DateCreated>
          <exif:GPSAltitude>43/10</exif:GPSAltitude><exif:GPSAltitudeRef>1</exif:GPSAltitudeRef>
          """
      ).utf8),
    Array(
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description>
      <GPSLatitude xmlns="http://ns.adobe.com/exif/1.0/"><![CDATA[48,51,30.24N]]></GPSLatitude>
      <e:GPSLongitude xmlns:e="http://ns.adobe.com/exif/1.0/">2.2945 &amp;</e:GPSLongitude>
      <p:History xmlns:p="x"><r:Seq><r:li><r:Description/></r:li></r:Seq></p:History>
      </r:Description></r:RDF>
      """.utf8),
  ]

  static let takeout = [
    Array(
      """
      {"title": "a.jpg", "photoTakenTime": {"timestamp": "1696573800", "formatted": "x"},
       "geoData": {"latitude": 1.5, "longitude": -2.5e0, "altitude": 3.0},
       "geoDataExif": {"latitude": 48.8583736, "longitude": 2.291901, "altitude": 82.09},
       "favorited": true, "people": [{"name": "\\u00e9\\ud83d\\ude00\\n"}, null, [false]]}
      """.utf8)
  ]

  /// An index of three photos and a file that is not a photo.
  static let index: [[UInt8]] = {
    let folder = TemporaryFolder()
    let files = [
      "a.jpg": jpeg[0], "b.heic": heif[0], "sub/c.mov": quickTime[0], "sub/d.jpg": [1, 2, 3],
    ]
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    do {
      for (name, content) in files { try folder.write(content, to: "photos/" + name) }
      let (index, _) = try PhotoIndexer().update(
        PhotoIndex(), with: [folder.path("photos")], now: Instant(secondsSince1970: 1_800_000_000))
      try cache.save(index)
      return [try folder.contents(of: cache.path)]
    } catch {
      preconditionFailure("no index can be made: \(error)")
    }
  }()

  /// Returns the feeds of a format.
  static func feed(_ format: FeedFormat) -> [[UInt8]] {
    FeedSample.every.filter { $0.format == format }.map(\.bytes) + furtherFeeds(format)
  }

  private static func furtherFeeds(_ format: FeedFormat) -> [[UInt8]] {
    switch format {
    case .ndjson:
      let fix = """
        {"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,"longitude":2.2945,"altitude":35.0,\
        "horizontalAccuracy":5.0,"speed":1.4,"course":270.0,"device":"phone","battery":0.8,\
        "cause":"enter","region":"photospots 3"}
        """
      return [Array("# a comment\n\(fix)\r\n\n\(fix)\n{\"latitude\":1,\"longitude\":2}".utf8)]
    case .nmea:
      let sentences = [
        "GPGGA,120000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,",
        "GPGST,120000,1.0,,,,3.0,4.0,6.0", "GPGBS,120000,6.0,8.0,1.0,,,,",
        "GPRMC,120000,A,4851.510,N,00217.680,E,10.0,270.5,201126,,,A",
        "GPVTG,90.0,T,89.0,M,20.0,N,37.0,K,A", "GPZDA,120001.00,20,11,2026,00,00",
        "GNGNS,120001,4851.504,N,00217.670,E,NA,08,1.2,35.0,47.0,,,V",
        "GPGLL,4851.504,N,00217.670,E,120002,A,A",
      ]
      let bare = sentences.map { "$\($0)\r\n" }.joined()
      let checked = sentences.map { sentence in
        let sum = String(sentence.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(sentence)*\(sum.count == 1 ? "0" : "")\(sum)\n"
      }.joined()
      let wide: [UInt8] = [0xFF, 0xFE] + bare.utf8.flatMap { [$0, 0] }
      return [Array(bare.utf8), Array(checked.utf8), wide]
    case .owntracks:
      let transition = """
        {"_type":"transition","topic":"owntracks/jan/pixel/event","t":"c","tid":"px","lat":48.8584,\
        "lon":2.2945,"acc":17,"tst":1795176000,"wtst":3,"event":"leave","desc":"photospots 3"}
        """
      return [Array("\(transition)\nowntracks/jan/pixel/event [\(transition)]".utf8)]
    case .google: return timelines
    case .traccar:
      return [
        #"""
        {"end_device_ids":{"device_id":"a"},"received_at":"2026-11-20T12:00:00Z","uplink_message":{
        "decoded_payload":{"latitude":48.8584,"longitude":2.2945},"rx_metadata":[{"lat":1,"lon":2}]}}
        """#,
        #"{"data":{"gps":[48.8,2.2],"gps_accuracy":9},"points":[[48.8,2.2,1795176000]],"valid":false}"#,
        #"[{"ident":"3","position.latitude":48.8,"position.longitude":2.2,"battery":{"level":0.5}}]"#,
        #"{"location":"48.8,2.2","device":{"id":1,"uniqueId":"x"},"speed":3,"fixTime":"2026-11-20"}"#,
      ].map { Array($0.utf8) }
    case .fit: return [recording.bytes(isOpen: true), recording.bytes + recording.bytes]
    default: return []
    }
  }

  /// Timelines of iOS, the Semantic Location History, and edits.
  private static let timelines = [
    """
    [{"startTime":"2026-11-20T12:00:00.000+01:00","endTime":"2026-11-20T13:00:00.000+01:00",
    "timelinePath":[{"point":"geo:48.858410,2.294510","durationMinutesOffsetFromStartTime":"12"}]},
    {"startTime":"2026-11-20T12:00:00Z","visit":{"topCandidate":{"placeLocation":"geo:1.0,1.0"}}}]
    """,
    """
    {"timelineObjects":[{"activitySegment":{"duration":{"startTimestamp":"2026-11-20T12:00:00Z"},
    "simplifiedRawPath":{"points":[{"latE7":488584100,"lngE7":22945100,"accuracyMeters":9,
    "timestamp":"2026-11-20T12:00:00Z"}]}}},{"placeVisit":{"location":{"latitudeE7":1}}}]}
    """,
    """
    {"timelineEdits":[{"deviceId":"1","rawSignal":{"signal":{"position":{"point":{
    "latE7":488584100,"lngE7":22945100},"accuracyMm":9000,"timestamp":"2026-11-20T12:00:00Z"}}}}]}
    """,
  ].map { Array($0.utf8) }

  /// A recording with both kinds of times, and with fields of developers.
  private static let recording: FITFile = {
    var file = FITFile()
    let noon = Instant(secondsSince1970: 1_795_176_000)
    file.define(developerSize: 2)
    file.add(time: noon, latitude: 48.8, longitude: 2.2, extra: [1, 2])
    file.define(1, hasTime: false)
    file.add(compressed: noon.advanced(bySeconds: 5), latitude: 48.8, longitude: 2.2)
    return file
  }()

  /// A compressed recording, and two that are joined.
  static let gzip: [[UInt8]] = {
    let one: [UInt8] = [
      0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF, 0x4B, 0x4C, 0x4A, 0x06, 0, 0xC2, 0x41, 0x24, 0x35,
      0x03, 0, 0, 0,
    ]
    return [one, one + one, one + [0, 0, 0]]
  }()
}
