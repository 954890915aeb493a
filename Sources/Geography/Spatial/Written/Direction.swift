/// One of the four directions of a hemisphere letter.
enum Direction: Hashable {
  case north, south, east, west

  /// Whether an angle in this direction is a latitude.
  var isOfLatitude: Bool { self == .north || self == .south }
  /// Whether an angle in this direction is negative.
  var isNegative: Bool { self == .south || self == .west }
  var letter: String {
    switch self {
    case .north: "N"
    case .south: "S"
    case .east: "E"
    case .west: "W"
    }
  }
}

/// The meaning of a word in a written position.
struct PositionWord: Equatable {
  /// The direction that the word names in each language that has it.
  var directions: [String: Direction] = [:]
  /// The unit that the word names: 0 for degrees, 1 for minutes, 2 for seconds.
  var unit: Int?
  /// Whether the word announces a latitude or a longitude; `nil` if it announces neither.
  var isOfLatitude: Bool?
  /// Whether the word stands between the two angles.
  var isSeparator = false
  /// Whether the word means nothing beside the others, as in `latitude of 48°`.
  var isFiller = false
}

/// The words of written positions, in lower case and without points.
///
/// The letter O is east in German and Dutch, and west in the Romance languages; S is south in most
/// languages, and north (sever) in Czech. A language therefore counts only if it has both words of
/// a position.
enum PositionWords {
  /// The greatest number of characters of a word.
  static let maximumLength = 12

  static let all: [String: PositionWord] = {
    var words: [String: PositionWord] = [:]
    for (language, texts) in directions {
      for (text, direction) in zip(texts, [Direction.north, .south, .east, .west]) {
        for word in text.split(separator: " ") {
          words[String(word), default: PositionWord()].directions[language] = direction
        }
      }
    }
    for (unit, text) in units.enumerated() {
      for word in text.split(separator: " ") {
        words[String(word), default: PositionWord()].unit = unit
      }
    }
    for (isOfLatitude, text) in [(true, latitudes), (false, longitudes)] {
      for word in text.split(separator: " ") {
        words[String(word), default: PositionWord()].isOfLatitude = isOfLatitude
      }
    }
    for word in separators.split(separator: " ") {
      words[String(word), default: PositionWord()].isSeparator = true
    }
    for word in fillers.split(separator: " ") {
      words[String(word), default: PositionWord()].isFiller = true
    }
    return words
  }()

