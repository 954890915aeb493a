import CivilTime
import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct SidecarNamesTests {
  private func sidecar(of photo: String, among names: [String]) -> [String] {
    var sidecars = SidecarNames()
    for (index, name) in names.enumerated() where SidecarNames.isSidecar(Array(name.utf8)) {
      sidecars.add(Array(name.utf8), at: index)
    }
    return sidecars.sidecars(of: Array(photo.utf8)).map { names[$0.index] }
  }

  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1.jpg.xmp"), ("IMG_1.jpg", "IMG_1.xmp"), ("IMG_1.JPG", "img_1.jpg.XMP"),
    ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1(1).jpg", "IMG_1.jpg(1).json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadat.json"), ("IMG_1.jpg", "IMG_1.jpg.suppl.json"),
    ("IMG_1.jpg", "IMG_1.jpg.s.json"),
    ("IMG_1(1).jpg", "IMG_1.jpg.supplemental-metadata(1).json"),
    ("IMG_1(12).jpg", "IMG_1.jpg.supplem(12).json"),
    ("IMG_1-edited.jpg", "IMG_1.jpg.json"), ("IMG_1-bearbeitet.jpg", "IMG_1.jpg.suppl.json"),
    ("IMG_1-edited(2).jpg", "IMG_1.jpg(2).json"), ("IMG_1-modifié.jpg", "IMG_1.jpg.json"),
    // Clipped at 46 characters, in the ending and in the name.
    (
      "Screenshot_20230101-120000_Some Application.jpg",
      "Screenshot_20230101-120000_Some Application.jp.json"
    ),
    (
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_PXL.jpg",
      "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json"
    ),
    ("PXL_20231006_063909898.LS.mp4", "PXL_20231006_063909898.LS.mp4.json"),
    // A title without extension, a number of the title itself, and decomposed letters.
    ("Garden.jpg", "Garden.json"), ("Garden.jpg", "Garden.supplemental-metadata.json"),
    ("Garden(1).jpg", "Garden.supplemental-met(1).json"),
    ("Scan(2).jpg", "Scan(2).jpg.json"), ("IMG (1).jpg", "IMG (1).jpg.supplemental-metadata.json"),
    ("IMG_1-modifie\u{301}.jpg", "IMG_1.jpg.json"), ("e\u{301}.jpg", "\u{E9}.jpg.xmp"),
    ("IMG_1-已编辑.jpg", "IMG_1.jpg.json"), ("IMG_1-đã chỉnh sửa.jpg", "IMG_1.jpg.json"),
    // The mark of an edit in a name that Takeout truncated.
    (
      "A morning walk along the old railway to the-edi.jpg",
      "A morning walk along the old railway to the.jp.json"
    ),
    // The movies of a Live Photo and of motion photos.
    ("IMG_1.MP4", "IMG_1.HEIC.supplemental-metadata.json"), ("IMG_1.MOV", "IMG_1.jpg.json"),
    ("PXL_1.MP", "PXL_1.MP.jpg.supplemental-metadata.json"), ("MVIMG_1.MP4", "MVIMG_1.jpg.json"),
    ("IMG_1(2)-edited.jpg", "IMG_1.jpg(2).json"), ("\u{C9}.jpg", "e\u{301}.JPG.json"),
  ])
  func `a sidecar is recognised by every form of its photo's name`(photo: String, name: String) {
    #expect(sidecar(of: photo, among: ["other.json", name, "metadata.json"]) == [name])
  }

  @Test(arguments: [
    ("IMG_1.jpg", "metadata.json"), ("IMG_1.jpg", "IMG_1.jpg(1).json"),
    ("IMG_1(1).jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_10.jpg.json"),
    ("IMG_10.jpg", "IMG_1.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-other.json"),
    ("IMG_9(1).jpg", "IMG_9.jpg.json"), ("e.jpg", "\u{E9}.jpg.xmp"),
    ("IMG_1-edi.jpg", "IMG_1.jpg.json"), ("IMG_1.MP4", "IMG_1.txt.json"),
    ("IMG_1.png", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.png.xmp"),
    ("metadata.jpg", "metadata.json"), ("a.jpg", ".json"),
  ])
  func `a file with only a similar name is not a sidecar`(photo: String, name: String) {
    #expect(sidecar(of: photo, among: [name]) == [])
  }

  @Test func `XMP takes precedence over Takeout, and the whole name over the stem`() {
    let names = ["a.jpg.json", "a.xmp", "a.jpg.xmp"]
    #expect(sidecar(of: "a.jpg", among: names) == ["a.jpg.xmp", "a.xmp", "a.jpg.json"])
    #expect(sidecar(of: "a.raf", among: names) == ["a.xmp"])
  }

  @Test func `a sidecar belongs only to the photos that its name fits best`() {
    let names = ["A.JPG.xmp", "a.xmp", "a.jpg.json"]
    var sidecars = SidecarNames()
    for (index, name) in names.enumerated() { sidecars.add(Array(name.utf8), at: index) }
    let photos = ["A.JPG", "a.jpg", "a-edited.jpg"].map { Array($0.utf8)[...] }
    let found = sidecars.sidecars(ofAll: photos).map { $0.map { names[$0.index] } }
    #expect(found == [["A.JPG.xmp"], ["a.xmp", "a.jpg.json"], ["a.jpg.json"]])
  }

  /// Returns the Takeout sidecar of each photo, with the titles in sidecars.
  private func takeout(_ photos: [String], _ files: [(name: String, title: String?)]) -> [String?] {
    var sidecars = SidecarNames()
    for (index, file) in files.enumerated() { sidecars.add(Array(file.name.utf8), at: index) }
    let found = sidecars.sidecars(ofAll: photos.map { Array($0.utf8)[...] }) {
      files[$0].title.map { .text($0) } ?? .none
    }
    return found.sidecars.map { own in own.first.map { files[$0.index].name } }
  }

  @Test func `the title in a sidecar decides where its name fits no photo, or several`() {
    let long = "A morning walk along the old railway to the mill"
    // Two long names of one beginning, of which Takeout numbered the sidecars only.
    let cut = String((long + " 1.jpg").prefix(46))
    #expect(
      takeout(
        [long + " 1.jpg", long + " 2.jpg"],
        [(cut + ".json", long + " 1.jpg"), (cut + "(1).json", long + " 2.jpg")])
        == [cut + ".json", cut + "(1).json"])
    #expect(
      takeout(
        [long + " 1.jpg", long + " 2.jpg"],
        [(cut + ".json", long + " 2.jpg"), (cut + "(1).json", long + " 1.jpg")])
        == [cut + "(1).json", cut + ".json"])
    // One stem, two extensions.
    #expect(
      takeout(["IMG_1.jpg", "IMG_1.png"], [("IMG_1.json", "IMG_1.png")]) == [nil, "IMG_1.json"])
    #expect(
      takeout(["IMG_1.HEIC", "IMG_1.MP4"], [("IMG_1.json", "IMG_1.HEIC")])
        == ["IMG_1.json", "IMG_1.json"])
    // A name of its own, a replaced character, a cut name of the photo, an edit, and a number.
    let whole = String(repeating: "Long title ", count: 6)
    for (photo, name, title) in [
      ("sea.jpg", "1a2b3c.json", "sea.jpg"), ("a_b.jpg", "x.json", "a:b.jpg"),
      ("SEA.JPG", "x.json", "sea.jpg"), ("e\u{301}.jpg", "x.json", "\u{E9}.jpg"),
      (String(whole.prefix(47)) + ".jpg", "x.json", whole + ".jpg"),
      ("sea-edited.jpg", "x.json", "sea.jpg"), ("sea(2).jpg", "x(2).json", "sea.jpg"),
      ("Garden.jpg", "x.json", "Garden"), ("Scan(2).jpg", "x.json", "Scan(2).jpg"),
    ] {
      #expect(takeout([photo], [(name, title)]) == [name], "\(photo) \(title)")
    }
  }

  @Test func `a title gives no photo the sidecar of another`() {
    for (photo, name, title) in [
      ("sea.jpg", "x(1).json", "sea.jpg"), ("sea(1).jpg", "x.json", "sea.jpg"),
      ("sea.jpg", "x.json", "sea.png"), ("sea.jpg", "x.json", "lake.jpg"),
      ("sea.jpg", "x.json", "seaside.jpg"), ("sea.jpg", "x.json", ""),
    ] {
      #expect(takeout([photo], [(name, title)]) == [nil], "\(photo) \(title)")
    }
    // Two that fit equally.
    #expect(takeout(["sea.jpg"], [("x.json", "sea.jpg"), ("y.json", "sea.jpg")]) == [nil])
    // A photo that has its own keeps it, and no title is asked.
    #expect(
      takeout(["sea.jpg"], [("sea.jpg.json", "lake.jpg"), ("x.json", "sea.jpg")])
        == ["sea.jpg.json"])
    // An album's description.
    #expect(takeout(["Summer.jpg"], [("metadata.json", nil)]) == [nil])
  }

  @Test func `a title that cannot be read leaves the photos that it may name as they were`() {
    var sidecars = SidecarNames()
    sidecars.add(Array("x.json".utf8), at: 0)
    let photos = ["sea.jpg", "lake.jpg"].map { Array($0.utf8)[...] }
    let found = sidecars.sidecars(ofAll: photos) { _ in .unreadable }
    #expect(found.uncertain == [0, 1] && found.sidecars.allSatisfy(\.isEmpty))
  }

  @Test func `the movie of a Live Photo shares the sidecar of its picture without asking`() {
    var sidecars = SidecarNames()
    let names = ["IMG_1.HEIC.json", "IMG_2.HEIC.json", "IMG_2.MP4.json"]
    for (index, name) in names.enumerated() { sidecars.add(Array(name.utf8), at: index) }
    let photos = ["IMG_1.HEIC", "IMG_1.MP4", "IMG_2.HEIC", "IMG_2.MP4"].map { Array($0.utf8)[...] }
    let found = sidecars.sidecars(ofAll: photos) { _ in
      Issue.record("a title was asked")
      return .none
    }
    #expect(
      found.sidecars.map { $0.map { names[$0.index] } }
        == [["IMG_1.HEIC.json"], ["IMG_1.HEIC.json"], ["IMG_2.HEIC.json"], ["IMG_2.MP4.json"]])
  }

  @Test func `an edited copy uses its own sidecar`() {
    let names = ["a.jpg.json", "a-edited.jpg.json"]
    #expect(sidecar(of: "a-edited.jpg", among: names) == ["a-edited.jpg.json"])
  }
}

