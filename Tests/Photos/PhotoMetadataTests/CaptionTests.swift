import PhotoMetadata
import Spatial
import TestSupport
import Testing

/// Titles and captions, wherever programs write them.
@Suite struct CaptionTests {
  private static func wide(_ text: String) -> ExifBlock.Value {
    var bytes: [UInt8] = []
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    return .bytes(bytes + [0, 0])
  }

  /// An IPTC block in the resources of Photoshop.
  private static func datasets(_ datasets: [(number: UInt8, value: [UInt8])]) -> JPEGFile.Part {
    func length(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    }
    var content: [UInt8] = []
    for (number, value) in datasets { content += [0x1C, 2, number] + length(value) + value }
    var resource = Array("Photoshop 3.0\08BIM".utf8)
    resource += [4, 4, 0, 0, 0, 0] + length(content) + content
    return .segment(marker: 0xED, resource)
  }

  private static func alternatives(_ name: String, _ texts: [(String, String)]) -> String {
    let items = texts.map { "<rdf:li xml:lang='\($0.0)'>\($0.1)</rdf:li>" }.joined()
    return "<dc:\(name) xmlns:dc='http://purl.org/dc/elements/1.1/'><rdf:Alt>\(items)</rdf:Alt>"
      + "</dc:\(name)>"
  }

