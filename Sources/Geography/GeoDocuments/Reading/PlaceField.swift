/// A field of a place in a table or a list of properties.
package enum PlaceField: String, CaseIterable, Sendable {
  case latitude, longitude, position, name, kind, note, collection, radius, time, id, address, url
  /// The letter of the hemisphere, in a column of its own beside the degrees.
  case northSouth, eastWest

  /// Returns the field for the name of a column or property; `nil` for an unknown name.
  ///
  /// Case, spaces, punctuation and accents are ignored. `x` and `y` are not recognised, since they
  /// may be metres in a projection.
  package init?(columnName: String) {
    guard let field = Self.names[Self.folded(columnName)] else { return nil }
    self = field
  }

  /// Returns a name in lower case without spaces, punctuation and accents.
  static func folded(_ name: String) -> String {
    var folded = ""
    for scalar in name.lowercased().unicodeScalars.prefix(64) {
      switch scalar {
      case "a"..."z", "0"..."9": folded.unicodeScalars.append(scalar)
      case "ß": folded += "ss"
      case _ where accented[scalar] != nil: folded += accented[scalar] ?? ""
      default:
        // Letters of other scripts are kept; combining accents, punctuation and spaces are removed.
        if scalar.properties.isAlphabetic { folded.unicodeScalars.append(scalar) }
      }
    }
    return folded
  }

  /// The accented letters of names with their base letters.
  private static let accented: [Unicode.Scalar: String] = {
    let table = [
      "a": "àáâãäåąăā", "c": "çćč", "d": "ďđ", "e": "èéêëęěėē", "g": "ğģ", "i": "ìíîïıīį",
      "k": "ķ", "l": "łľļĺ", "n": "ñńňņ", "o": "òóôõöøő", "r": "řŕ", "s": "śšşșŝ", "t": "ťţț",
      "u": "ùúûüůűūų", "y": "ýÿ", "z": "żźž",
      // The accents of Greek, which capitals and old texts lack.
      "α": "ά", "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ", "σ": "ς",
    ]
    var letters: [Unicode.Scalar: String] = [:]
    for (base, accented) in table {
      for scalar in accented.unicodeScalars { letters[scalar] = base }
    }
    return letters
  }()

  /// The recognised names in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
  /// Swedish, Danish, Norwegian, Finnish, Czech, Slovak, Slovene, Croatian, Hungarian, Romanian,
  /// Catalan, Turkish, Greek, Russian, Ukrainian, Bulgarian, Japanese, Chinese and Korean, and
  /// those used by programs.
  private static let names: [String: PlaceField] = {
    let table: [(PlaceField, [String])] = [
      (
        .latitude,
        [
          "latitude", "lat", "latitudedeg", "latitudedegrees", "latitudewgs84", "gpslatitude",
          "gpslat", "decimallatitude", "poilat", "breitengrad", "breite", "geographischebreite",
          "latitud", "latitudine", "breedtegraad", "szerokosc", "szerokoscgeograficzna", "bredd",
          "latitudgrader", "breddegrad", "zemepisnasirka", "широта", "緯度", "纬度", "lattitude",
          "geolat", "latdecimal", "wgs84lat", "zemepisnasirina", "geografskasirina", "sirina",
          "leveysaste", "leveysasteet", "leveyspiiri", "szelesseg", "foldrajziszelesseg",
          "enlem", "γεωγραφικοπλατοσ", "πλατοσ", "географскаширина", "위도", "latitudegps",
          "decimallat", "latitudens", "coordinatelatitude",
        ]
      ),
      (
        .longitude,
        [
          "longitude", "lon", "lng", "long", "longitudedeg", "longitudedegrees", "longitudewgs84",
          "gpslongitude", "gpslon", "gpslng", "decimallongitude", "poilon", "langengrad",
          "laengengrad", "lange", "laenge", "geographischelange", "geographischelaenge", "longitud",
          "longitudine", "lengtegraad", "dlugosc", "dlugoscgeograficzna", "langd", "lengdegrad",
          "laengdegrad", "langdegrad", "zemepisnadelka", "долгота", "経度", "经度", "geolon",
          "geolng", "londecimal", "wgs84lon", "經度", "zemepisnadlzka", "zemljepisnadolzina",
          "geografskaduzina", "duzina", "pituusaste", "pituusasteet", "pituuspiiri", "hosszusag",
          "foldrajzihosszusag", "boylam", "γεωγραφικομηκοσ", "μηκοσ", "довгота", "дължина",
          "географскадължина", "경도", "longitudegps", "decimallon", "decimallong",
          "coordinatelongitude", "longitudeew",
        ]
      ),
      (
        .position,
        [
          "position", "coordinates", "coordinate", "coords", "latlon", "latlng", "latlong", "gps",
          "gpsposition", "gpscoordinates", "wkt", "geo", "point", "thegeom", "koordinaten",
          "koordinate", "koordinaty", "coordonnees", "coordenadas", "coordinate", "coordinaten",
          "coordinate", "latitudelongitude", "wspolrzedne", "souradnice", "координаты", "座標",
          "坐标", "geopoint", "pluscode", "座標値", "坐標", "koordinaatit", "koordinatak",
          "coordonate", "koordinatlar", "συντεταγμενεσ", "좌표", "geom", "geometry", "geolocation",
          "latlonwgs84",
        ]
      ),
      (
        .name,
        [
          "name", "title", "label", "placename", "place", "poi", "poiname", "waypoint",
          "bezeichnung", "titel", "ort", "nom", "titre", "nombre", "titulo", "nome", "titolo",
          "naam", "nazwa", "tytul", "namn", "navn", "nazev", "название", "имя", "名前", "名称",
          "タイトル", "标题", "businessname", "名稱", "標題", "제목", "이름", "nev", "megnevezes",
          "nimi", "nume", "denumire", "ad", "isim", "baslik", "ονομα", "τιτλοσ", "назва", "име",
          "ime", "naziv", "titol", "nazov",
        ]
      ),
      (
        .kind,
        [
          "kind", "type", "art", "typ", "genre", "tipo", "soort", "rodzaj", "тип", "種類", "类型",
          "category", "kategorie", "categorie", "categoria", "kategoria", "kategori", "категория",
          "カテゴリ", "symbol", "sym", "類別", "類型", "유형", "종류", "카테고리", "tipus",
          "tyyppi", "tur", "τυποσ", "вид", "druh", "vrsta",
        ]
      ),
      (
        .note,
        [
          "note", "notes", "description", "desc", "comment", "comments", "remark", "remarks", "cmt",
          "memo", "text", "notiz", "notizen", "beschreibung", "kommentar", "bemerkung", "remarque",
          "commentaire", "descripcion", "nota", "notas", "comentario", "descricao", "descrizione",
          "commento", "beschrijving", "opmerking", "opis", "komentarz", "uwagi", "beskrivning",
          "beskrivelse", "anteckning", "popis", "poznamka", "описание", "заметка", "комментарий",
          "メモ", "説明", "备注", "描述", "noteowner", "descr", "備註", "說明", "메모", "설명", "비고",
          "댓글", "megjegyzes", "leiras", "huomautus", "kuvaus", "muistiinpano", "kommentti",
          "descriere", "observatii", "comentariu", "aciklama", "not", "notlar", "σημειωση",
          "σημειωσεισ", "περιγραφη", "σχολια", "опис", "примітка", "примітки", "нотатка",
          "описание", "бележка", "opomba", "napomena", "biljeska", "komentaris", "descripcio",
          "примечание", "примечания",
        ]
      ),
      (
        .collection,
        [
          "collection", "collections", "tags", "tag", "labels", "folder", "list", "lists", "group",
          "layer", "album", "sammlung", "sammlungen", "liste", "ordner", "gruppe", "schlagworte",
          "dossier", "groupe", "carpeta", "lista", "grupo", "pasta", "cartella", "gruppo",
          "groep", "folderu", "grupa", "mapp", "mappe", "slozka", "папка", "список", "группа",
          "フォルダ", "列表", "標籤", "目錄", "태그", "목록", "폴더", "cimke", "cimkek", "tunniste",
          "kansio", "etichete", "etiket", "etiketler", "klasor", "ετικετεσ", "мітки", "етикети",
          "balises", "etiquetas", "etiquetes", "schlagwort", "labels", "znacky", "oznake",
          "метки", "теги",
        ]
      ),
      (
        .radius,
        [
          "radius", "radiusm", "radiusmeters", "radiusmetres", "proximity", "alertradius",
          "umkreis",
          "rayon", "radio", "raio", "raggio", "straal", "promien", "радиус", "半径",
        ]
      ),
      (
        .time,
        [
          "time", "timestamp", "timestampms", "date", "datetime", "created", "createdat",
          "creationdate", "added",
          "addedat", "dateadded", "published", "datum", "zeit", "erstellt", "heure", "cree",
          "fecha",
          "hora", "creado", "data", "criado", "creato", "tijd", "utworzono", "skapad", "oprettet",
          "vytvoreno", "дата", "время", "日付", "日時", "日期", "when",
        ]
      ),
      (.id, ["id", "uuid", "guid", "uid", "placeid", "identifier"]),
      (
        .address,
        [
          "address", "adresse", "anschrift", "direccion", "endereco", "indirizzo", "adres",
          "adress",
          "adresa", "адрес", "住所", "地址", "formattedaddress", "주소", "cim", "osoite", "διευθυνση",
          "адреса", "naslov", "adreca",
        ]
      ),
      (
        .url,
        ["url", "link", "googlemapsurl", "mapsurl", "website", "href", "googlemaps", "maplink"]
      ),
      (
        .northSouth,
        ["ns", "latns", "nsindicator", "latref", "latituderef", "gpslatituderef"]
      ),
      (
        .eastWest,
        ["ew", "lonew", "ewindicator", "lonref", "longituderef", "gpslongituderef"]
      ),
    ]
    var names: [String: PlaceField] = [:]
    for (field, list) in table { for name in list { names[name] = field } }
    return names
  }()
}