@Suite struct SidecarContentTests {
  private func completed(_ kind: Sidecar.Kind, _ text: String, _ photo: PhotoProperties = .init())
    -> PhotoProperties
  {
    var photo = photo
    photo.complete(kind, Array(text.utf8))
    return photo
  }

  @Test func `Takeout gives the EXIF position first, the time, and the favourite`() {
    let photo = completed(
      .takeout,
      """
      {"title": "a.jpg", "photoTakenTime": {"timestamp": "1696573800", "formatted": "x"},
       "geoData": {"latitude": 1.5, "longitude": 2.5, "altitude": 3.0},
       "geoDataExif": {"latitude": 48.8583736, "longitude": 2.291901, "altitude": 82.09},
       "favorited": true}
      """)
    #expect(photo.coordinate == Coordinate(latitude: 48.8583736, longitude: 2.291901))
    #expect(photo.positionSource == .takeout)
    #expect(photo.altitudeMeters == 82.09)
    #expect(photo.captured?.iso8601 == "2023-10-06T06:30:00.000Z")
    #expect(photo.captureTimeSource == .takeout)
    #expect(photo.isFavorite)
  }

  @Test func `a byte order mark before Takeout's JSON is ignored`() {
    let record = #"{"geoData": {"latitude": 48.5, "longitude": 2.5}}"#
    #expect(completed(.takeout, "\u{FEFF}" + record).coordinate?.latitude == 48.5)
    var photo = PhotoProperties()
    var utf16: [UInt8] = [0xFF, 0xFE]
    for byte in record.utf8 { utf16 += [byte, 0] }
    #expect(photo.complete(.takeout, utf16) == "the sidecar is not valid JSON")
    #expect(photo.complete(.takeout, Array("[{}]".utf8)) == nil)
  }

