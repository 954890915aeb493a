import Testing

@testable import PhotoLibrary

@Suite struct SensorTableTests {
  @Test(arguments: [
    ("Canon", "Canon EOS 5D Mark III", 1), ("Canon", "Canon EOS 50D", 1.6),
    ("Canon", "Canon EOS 550D", 1.6), ("Canon", "Canon EOS R6", 1), ("Canon", "Canon EOS R7", 1.6),
    ("Canon", "Canon EOS R", 1), ("Canon", "Canon EOS-1D Mark IV", 1.3),
    ("Canon", "Canon EOS-1Ds Mark III", 1), ("Canon", "Canon EOS-1D X", 1),
    ("Canon", "Canon EOS M50", 1.6), ("Canon", "Canon EOS DIGITAL REBEL XT", 1.6),
    ("NIKON CORPORATION", "NIKON D90", 1.5), ("NIKON CORPORATION", "NIKON D3", 1),
    ("NIKON CORPORATION", "NIKON D300", 1.5), ("NIKON CORPORATION", "NIKON D3500", 1.5),
    ("NIKON CORPORATION", "NIKON Z 6_2", 1), ("NIKON CORPORATION", "NIKON Z 50", 1.5),
    ("SONY", "ILCE-7M3", 1), ("SONY", "ILCE-6000", 1.5), ("SONY", "DSC-RX100M3", 2.7),
    ("OLYMPUS IMAGING CORP.", "E-M10", 2), ("OLYMPUS CORPORATION", "E-PL7", 2),
    ("OLYMPUS OPTICAL CO.,LTD", "E-20,E-20N,E-20P", 3.93), ("OM Digital Solutions", "OM-1", 2),
    ("Panasonic", "DMC-GX80", 2), ("Panasonic", "DC-S5", 1), ("FUJIFILM", "X-T3", 1.5),
    ("PENTAX", "PENTAX K-1", 1), ("PENTAX", "PENTAX K-5", 1.5),
    ("RICOH IMAGING COMPANY, LTD.", "PENTAX K-70", 1.5),
    ("Leica Camera AG", "M8 Digital Camera", 1.33),
  ])
  func `knows a sensor's crop factor`(make: String, model: String, factor: Double) {
    #expect(Camera(make: make, model: model).flatMap(SensorTable.cropFactor) == factor)
  }

  @Test(arguments: [
    ("Canon", "Canon PowerShot A70"), ("FUJIFILM", "X-S1"), ("Apple", "iPhone 14 Pro"),
    ("Canonical", ""), ("", "EOS 5D"), ("Nobody", "EOS 5D"), ("SONY", "DSC-P8"),
  ])
  func `the crop factor of an unknown camera is nil`(make: String, model: String) {
    #expect(Camera(make: make, model: model).flatMap(SensorTable.cropFactor) == nil)
  }

  @Test(arguments: [
    ("Arezzo", "Arezzo"), ("  Arezzo \t 2019", "Arezzo"), ("2019-05 Siena", "Siena"),
    ("2019 - Siena", "Siena"), ("2019 Route 66", "Route 66"), ("2019 2020", nil),
    ("1984", nil), ("99 Steps", "99 Steps"),
    ("Val_d'Orcia", "Val d'Orcia"), ("100CANON", nil), ("DCIM", nil), ("Camera", nil),
    ("2019-05-12", nil), ("", nil), ("\u{202E}oznerA", "oznerA"), ("a\u{7}b", "ab"),
  ])
  func `an album gives a place name, unless it is named after a camera or date`(
    album: String, name: String?
  ) {
    #expect(PlaceName.name(ofAlbum: Array(album.utf8)) == name)
  }

  @Test func `a place name from any bytes is visible and at most 64 characters long`() {
    #expect(PlaceName.name(ofAlbum: [0xFF, 0x41, 0xFE, 0x0A]) == "A")
    let long = PlaceName.name(ofAlbum: Array(String(repeating: "ab ", count: 100).utf8))
    #expect(long?.unicodeScalars.count == 64 && long?.hasSuffix("…") == true)
  }
}
