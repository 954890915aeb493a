extension SamplePhoto {
  /// The sample photos by path: imaginary scenes at public places.
  ///
  /// Two spots are on the route of ``Walk/recorded``: the terrace of the Trocadéro, visited in
  /// 2016,
  /// 2019, 2024 and 2025, and the lawn behind the Eiffel Tower, visited in 2019, 2022 and 2024.
  package static let all: [SamplePhoto] =
    elsewhereBefore2019 + paris + elsewhereSince2019 + unlocated

  private static let paris: [SamplePhoto] = [
    photo(
      "2016 Paris/IMG_0412.jpg", .canon, "2016-04-17T11:05:42+02:00",
      at(48.86194, 2.28830), .eiffelTowerFromTrocadero, .day, "Eiffel Tower from the Trocadéro"),
    photo(
      "2016 Paris/IMG_0431.jpg", .canon, "2016-04-18T09:20:11+02:00",
      at(48.85150, 2.35300), .cathedral, .dawn, "Notre-Dame from the quay"),
    photo(
      "2019 Paris/IMG_2107.jpg", .smallPhone, "2019-05-11T18:42:07.250+02:00",
      at(48.86197, 2.28834, altitude: 67.2, accuracy: 6.5, heading: 131.4),
      .eiffelTowerFromTrocadero, .sunset, "Eiffel Tower from the Trocadéro"),
    photo(
      "2019 Paris/IMG_2108.jpg", .smallPhone, "2019-05-11T18:43:30.871+02:00",
      at(48.86196, 2.28826, altitude: 66.8, accuracy: 6.5, heading: 128.9),
      .eiffelTowerFromTrocadero, .sunset, "The same, a minute later"),
    photo(
      "2019 Paris/IMG_2115.jpg", .smallPhone, "2019-05-11T19:31:55.042+02:00",
      at(48.85735, 2.29580, altitude: 33.1, accuracy: 10, heading: 317.2),
      .eiffelTowerFromLawn, .sunset, "Eiffel Tower from the lawn"),
    photo(
      "2019 Paris/IMG_2139.jpg", .smallPhone, "2019-05-12T10:14:20.500+02:00",
      at(48.88645, 2.34300, altitude: 128.4, accuracy: 5, heading: 2.5),
      .basilica, .day, "Sacré-Cœur from its steps"),
    photo(
      "2022 Paris/DSC_5530.jpg", .nikon, "2022-10-02T08:12:48.400+02:00",
      at(48.85738, 2.29586, altitude: 34), .eiffelTowerFromLawn, .dawn,
      "Eiffel Tower from the lawn"),
    photo(
      "2024 Paris/IMG_4471.jpg", .phone, "2024-06-08T21:48:19.113+02:00",
      at(48.86191, 2.28833, altitude: 66.9, accuracy: 4.8, heading: 130.2),
      .eiffelTowerFromTrocadero, .dusk, "Eiffel Tower from the Trocadéro", rating: 5),
    photo(
      "2024 Paris/IMG_4488.jpg", .phone, "2024-06-09T12:03:37.640+02:00",
      at(48.85731, 2.29577, altitude: 33.4, accuracy: 4.8, heading: 316.8),
      .eiffelTowerFromLawn, .day, "Eiffel Tower from the lawn", rating: 4),
    photo(
      "2024 Paris/IMG_4502.jpg", .phone, "2024-06-09T17:22:05.208+02:00",
      at(48.85410, 2.33260, altitude: 41.3, accuracy: 12.4, heading: 245), .cafe, .day,
      "A café at Saint-Germain-des-Prés"),
    photo(
      "2024 Paris/PXL_20241221_171530.jpg", .pixel, "2024-12-21T18:15:30.119+01:00",
      at(48.86193, 2.28828, altitude: 67, accuracy: 3.9, heading: 132),
      .eiffelTowerFromTrocadero, .night, "Eiffel Tower from the Trocadéro"),
    photo(
      "2025 Paris/PXL_20250914_074402.jpg", .pixel, "2025-09-14T09:44:02.733+02:00",
      at(48.86195, 2.28836, altitude: 66.5, accuracy: 4.1, heading: 129.5),
      .eiffelTowerFromTrocadero, .dawn, "Eiffel Tower from the Trocadéro"),
  ]

  private static let elsewhereBefore2019: [SamplePhoto] = [
    photo(
      "2015 Fiji/P8010044.jpg", .olympus, "2015-08-01T10:30:00+12:00",
      at(-16.79000, 179.99900, altitude: 8, heading: 88), .meridianSign, .day,
      "The sign at the 180° meridian, west of it"),
    photo(
      "2015 Fiji/P8010051.jpg", .olympus, "2015-08-01T17:58:12+12:00",
      at(-16.79040, -179.99930, altitude: 2, heading: 270.5), .lagoon, .sunset,
      "A lagoon, 180 m further, east of the meridian"),
    photo(
      "2017 New York/DSC_1180.jpg", .nikon, "2017-10-06T07:51:26-04:00",
      at(40.70580, -73.99640, altitude: 41), .suspensionBridge, .dawn,
      "Brooklyn Bridge, camera held upright", isUpright: true),
    photo(
      "2017 New York/DSC_1214.jpg", .nikon, "2017-10-06T18:45:03-04:00",
      at(40.75890, -73.97930, altitude: 259), .skyline, .dusk,
      "Midtown from the top of a tower"),
    photo(
      "2018 South America/DSC04410.jpg", .sony, "2018-02-20T16:40:55-03:00",
      at(-22.98650, -43.19000), .beach, .day, "The promenade of Ipanema"),
    photo(
      "2018 South America/P\u{E3}o de A\u{E7}\u{FA}car.jpg", .sony, "2018-02-21T18:55:31-03:00",
      at(-22.94930, -43.15460, altitude: 12.5), .sugarloaf, .sunset, "Sugarloaf at sunset"),
    photo(
      "2018 South America/DSC04533.jpg", .sony, "2018-03-02T12:00:09-05:00",
      at(0, -78.45580, altitude: 2483), .equatorMonument, .day,
      "The monument on the equator, latitude 0"),
  ]

  private static let elsewhereSince2019: [SamplePhoto] = [
    photo(
      "2019 London/IMG_2290.jpg", .smallPhone, "2019-08-23T15:09:44.915+01:00",
      at(51.47790, -0.00150, altitude: 46.8, accuracy: 5, heading: 20.1), .observatory, .day,
      "The Royal Observatory, just west of Greenwich's meridian"),
    photo(
      "2020 Dead Sea/P2140017.jpg", .olympus, "2020-02-14T13:22:40+02:00",
      at(31.44600, 35.39700, altitude: -430.5, heading: 95), .deadSea, .haze,
      "Salt on the shore of the Dead Sea, below sea level"),
    photo(
      "2021 North/IMG_3350.jpg", .smallPhone, "2021-09-04T14:47:33.377+00:00",
      at(63.52930, -19.51330, altitude: 31.6, accuracy: 4.2, heading: 12.3), .waterfall, .haze,
      "Skógafoss"),
    photo(
      "2021 North/IMG_3602.jpg", .smallPhone, "2021-11-19T18:20:12.060+01:00",
      at(78.22320, 15.62670, altitude: 17, accuracy: 9.7, heading: 341), .aurora, .night,
      "Northern lights above Longyearbyen"),
    photo(
      "2022 Cape Town/PXL_20220318_150102.jpg", .pixel, "2022-03-18T17:01:02.481+02:00",
      at(-33.90360, 18.42050, altitude: 5.5, accuracy: 3.8, heading: 186.4), .tableMountain, .day,
      "Table Mountain from the harbour"),
    photo(
      "2023 Japan/DSC_7021.jpg", .nikon, "2023-04-09T07:02:17.300+09:00",
      at(35.50120, 138.80140, altitude: 850), .volcano, .dawn, "Mount Fuji and cherry blossom"),
    photo(
      "2023 Japan/DSC_7188.jpg", .nikon, "2023-04-12T16:33:50.800+09:00",
      at(34.96710, 135.77270, altitude: 48), .torii, .haze, "The gates of Fushimi Inari"),
    photo(
      "2023 Sydney/PXL_20231104_080511.jpg", .pixel, "2023-11-04T19:05:11.904+11:00",
      at(-33.85700, 151.21500, altitude: 6.2, accuracy: 3.2, heading: 78), .operaHouse, .dusk,
      "The Opera House"),
    photo(
      "2023 Sydney/PXL_20231104_184021.jpg", .pixel, "2023-11-05T05:40:21.332+11:00",
      at(-33.86000, 151.22250, altitude: 9.1, accuracy: 4, heading: 301.7), .archBridge, .dawn,
      "Harbour Bridge at dawn"),
    photo(
      "2023 Sydney/PXL_20231106_023344.jpg", .pixel, "2023-11-06T13:33:44.006+11:00",
      at(-33.89150, 151.27670, altitude: 4, accuracy: 3.5, heading: 140), .surf, .day, "Bondi"),
    photo(
      "Scans/canal.jpg", .scanner, nil, at(45.43400, 12.33880), .canal, .haze,
      "A canal in Venice, undated, placed by hand"),
  ]

  private static let unlocated: [SamplePhoto] = [
    photo(
      "2016 Paris/IMG_0420.jpg", .canon, "2016-04-17T15:48:26+02:00", .missing, .painting, .day,
      "A painting; no GPS"),
    photo(
      "2017 New York/DSC_1199.jpg", .nikon, "2017-10-06T12:17:39-04:00", .withoutPosition,
      .subway, .day, "Underground: a GPS directory without a position"),
    photo(
      "2018 South America/DSC04478.jpg", .sony, "2018-02-24T09:30:00-03:00", .missing, .stillLife,
      .day, "A still life; no GPS"),
    photo("Scans/house.jpg", nil, nil, .missing, .oldPortrait, .day, "An old print; no EXIF"),
  ]

  private static func photo(
    _ path: String, _ camera: Camera?, _ captured: String?, _ gps: GPS, _ scene: Scene,
    _ light: Light, _ title: String, rating: UInt16? = nil, isUpright: Bool = false
  ) -> SamplePhoto {
    SamplePhoto(
      path: path, camera: camera, captured: captured, gps: gps, rating: rating,
      isUpright: isUpright, title: title, scene: scene, light: light)
  }

  private static func at(
    _ latitude: Double, _ longitude: Double, altitude: Double? = nil, accuracy: Double? = nil,
    heading: Double? = nil
  ) -> GPS {
    .position(
      Position(
        latitude: latitude, longitude: longitude, altitudeMeters: altitude,
        accuracyMeters: accuracy, headingDegrees: heading))
  }
}