  @Test func `0, 0 in Takeout is no position, and then geoData is used`() {
    let none = #"{"geoDataExif": {"latitude": 0.0, "longitude": 0.0}, "geoData": "#
    let zero = completed(.takeout, none + #"{"latitude": 0.0, "longitude": 0.0}}"#)
    #expect(zero.coordinate == nil && zero.positionSource == nil)
    let set = completed(
      .takeout, none + #"{"latitude": -33.8, "longitude": 151.2, "altitude": 0}}"#)
    #expect(set.coordinate == Coordinate(latitude: -33.8, longitude: 151.2))
    #expect(set.altitudeMeters == nil)
  }

  @Test(arguments: [
    "", "[1,2]", "{", #"{"geoData": {"latitude": "48", "longitude": 2}}"#,
    #"{"geoData": {"latitude": 95, "longitude": 2}}"#, #"{"geoData": null, "geoDataExif": 7}"#,
    #"{"photoTakenTime": {"timestamp": "99999999999999999999"}}"#,
    #"{"photoTakenTime": {"timestamp": "-11644473600"}}"#,
    #"{"photoTakenTime": {"timestamp": "9223372036854775807"}}"#,
  ])
  func `text that is not a sidecar has no metadata`(text: String) {
    let photo = completed(.takeout, text)
    #expect(photo == PhotoProperties())
  }

  @Test func `a position in Takeout that cannot be used is not none`() throws {
    func problem(_ text: String, _ photo: PhotoProperties = PhotoProperties()) -> String? {
      var photo = photo
      return photo.complete(.takeout, Array(text.utf8))
    }
    let words = #"{"geoData": {"latitude": "48,8", "longitude": 2}}"#
    #expect(problem(words) == "the sidecar's position is not a number")
    let far = #"{"geoDataExif": {"latitude": 488584000, "longitude": 22945000}}"#
    #expect(problem(far) == "the sidecar's position is out of range")
    // The other position is used, or the photo's own.
    #expect(problem(far.dropLast() + #", "geoData": {"latitude": 48, "longitude": 2}}"#) == nil)
    var located = PhotoProperties()
    located.coordinate = Coordinate(latitude: 1, longitude: 2)
    #expect(problem(far, located) == nil && problem(words, located) == nil)
    for none in [
      #"{"geoData": {"latitude": 0.0, "longitude": 0.0}}"#, #"{"geoData": {}}"#, "{}",
      #"{"geoData": {"latitude": null, "longitude": null}}"#,
    ] {
      #expect(problem(none) == nil, "\(none)")
    }
  }

  @Test func `the JSON of ExifTool and osxphotos is named, since it is not read`() {
    for text in [
      #"[{"SourceFile": "a.jpg", "EXIF:GPSLatitude": 48.5, "EXIF:GPSLatitudeRef": "N"}]"#,
      "\u{FEFF}[{\n  \"GPSLatitude\": \"48 deg 30' 0.00\\\" N\"\n}]",
    ] {
      var photo = PhotoProperties()
      #expect(
        photo.complete(.takeout, Array(text.utf8))
          == "the sidecar is JSON of ExifTool or osxphotos, which is not read; XMP sidecars are")
      #expect(photo == PhotoProperties())
    }
    var photo = PhotoProperties()
    #expect(photo.complete(.takeout, Array(#"[{"GPSLatitudeRef": "N"}, "GPSLat"]"#.utf8)) == nil)
  }

  @Test func `the photo's own position takes precedence over a sidecar's`() throws {
    var photo = PhotoProperties()
    photo.coordinate = Coordinate(latitude: 1, longitude: 2)
    photo.positionSource = .exif
    photo = completed(.takeout, #"{"geoData": {"latitude": 3, "longitude": 4}}"#, photo)
    #expect(photo.positionSource == .exif)
    #expect(photo.coordinate == Coordinate(latitude: 1, longitude: 2))
  }

  @Test func `an XMP sidecar gives position, date and rating`() {
    let photo = completed(
      .xmp,
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        exif:GPSLatitude="50,5.375249N" exif:GPSLongitude="14,23.844571E" xmp:Rating="5"
        exif:DateTimeOriginal="2024-01-07T11:02:59+01:00"/></rdf:RDF></x:xmpmeta>
      """)
    #expect(photo.positionSource == .xmpSidecar)
    #expect(photo.isFavorite && photo.rating == 5)
    #expect(photo.captured?.iso8601 == "2024-01-07T11:02:59.000+01:00")
  }
}