  /// The words for north, south, east and west.
  private static let directions: [(String, [String])] = [
    ("en", ["n north northern", "s south southern", "e east eastern", "w west western"]),
    (
      "de",
      [
        "n nord norden nördlich nördliche nördlicher nördl nbr",
        "s süd sued süden südlich südliche südlicher südl sbr",
        "o ost osten östlich östliche östlicher östl öl",
        "w west westen westlich westliche westlicher westl wl",
      ]
    ),
    (
      "nl",
      [
        "n noord noorden noorder nb", "z zuid zuiden zuider zb", "o oost oosten ooster ol",
        "w west westen wester wl",
      ]
    ),
    ("fr", ["n nord", "s sud", "e est", "o ouest"]),
    ("es", ["n norte", "s sur", "e este", "o oeste"]),
    ("pt", ["n norte", "s sul", "e l este leste", "o oeste"]),
    ("it", ["n nord", "s sud", "e est", "o ovest"]),
    ("ca", ["n nord", "s sud", "e est", "o oest"]),
    ("ro", ["n nord", "s sud", "e est", "v vest"]),
    (
      "sv",
      [
        "n nord norr nordlig", "s syd söder sydlig", "ö o öst öster östlig",
        "v väst väster västlig",
      ]
    ),
    (
      "da",
      [
        "n nord nordlig nordligt", "s syd sør sydlig sydligt sørlig", "ø øst østlig østligt",
        "v vest vestlig vestligt",
      ]
    ),
    ("is", ["n norður", "s suður", "a austur", "v vestur"]),
    (
      "fi",
      ["p pohjoinen pohjoista pohjoisen", "e etelä eteläistä", "i itä itäistä", "l länsi läntistä"]
    ),
    ("et", ["p põhi", "l lõuna", "i ida", "lääs"]),
    ("cs", ["s sever severní sš", "j jih jižní jš", "v východ východní vd", "z západ západní zd"]),
    ("sk", ["s sever", "j juh", "v východ", "z západ"]),
    ("sl", ["s sever", "j jug", "v vzhod", "z zahod"]),
    ("hr", ["s sjever sever", "j jug", "i istok", "z zapad"]),
    (
      "pl",
      [
        "n pn płn północ północna północnej",
        "s pd płd południe południowa południowej",
        "e wsch wschód wschodnia wschodniej", "w zach zachód zachodnia zachodniej",
      ]
    ),
    ("hu", ["é ész észak", "d dsz dél", "k kh kelet", "ny nyh nyugat"]),
    ("lv", ["z ziemeļi", "d dienvidi", "a austrumi", "r rietumi"]),
    ("lt", ["š šiaurė", "p pietūs", "r rytai", "v vakarai"]),
    ("tr", ["k kuzey", "g güney", "d doğu", "b batı"]),
    (
      "ru",
      [
        "с сш сев север северной северная", "ю юш юж юг южной южная",
        "в вд вост восток восточной восточная", "з зд зап запад западной западная",
      ]
    ),
    (
      "uk",
      [
        "пн пнш північ північної", "пд пдш південь південної", "сх схд схід східної",
        "зх зхд захід західної",
      ]
    ),
    ("bg", ["с север", "ю юг", "и изток", "з запад"]),
    (
      "el",
      [
        "β βόρεια βόρειο βορράς", "ν νότια νότιο νότος", "α ανατολικά ανατολικό ανατολή",
        "δ δυτικά δυτικό δύση",
      ]
    ),
    ("zh", ["北纬 北緯 北", "南纬 南緯 南", "东经 東經 东 東", "西经 西經 西"]),
    ("ja", ["北緯 北", "南緯 南", "東経 東", "西経 西"]),
    ("ko", ["북위 북", "남위 남", "동경 동", "서경 서"]),
    ("ar", ["شمالا شمال ش", "جنوبا جنوب ج", "شرقا شرق", "غربا غرب غ"]),
    ("fa", ["شمالی شمال", "جنوبی جنوب", "شرقی شرق", "غربی غرب"]),
    ("he", ["צפון", "דרום", "מזרח", "מערב"]),
    ("hi", ["उत्तर उ", "दक्षिण द", "पूर्व पू", "पश्चिम प"]),
    ("vi", ["b bắc", "n nam", "đ đông", "t tây"]),
    ("id", ["lu utara", "ls selatan", "bt timur", "bb barat"]),
    ("th", ["เหนือ", "ใต้", "ตะวันออก", "ตะวันตก"]),
  ]

  /// The words for degrees, minutes and seconds.
  private static let units = [
    """
    d deg degs degree degrees grad grade grados grado graus grau gradi degré degrés graden stopni \
    stopień grader astetta stupňů stupně градус градуса градусов град гр 度 도 درجة درجه מעלות
    """,
    """
    m min mins minute minutes minuten minuto minutos minuti minut minuter minuuttia мин минут минута \
    минуты 分 분 دقيقة دقیقه דקות
    """,
    """
    s sec secs second seconds sek sekunden sekunde seg segundo segundos secondo secondi seconde \
    secondes seconden sekund sekunder sekuntia сек секунд секунда секунды 秒 초 ثانية ثانیه שניות
    """,
  ]

  private static let latitudes = """
    lat lati latitude latitud latitudine br breite breitengrad breddegrad leveysaste leveyttä šířka \
    szerokość szerokości szer \
    φ szélesség enlem широта широты шир ш 纬度 緯度 緯 纬 위도 πλάτος breedte bredd bredde
    """
  private static let longitudes = """
    lon lng long longi longitude longitud longitudine länge längengrad lengde lengdegrad længde \
    længdegrad pituusaste pituutta λ délka długość długości dł boylam долгота долготы дол д 经度 經度 経度 경도 μήκος hosszúság lengte längd
    """
  private static let separators = "and und et y"
  private static let fillers = """
    of de di geogr gps position pos coordinates coordinate coords coord koordinaten standort
    """
}
