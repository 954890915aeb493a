import Spatial
import Testing

@testable import Towns

/// Names of cities in many languages, each with the city that people mean by it.
@Suite struct TownNamesTests {
  /// The asked names, the name in the data, and the country.
  static let cities: [(asked: String, name: String, country: String)] = [
    ("Wien", "Vienna", "AT"), ("Vienne, AT", "Vienna", "AT"), ("Viena", "Vienna", "AT"),
    ("Bécs", "Vienna", "AT"), ("Вена", "Vienna", "AT"), ("ウィーン", "Vienna", "AT"),
    ("維也納", "Vienna", "AT"), ("فيينا", "Vienna", "AT"), ("Βιέννη", "Vienna", "AT"),
    ("ΒΙΕΝΝΗ", "Vienna", "AT"), ("Vídeň", "Vienna", "AT"), ("Wiedeń", "Vienna", "AT"),
    ("Biel", "Biel/Bienne", "CH"), ("Genf", "Geneva", "CH"), ("Genève", "Geneva", "CH"),
    ("Ginevra", "Geneva", "CH"), ("Zürich", "Zürich", "CH"), ("Zurigo", "Zürich", "CH"),
    ("Basilea", "Basel", "CH"), ("Bâle", "Basel", "CH"), ("Luzern", "Luzern", "CH"),
    ("Lucerna", "Luzern", "CH"), ("Losanna", "Lausanne", "CH"), ("Firenze", "Florence", "IT"),
    ("Florenz", "Florence", "IT"), ("Florencia, Italy", "Florence", "IT"),
    ("Florence", "Florence", "IT"), ("Флоренция", "Florence", "IT"), ("フィレンツェ", "Florence", "IT"),
    ("Roma", "Rome", "IT"), ("Rom", "Rome", "IT"), ("Rzym", "Rome", "IT"), ("Řím", "Rome", "IT"),
    ("Рим", "Rome", "IT"), ("ローマ", "Rome", "IT"), ("로마", "Rome", "IT"), ("روما", "Rome", "IT"),
    ("Milano", "Milan", "IT"), ("Mailand", "Milan", "IT"), ("Милан", "Milan", "IT"),
    ("Venezia", "Venice", "IT"), ("Venedig", "Venice", "IT"), ("Venise", "Venice", "IT"),
    ("Wenecja", "Venice", "IT"), ("Napoli", "Naples", "IT"), ("Neapel", "Naples", "IT"),
    ("Torino", "Turin", "IT"), ("Genova", "Genoa", "IT"), ("Genua", "Genoa", "IT"),
    ("Padova", "Padua", "IT"), ("Padua", "Padua", "IT"), ("Bozen", "Bolzano", "IT"),
    ("Trient", "Trento", "IT"), ("Siracusa, IT", "Siracusa", "IT"), ("Paris", "Paris", "FR"),
    ("Parigi", "Paris", "FR"), ("París", "Paris", "FR"), ("Париж", "Paris", "FR"),
    ("パリ", "Paris", "FR"), ("巴黎", "Paris", "FR"), ("파리", "Paris", "FR"),
    ("باريس", "Paris", "FR"), ("Paryż", "Paris", "FR"), ("Párizs", "Paris", "FR"),
    ("Paříž", "Paris", "FR"), ("Παρίσι", "Paris", "FR"), ("Lyon", "Lyon", "FR"),
    ("Lione", "Lyon", "FR"), ("Marsiglia", "Marseille", "FR"), ("Marsella", "Marseille", "FR"),
    ("Nizza", "Nice", "FR"), ("Niza", "Nice", "FR"), ("Straßburg", "Strasbourg", "FR"),
    ("Strasburgo", "Strasbourg", "FR"), ("Burdeos", "Bordeaux", "FR"),
    ("Lisboa", "Lisbon", "PT"), ("Lissabon", "Lisbon", "PT"), ("Lisbonne", "Lisbon", "PT"),
    ("Лиссабон", "Lisbon", "PT"), ("リスボン", "Lisbon", "PT"), ("Oporto", "Porto", "PT"),
    ("Porto", "Porto", "PT"), ("Sevilla", "Sevilla", "ES"), ("Seville", "Sevilla", "ES"),
    ("Séville", "Sevilla", "ES"), ("Siviglia", "Sevilla", "ES"), ("Saragossa", "Zaragoza", "ES"),
    ("Zaragoza", "Zaragoza", "ES"), ("Donostia", "Donostia / San Sebastián", "ES"),
    ("Barcelona", "Barcelona", "ES"), ("Barcellona", "Barcelona", "ES"),
    ("Барселона", "Barcelona", "ES"), ("Barcelone", "Barcelona", "ES"), ("Madryt", "Madrid", "ES"),
    ("Мадрид", "Madrid", "ES"), ("Cordoue", "Córdoba", "ES"), ("München", "Munich", "DE"),
    ("münchen", "Munich", "DE"), ("MUENCHEN", "Munich", "DE"),
    ("Monaco di Baviera", "Munich", "DE"),
    ("Mnichov", "Munich", "DE"), ("Мюнхен", "Munich", "DE"), ("ミュンヘン", "Munich", "DE"),
    ("Köln", "Köln", "DE"), ("Koeln", "Köln", "DE"), ("Cologne", "Köln", "DE"),
    ("Colonia, Germany", "Köln", "DE"), ("Keulen", "Köln", "DE"), ("Nürnberg", "Nuremberg", "DE"),
    ("Nuremberg", "Nuremberg", "DE"), ("Norimberga", "Nuremberg", "DE"),
    ("Freiburg im Breisgau", "Freiburg", "DE"), ("Freiburg", "Freiburg", "DE"),
    ("Frankfurt", "Frankfurt am Main", "DE"), ("Francoforte", "Frankfurt am Main", "DE"),
    ("Aix-la-Chapelle", "Aachen", "DE"), ("Aquisgrana", "Aachen", "DE"), ("Aachen", "Aachen", "DE"),
    ("Berlin", "Berlin", "DE"), ("Berlino", "Berlin", "DE"), ("Берлин", "Berlin", "DE"),
    ("Hambourg", "Hamburg", "DE"), ("Amburgo", "Hamburg", "DE"), ("Hannover", "Hannover", "DE"),
    ("Hanover, Germany", "Hannover", "DE"), ("Drezno", "Dresden", "DE"),
    ("Lipsko", "Leipzig", "DE"),
    ("Lipsk", "Leipzig", "DE"), ("Ratisbona", "Regensburg", "DE"), ("Trèves", "Trier", "DE"),
    ("Treviri", "Trier", "DE"), ("Mayence", "Mainz", "DE"), ("Salzbourg", "Salzburg", "AT"),
    ("Salisburgo", "Salzburg", "AT"), ("Innsbruck", "Innsbruck", "AT"), ("Praha", "Prague", "CZ"),
    ("Prag", "Prague", "CZ"), ("Praga", "Prague", "CZ"), ("Прага", "Prague", "CZ"),
    ("プラハ", "Prague", "CZ"), ("Brünn", "Brno", "CZ"), ("Pilsen", "Pilsen", "CZ"),
    ("Plzeň", "Pilsen", "CZ"), ("Warszawa", "Warsaw", "PL"), ("Warschau", "Warsaw", "PL"),
    ("Varsovie", "Warsaw", "PL"), ("Varsavia", "Warsaw", "PL"), ("Варшава", "Warsaw", "PL"),
    ("Kraków", "Kraków", "PL"), ("Krakau", "Kraków", "PL"), ("Cracovie", "Kraków", "PL"),
    ("Cracow", "Kraków", "PL"), ("Danzig", "Gdańsk", "PL"), ("Gdansk", "Gdańsk", "PL"),
    ("Breslau", "Wrocław", "PL"), ("Wroclaw", "Wrocław", "PL"), ("Stettin", "Szczecin", "PL"),
    ("Posen", "Poznań", "PL"), ("Lodz", "Łódź", "PL"), ("Budapest", "Budapest", "HU"),
    ("Budapeszt", "Budapest", "HU"), ("Будапешт", "Budapest", "HU"),
    ("Pressburg", "Bratislava", "SK"),
    ("Pozsony", "Bratislava", "SK"), ("Laibach", "Ljubljana", "SI"), ("Lubiana", "Ljubljana", "SI"),
    ("Agram", "Zagreb", "HR"), ("Zagabria", "Zagreb", "HR"),
    ("Beograd", "Belgrade", "RS"), ("Belgrad", "Belgrade", "RS"), ("Београд", "Belgrade", "RS"),
    ("București", "Bucharest", "RO"), ("Bukarest", "Bucharest", "RO"),
    ("Bucarest", "Bucharest", "RO"),
    ("Sofija", "Sofia", "BG"), ("София", "Sofia", "BG"), ("Sofia", "Sofia", "BG"),
    ("Athen", "Athens", "GR"), ("Αθήνα", "Athens", "GR"), ("ΑΘΗΝΑ", "Athens", "GR"),
    ("Atene", "Athens", "GR"), ("Atenas", "Athens", "GR"), ("Θεσσαλονίκη", "Thessaloníki", "GR"),
    ("Saloniki", "Thessaloníki", "GR"), ("İstanbul", "Istanbul", "TR"),
    ("Istanbul", "Istanbul", "TR"),
    ("Estambul", "Istanbul", "TR"), ("Стамбул", "Istanbul", "TR"),
    ("Konstantinopel", "Istanbul", "TR"),
    ("İzmir", "İzmir", "TR"), ("Smyrna, Turkey", "İzmir", "TR"), ("Bruxelles", "Brussels", "BE"),
    ("Brüssel", "Brussels", "BE"), ("Brussel", "Brussels", "BE"), ("Bruselas", "Brussels", "BE"),
    ("Antwerpen", "Antwerp", "BE"), ("Anvers", "Antwerp", "BE"), ("Amberes", "Antwerp", "BE"),
    ("Gand", "Gent", "BE"), ("Ghent", "Gent", "BE"), ("Brügge", "Brugge", "BE"),
    ("Bruges", "Brugge", "BE"), ("Lüttich", "Liège", "BE"), ("Luik", "Liège", "BE"),
    ("Löwen", "Leuven", "BE"), ("Louvain", "Leuven", "BE"), ("Den Haag", "The Hague", "NL"),
    ("'s-Gravenhage", "The Hague", "NL"), ("La Haye", "The Hague", "NL"),
    ("L'Aia", "The Hague", "NL"),
    ("Rotterdam", "Rotterdam", "NL"), ("Róterdam", "Rotterdam", "NL"),
    ("Амстердам", "Amsterdam", "NL"),
    ("København", "Copenhagen", "DK"), ("Kopenhagen", "Copenhagen", "DK"),
    ("Copenhague", "Copenhagen", "DK"), ("Århus", "Århus", "DK"), ("Göteborg", "Gothenburg", "SE"),
    ("Gothenburg", "Gothenburg", "SE"), ("Goteborg", "Gothenburg", "SE"),
    ("Estocolmo", "Stockholm", "SE"),
    ("Stoccolma", "Stockholm", "SE"), ("Malmo", "Malmö", "SE"), ("Helsingfors", "Helsinki", "FI"),
    ("Хельсинки", "Helsinki", "FI"), ("Åbo", "Turku", "FI"), ("Tammerfors", "Tampere", "FI"),
    ("Oslo", "Oslo", "NO"), ("Осло", "Oslo", "NO"), ("Reykjavík", "Reykjavík", "IS"),
    ("Reval", "Tallinn", "EE"), ("Таллин", "Tallinn", "EE"), ("Rīga", "Riga", "LV"),
    ("Рига", "Riga", "LV"), ("Wilno", "Vilnius", "LT"), ("Wilna", "Vilnius", "LT"),
    ("Москва", "Moscow", "RU"), ("МОСКВА", "Moscow", "RU"), ("Moskau", "Moscow", "RU"),
    ("Moscou", "Moscow", "RU"), ("Mosca", "Moscow", "RU"), ("モスクワ", "Moscow", "RU"),
    ("Санкт-Петербург", "Saint Petersburg", "RU"), ("Sankt Petersburg", "Saint Petersburg", "RU"),
    ("San Pietroburgo", "Saint Petersburg", "RU"), ("Leningrad", "Saint Petersburg", "RU"),
    ("Київ", "Kyiv", "UA"), ("Киев", "Kyiv", "UA"), ("Kiew", "Kyiv", "UA"), ("Kiev", "Kyiv", "UA"),
    ("Odessa", "Odesa", "UA"), ("Одеса", "Odesa", "UA"), ("Lemberg", "Lviv", "UA"),
    ("Lwów", "Lviv", "UA"), ("Львів", "Lviv", "UA"), ("London", "London", "GB"),
    ("Londres", "London", "GB"), ("Londra", "London", "GB"), ("Лондон", "London", "GB"),
    ("ロンドン", "London", "GB"), ("伦敦", "London", "GB"), ("Londyn", "London", "GB"),
    ("Édimbourg", "Edinburgh", "GB"), ("Edimburgo", "Edinburgh", "GB"),
    ("Caerdydd", "Cardiff", "GB"),
    ("Dublino", "Dublin", "IE"), ("Baile Átha Cliath", "Dublin", "IE"), ("東京", "Tokyo", "JP"),
    ("东京", "Tokyo", "JP"), ("도쿄", "Tokyo", "JP"), ("Tokio", "Tokyo", "JP"),
    ("Tōkyō", "Tokyo", "JP"),
    ("Токио", "Tokyo", "JP"), ("大阪", "Osaka", "JP"), ("京都", "Kyoto", "JP"),
    ("Kioto", "Kyoto", "JP"),
    ("札幌", "Sapporo", "JP"), ("横浜", "Yokohama", "JP"), ("福岡", "Fukuoka", "JP"),
    ("北京", "Beijing", "CN"), ("Peking", "Beijing", "CN"), ("Pékin", "Beijing", "CN"),
    ("Pechino", "Beijing", "CN"), ("Пекин", "Beijing", "CN"), ("上海", "Shanghai", "CN"),
    ("Schanghai", "Shanghai", "CN"), ("广州", "Guangzhou", "CN"), ("Kanton", "Guangzhou", "CN"),
    ("香港", "Hong Kong", "HK"), ("台北", "Taipei", "TW"), ("서울", "Seoul", "KR"),
    ("Séoul", "Seoul", "KR"),
    ("부산", "Busan", "KR"), ("Pusan", "Busan", "KR"), ("กรุงเทพมหานคร", "Bangkok", "TH"),
    ("Hà Nội", "Hanoi", "VN"), ("Saigon", "Ho Chi Minh City", "VN"), ("दिल्ली", "Delhi", "IN"),
    ("मुंबई", "Mumbai", "IN"), ("Bombay", "Mumbai", "IN"), ("Calcutta", "Kolkata", "IN"),
    ("Madras", "Chennai", "IN"), ("Bangalore", "Bengaluru", "IN"), ("القاهرة", "Cairo", "EG"),
    ("Le Caire", "Cairo", "EG"), ("Kairo", "Cairo", "EG"), ("الإسكندرية", "Alexandria", "EG"),
    ("Alexandrie", "Alexandria", "EG"), ("دمشق", "Damascus", "SY"), ("بيروت", "Beirut", "LB"),
    ("ירושלים", "Jerusalem", "IL"), ("תל אביב", "Tel Aviv", "IL"), ("تهران", "Tehran", "IR"),
    ("Teheran", "Tehran", "IR"), ("الرياض", "Riyadh", "SA"), ("دبي", "Dubai", "AE"),
    ("Marrakesch", "Marrakesh", "MA"), ("مراكش", "Marrakesh", "MA"),
    ("Casablanca", "Casablanca", "MA"),
    ("Tánger", "Tangier", "MA"), ("Alger", "Algiers", "DZ"), ("Tunis", "Tunis", "TN"),
    ("Kapstadt", "Cape Town", "ZA"), ("Le Cap", "Cape Town", "ZA"),
    ("Città del Capo", "Cape Town", "ZA"),
    ("Nova York", "New York City", "US"), ("Nueva York", "New York City", "US"),
    ("New York", "New York City", "US"), ("Нью-Йорк", "New York City", "US"),
    ("ニューヨーク", "New York City", "US"), ("San Francisco", "San Francisco", "US"),
    ("Nouvelle-Orléans", "New Orleans", "US"), ("Filadelfia", "Philadelphia", "US"),
    ("Montréal", "Montréal", "CA"), ("Montreal", "Montréal", "CA"), ("Québec", "Québec", "CA"),
    ("Quebec", "Québec", "CA"), ("Ciudad de México", "Mexico City", "MX"),
    ("Mexiko-Stadt", "Mexico City", "MX"),
    ("La Habana", "Havana", "CU"), ("Havanna", "Havana", "CU"), ("La Havane", "Havana", "CU"),
    ("São Paulo", "São Paulo", "BR"), ("Sao Paulo", "São Paulo", "BR"),
    ("San Paolo", "São Paulo", "BR"),
    ("Rio de Janeiro", "Rio de Janeiro", "BR"), ("Río de Janeiro", "Rio de Janeiro", "BR"),
    ("Bogotá", "Bogotá", "CO"), ("Buenos Aires", "Buenos Aires", "AR"),
    ("Буэнос-Айрес", "Buenos Aires", "AR"),
    ("Cordoba, Argentina", "Córdoba", "AR"), ("Santiago", "Santiago", "CL"),
    ("Sídney", "Sydney", "AU"),
    ("悉尼", "Sydney", "AU"), ("Valencia, Spain", "Valencia", "ES"), ("Valence", "Valence", "FR"),
    ("Monaco", "Monaco", "MC"), ("Luxemburg", "Luxembourg", "LU"),
    ("Luxembourg", "Luxembourg", "LU"),
    ("Nikosia", "Nicosia", "CY"), ("Λευκωσία", "Nicosia", "CY"), ("Valletta", "Valletta", "MT"),
    ("Tiflis", "Tbilisi", "GE"), ("თბილისი", "Tbilisi", "GE"), ("Երևան", "Yerevan", "AM"),
    ("Eriwan", "Yerevan", "AM"), ("Bakı", "Baku", "AZ"), ("Singapur", "Singapore", "SG"),
    ("新加坡", "Singapore", "SG"),
  ]

