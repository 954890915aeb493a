import CivilTime
import GeoDocuments
import Spatial
import Testing

/// Files as written by other programs, according to their documentation.
@Suite struct GoldenPlacesTests {
  @Test func `Garmin waypoints keep their proximity, categories and address`() throws {
    let file = try placeFile(golden("garmin.gpx"))
    #expect(file.format == .gpx && file.title == "GPX")
    #expect(
      file.records.map(\.line) == [
        """
        Tower @ 48.8584 2.2945; kind Tall Tower; radius 80.5; created 2026-05-01T10:11:12.000Z; \
        in ["Towers", "Paris & around"]; note "Take the stairs"; note "5 Avenue Anatole France, Paris"; \
        note "Seen twice"
        """,
        #"Opera @ -33.8568 151.2153; radius 5000.0; note "https://example.org/opera""#,
      ])
    #expect(file.repeatedCount == 1)
    #expect(
      file.skippedTexts == [
        #"1 radii limited to 10 to 5000 m ["Opera"]"#,
        #"1 with an unreadable position ["Beyond the pole"]"#,
        #"1 without a position ["Nowhere"]"#, "1 that are not points []",
      ])
  }

  @Test func `OsmAnd favourites are in collections named after their groups`() throws {
    let file = try placeFile(golden("osmand.gpx"))
    #expect(file.title == "OsmAnd favourites")
    #expect(
      file.records.map(\.line) == [
        """
        Café am Tor @ 52.5163 13.3777; kind cafe; created 2026-03-01T08:00:00.000Z; in ["Berlin"]; \
        note "Gute Torte\\nmontags zu"; note "Pariser Platz 1, Berlin"
        """,
        "Star @ 52.5 13.4",
      ])
  }

  @Test func `KML placemarks are in collections named after their folders`() throws {
    let file = try placeFile(golden("folders.kml"))
    #expect(
      file.records.map(\.line) == [
        """
        <img src=x onerror=alert(1)> @ 61.5 7; id a1f0c2d4-9f52-4a67-8a6b-0f6d2f2f2f2f; kind viewpoint; \
        radius 120.0; created 2025-07-08T00:00:00.000Z; in ["Trips", "Norway"]; \
        note "A steep path & a hut (https://example.org/hut)"; \
        note "Parking: yes\\ngx_media_links: https://example.org/a.jpg"
        """,
        #"Loose @ 51.25 -0.5; note "Plain""#,
      ])
    #expect(
      file.skippedTexts == [
        #"1 pictures ["<img src=x onerror=alert(1)>"]"#,
        #"1 that are not points ["Way"]"#, #"1 without a position ["Empty"]"#,
        #"1 with an unreadable position ["Unreadable"]"#,
        #"1 that are links to other files ["More"]"#,
      ])
  }

  @Test func `GeoJSON points are read with common property names`() throws {
    let file = try placeFile(golden("points.geojson"))
    #expect(
      file.records.map(\.line) == [
        """
        Gate @ 52.5163 13.3777; id node/240109189; kind monument; radius 75.0; \
        created 2024-05-06T05:08:09.000Z; in ["gates", "berlin"]; note "Große Quadriga"; \
        note "https://example.org"
        """,
        "Plain @ 50 10; created 2023-11-14T22:13:20.000Z",
      ])
    #expect(
      file.skippedTexts == [
        #"1 that are not points ["Area"]"#, #"1 without a position ["Nothing"]"#,
        #"1 with an unreadable position ["Off the globe"]"#,
      ])
  }

  @Test func `Google's saved places get positions from their links, or are reported`()
    throws
  {
    let file = try placeFile(golden("Saved Places.json"), title: "Saved Places")
    #expect(file.title == "Google's saved places")
    #expect(
      file.records.map(\.line) == [
        """
        Alexandra Palace @ 51.59792 -0.12021; id http://maps.google.com/?cid=17295021474934382781; \
        created 2023-09-27T09:56:06.000Z; in ["Saved Places"]; \
        note "Alexandra Palace Way, London N22 7AY, United Kingdom"
        """,
        """
        Konkordiahütte @ 46.5004589 8.0532115; id http://maps.google.com/?q=46.5004589,8.0532115; \
        created 2024-01-02T03:04:05.000Z; in ["Saved Places"]
        """,
        """
        Old form @ 47.3769 8.5417; id http://maps.google.com/?cid=42424242424242; \
        created 2017-09-27T09:56:06.000Z; in ["Saved Places"]; note "Zürich"
        """,
      ])
    #expect(file.skippedTexts == [#"1 without a position ["Only a link"]"#])
  }

  @Test func `Google's labeled places keep their address as a note`() throws {
    let file = try placeFile(golden("Labeled places.json"))
    #expect(
      file.records.map(\.line) == [#"Home @ 47.5 8.5; note "Bahnhofstrasse 1, Zürich""#])
  }

  @Test func `Google's lists get positions from their links, or are reported`() throws {
    let file = try placeFile(golden("Want to go.csv"), title: "Want to go")
    #expect(file.title == "Google's saved places")
    #expect(file.records.map(\.name) == ["Harbour, old", "Searched"])
    #expect(file.records[0].coordinate.latitude == 60.3951)
    #expect(file.records[0].notes.map(\.text) == ["Fish on Fridays", "See \"the\" crane"])
    #expect(file.records[1].coordinate.longitude == 7.1)
    #expect(file.records.allSatisfy { $0.collections == ["Want to go"] })
    #expect(file.skippedTexts == [#"1 without a position ["Only a name"]"#])
  }

  @Test func `tables may have decimal commas, degrees and minutes, and German columns`()
    throws
  {
    let file = try placeFile(golden("excel-de.csv"))
    #expect(
      file.records.map(\.line) == [
        """
        Eiche @ 48.1371 11.5754; kind Baum; created 2024-10-28T04:37:15.000Z; \
        note "Hohl\\nund alt"
        """,
        "Schiff @ 53.5416667 9.9861111",
      ])
    #expect(
      file.skippedTexts == [
        #"1 without a position ["Leer"]"#, #"1 with an unreadable position ["Falsch"]"#,
      ])
  }

  @Test func `My Maps tables have points as well-known text`() throws {
    let file = try placeFile(golden("mymaps.csv"))
    #expect(file.records.map(\.line) == [#"Tower @ 48.8584 2.2945; note "Iron""#])
    #expect(file.skippedTexts == [#"1 that are not points ["Way"]"#])
  }
}
