/// A field of a place in a table or a list of properties.
package enum PlaceField: String, CaseIterable, Sendable {
  case latitude, longitude, position, name, kind, note, collection, radius, time, id, address, url

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
      case "à", "á", "â", "ã", "ä", "å", "ą": folded += "a"
      case "è", "é", "ê", "ë", "ę": folded += "e"
      case "ì", "í", "î", "ï": folded += "i"
      case "ò", "ó", "ô", "õ", "ö", "ø": folded += "o"
      case "ù", "ú", "û", "ü": folded += "u"
      case "ç", "ć", "č": folded += "c"
      case "ñ", "ń": folded += "n"
      case "ś", "š": folded += "s"
      case "ż", "ź", "ž": folded += "z"
      case "ł": folded += "l"
      case "ß": folded += "ss"
      default:
        // Letters of other scripts are kept; combining accents, punctuation and spaces are removed.
        if scalar.properties.isAlphabetic { folded.unicodeScalars.append(scalar) }
      }
    }
    return folded
  }

  /// The recognised names in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
  /// Swedish, Danish, Norwegian, Czech, Russian, Japanese and Chinese, and those used by programs.
  private static let names: [String: PlaceField] = {
    let table: [(PlaceField, [String])] = [
      (
        .latitude,
        [
          "latitude", "lat", "latitudedeg", "latitudedegrees", "latitudewgs84", "gpslatitude",
          "gpslat", "decimallatitude", "poilat", "breitengrad", "breite", "geographischebreite",
          "latitud", "latitudine", "breedtegraad", "szerokosc", "szerokoscgeograficzna", "bredd",
          "latitudgrader", "breddegrad", "zemepisnasirka", "широта", "緯度", "纬度", "lattitude",
          "geolat", "latdecimal", "wgs84lat",
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
          "geolng", "londecimal", "wgs84lon",
        ]
      ),
      (
        .position,
        [
          "position", "coordinates", "coordinate", "coords", "latlon", "latlng", "latlong", "gps",
          "gpsposition", "gpscoordinates", "wkt", "geo", "point", "thegeom", "koordinaten",
          "koordinate", "koordinaty", "coordonnees", "coordenadas", "coordinate", "coordinaten",
          "coordinate", "latitudelongitude", "wspolrzedne", "souradnice", "координаты", "座標",
          "坐标", "geopoint", "pluscode",
        ]
      ),
      (
        .name,
        [
          "name", "title", "label", "placename", "place", "poi", "poiname", "waypoint",
          "bezeichnung", "titel", "ort", "nom", "titre", "nombre", "titulo", "nome", "titolo",
          "naam", "nazwa", "tytul", "namn", "navn", "nazev", "название", "имя", "名前", "名称",
          "タイトル", "标题", "businessname",
        ]
      ),
      (
        .kind,
        [
          "kind", "type", "art", "typ", "genre", "tipo", "soort", "rodzaj", "тип", "種類", "类型",
          "category", "kategorie", "categorie", "categoria", "kategoria", "kategori", "категория",
          "カテゴリ", "symbol", "sym",
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
          "メモ", "説明", "备注", "描述", "noteowner",
        ]
      ),
      (
        .collection,
        [
          "collection", "collections", "tags", "tag", "labels", "folder", "list", "lists", "group",
          "layer", "album", "sammlung", "sammlungen", "liste", "ordner", "gruppe", "schlagworte",
          "dossier", "groupe", "carpeta", "lista", "grupo", "pasta", "cartella", "gruppo",
          "groep", "folderu", "grupa", "mapp", "mappe", "slozka", "папка", "список", "группа",
          "フォルダ", "列表",
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
          "time", "timestamp", "date", "datetime", "created", "createdat", "creationdate", "added",
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
          "adresa", "адрес", "住所", "地址", "formattedaddress",
        ]
      ),
      (
        .url,
        ["url", "link", "googlemapsurl", "mapsurl", "website", "href", "googlemaps", "maplink"]
      ),
    ]
    var names: [String: PlaceField] = [:]
    for (field, list) in table { for name in list { names[name] = field } }
    return names
  }()
}