  @Test func `texts and dates of EXIF 3 have a type of their own`() {
    func utf8(_ text: String) -> ExifBlock.Value {
      .raw(type: 129, count: UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
    }
    for photo in propertiesInBothOrders(
      image: [
        Entry(0x010E, utf8("Großmutter am Meer")), Entry(0x010F, utf8("Köda")),
        Entry(0x0110, utf8("Nº 1")),
      ],
      exif: [Entry(0x9003, utf8("2024:04:13 20:34:30")), Entry(0x9011, utf8("+02:00"))],
      gps: [
        Entry(1, utf8("S")), Entry(2, .rationals([(33, 1), (30, 1), (0, 1)])), Entry(3, utf8("W")),
        Entry(4, .rationals([(70, 1), (30, 1), (0, 1)])),
      ])
    {
      #expect(photo.caption == "Großmutter am Meer")
      #expect(photo.make == "Köda" && photo.model == "Nº 1")
      #expect(photo.captured?.iso8601 == "2024-04-13T20:34:30.000+02:00")
      #expect(photo.coordinate?.latitude == -33.5 && photo.coordinate?.longitude == -70.5)
    }
  }

  @Test func `EXIF has a caption in UTF-8 or Latin-1, and those of Windows`() {
    for photo in propertiesInBothOrders(image: [
      Entry(0x010E, .ascii("Großmutter \n am Meer ")), Entry(0x9C9B, Self.wide("Été 🏖")),
      Entry(0x9C9C, Self.wide("not the first")),
    ]) {
      #expect(photo.caption == "Großmutter am Meer" && photo.title == "Été 🏖")
      #expect(photo.words == "Été 🏖\nGroßmutter am Meer")
    }
    let latin = ExifBlock(image: [Entry(0x010E, .bytes([0x43, 0x61, 0x66, 0xE9, 0]))])
    #expect(properties(latin).caption == "Café" && properties(latin).words == "Café")
    let windows = ExifBlock(image: [Entry(0x9C9C, Self.wide("Only here"))])
    #expect(properties(windows).caption == "Only here")
    let long = ExifBlock(image: [Entry(0x010E, .ascii(String(repeating: "ä", count: 5000)))])
    #expect(properties(long).caption == String(repeating: "ä", count: 999) + "…")
    let padded = ExifBlock(image: [
      Entry(0x010E, .bytes([0x43, 0x61, 0x66, 0xE9] + Array(repeating: 0, count: 5000)))
    ])
    #expect(properties(padded).caption == "Café")
    let emoji = ExifBlock(image: [
      Entry(0x9C9C, Self.wide("a" + String(repeating: "🏖", count: 2000)))
    ])
    #expect(properties(emoji).caption?.contains("\u{FFFD}") == false)
    for odd in [[], [0x41], [0x41, 0, 0x42]] as [[UInt8]] {
      _ = properties(ExifBlock(image: [Entry(0x9C9B, .bytes(odd))]))
    }
  }

  @Test(arguments: [
    "OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "cof", "<Digimax i5, Samsung #1>", "default",
    "DCIM\\100MEDIA\\DJI_0012.JPG", " \n ", "\u{1}\u{2}",
  ])
  func `what devices write is no caption`(text: String) {
    let photo = properties([
      .exif(ExifBlock(image: [Entry(0x010E, .ascii(text))]).tiff),
      Self.datasets([(120, Array("The pier".utf8))]),
    ])
    #expect(photo.caption == "The pier" && photo.title == nil)
  }

  @Test func `a text that is cut off does not make a photo damaged`() {
    for tag in [0x010E, 0x9C9B, 0x9C9C] as [UInt16] {
      let beyond = Entry(tag, .field(type: 1, count: 600, 4_000_000))
      let block = ExifBlock(image: [beyond, Entry(0x010F, .ascii("Maker"))])
      #expect(reading(JPEGFile(block).bytes).malformation == nil)
      #expect(properties(block).make == "Maker" && properties(block).words == nil)
    }
  }

  @Test func `XMP has texts in several languages, of which the default one counts`() {
    let texts =
      Self.alternatives("title", [("x-default", " "), ("de", "Der Steg"), ("en", "Pier")])
      + Self.alternatives("description", [("x-default", "At low &lt;tide&gt;"), ("de", "Ebbe")])
    let photo = properties([.xmp(elements: texts)])
    #expect(photo.title == "Der Steg" && photo.caption == "At low <tide>")
    let core = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
    let attributes = properties([.xmp(attributes: "\(core) dc:title='One' dc:format='image/jpeg'")])
    #expect(attributes.title == "One" && attributes.caption == nil)
    let headline = properties([.xmp(elements: "<photoshop:Headline>News</photoshop:Headline>")])
    #expect(headline.title == "News")
    let subjects = "<dc:subject \(core)><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>"
    #expect(properties([.xmp(elements: subjects)]).words == nil)
    let long = Self.alternatives("description", [("x", String(repeating: "b ", count: 20_000))])
    #expect(properties([.xmp(elements: long)]).caption?.unicodeScalars.count == 1000)
  }

  @Test func `IPTC has texts in UTF-8 or Latin-1, also beside an original date`() {
    let date = [Entry(0x9003, .ascii("1999:03:04 05:06:07"))]
    let photo = properties([
      .exif(ExifBlock(exif: date).tiff),
      Self.datasets([
        (5, Array("Name".utf8)), (105, Array("Head".utf8)), (120, [0x46, 0xEA, 0x92]),
      ]),
    ])
    #expect(photo.title == "Name" && photo.caption == "Fê’")
    #expect(photo.captureTimeSource == .dateTimeOriginal)
    // Dates are read only where one is wanted.
    let dated = properties([
      .exif(ExifBlock(exif: date).tiff), Self.datasets([(55, Array("19640532".utf8))]),
    ])
    #expect(dated.unread.isEmpty && dated.captured == photo.captured)
    let day = "photoshop:DateCreated='2019-05-04'"
    let timed = Self.datasets([(55, Array("20190504".utf8)), (60, Array("183000+0200".utf8))])
    #expect(properties([.xmp(attributes: day), timed]).captured?.isDayOnly == true)
    #expect(properties([Self.datasets([(105, Array("Head".utf8))])]).title == "Head")
  }

  @Test func `a caption in the photo goes before those of its sidecars`() {
    var photo = properties(ExifBlock(image: [Entry(0x010E, .ascii("Inside"))]))
    var bare = properties(ExifBlock())
    for content in [#"{"title":"IMG_1.jpg","description":"Beside"}"#, #"{"description":["x"]}"#] {
      photo.complete(.takeout, Array(content.utf8))
      bare.complete(.takeout, Array(content.utf8))
    }
    #expect(photo.caption == "Inside" && photo.title == nil)
    #expect(bare.caption == "Beside" && bare.title == nil)
  }
}