  @Test(arguments: cities)
  func `a city is found by its name in many languages`(
    asked: String, name: String, country: String
  ) {
    let towns = Gazetteer.world.towns(called: asked)
    #expect(towns.first?.name == name && towns.first?.countryCode == country, "\(towns.prefix(3))")
  }

  @Test(arguments: [
    (39.80, -89.64, "Springfield", 39.80), (42.10, -72.59, "Springfield", 42.10),
    // A far larger town is meant nevertheless.
    (33.66, -95.55, "Paris", 48.85),
  ])
  func `of towns with one name, a near one comes first`(
    latitude: Double, longitude: Double, name: String, expected: Double
  ) throws {
    let world = Gazetteer.world
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let found = try #require(world.matches(name, near: center).first)
    #expect(abs(world[found.town].coordinate.latitude - expected) < 0.1)
    #expect(
      Set(world.matches(name, near: center).map(\.town)) == Set(world.matches(name).map(\.town)))
  }

  @Test func `the text that is searched has each name as a question has it`() {
    let names = FoldedNames(of: .ofProgram)
    for town in stride(from: 0, to: Gazetteer.world.count, by: 7) {
      let name = Gazetteer.world[town].name
      #expect(Array(names[town]) == FoldedName.bytes(of: name, .ofProgram), "\(name)")
    }
  }

  @Test(arguments: ["san", "an", "york", "ork"])
  func `a word is found by its beginning alone`(asked: String) {
    let names = FoldedNames(of: .ofProgram)
    let found = Set(names.towns(withWordsBeginning: Array(asked.utf8)))
    for town in 0..<Gazetteer.world.count {
      let words = names[town].split(separator: UInt8(ascii: " "))
      #expect(found.contains(town) == words.contains { $0.starts(with: asked.utf8) })
    }
  }
}
