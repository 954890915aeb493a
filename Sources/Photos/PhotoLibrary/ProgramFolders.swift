/// The names of folders that cameras, phones and programs make, which name no place.
enum ProgramFolders {
  /// Returns whether a name without dates is one that programs give.
  static func contains(_ name: String) -> Bool {
    let lower = withoutCount(name.lowercased().replacing("’", with: "'"))
    return names.contains(lower) || names.contains(withoutYear(lower)) || isCameraFolder(lower)
      || isCode(lower) || isOfProgramWords(lower)
      || packages.contains { lower.hasSuffix($0) && lower != $0 }
  }

  /// Returns whether all words of a name are names of programs, numbers, or words between them, as
  /// in `iPhone 12 Backup`, `2019-es fotók` and `takeout-20240101T000000Z-001`.
  private static func isOfProgramWords(_ name: String) -> Bool {
    var hasName = false
    for part in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "\u{200C}" }) {
      let word = String(part)
      if word.first?.isNumber == true { continue }
      // `Camera01`, `S21`.
      let digits = word.reversed().prefix { $0.isASCII && $0.isNumber }.count
      if names.contains(word) || digits > 0 && names.contains(String(word.dropLast(digits))) {
        hasName = true
      } else if !between.contains(word), digits == 0 || word.count > 4 {
        return false
      }
    }
    return hasName
  }

  /// The ends of the names of folders that are libraries of programs.
  private static let packages = [
    ".photoslibrary", ".photolibrary", ".migratedphotolibrary", ".aplibrary", ".lrdata",
    ".cocatalog",
  ]

  /// Words for a year, and between names of programs, in lower case.
  private static let between = Set(
    """
    of from in for to my and by the von vom aus im für und meine mein de du des da del do dos das per
    l d any année ano año anno jaar van uit het från av fra af år i iz leta godine ze w roku
    rok roka din anul no gada m aasta aastast ko es as os ös ben ban ből ból származó készült
    yılı yılına yılından yılındaki ait dan den tan ten za год года году рік року от г из για από το του
    dari daripada tahun từ năm mula sa frá vuodelta vuoden ของ จาก ปี से की का के سال من عام
    של מ ב ה mac pc og och ja и та з z
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Returns a name without its year, as in `2019年の写真` and `Фото за 2019 год`.
  private static func withoutYear(_ name: String) -> String {
    guard let start = name.firstIndex(where: { $0.isASCII && $0.isNumber }) else { return name }
    let digits = name[start...].prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 4 else { return name }
    let rest = name[..<start] + name[digits.endIndex...]
    return rest.split(separator: " ").joined(separator: " ")
  }

  /// Returns a name without the count at its end, as in `New folder (2)` and `Untitled 3`.
  private static func withoutCount(_ name: String) -> String {
    var rest = name[...]
    if rest.last == ")", let open = rest.lastIndex(of: "("),
      rest[open...].dropFirst().dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
    {
      rest = rest[..<open]
    } else if let space = rest.lastIndex(of: " "),
      rest[space...].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    {
      rest = rest[..<space]
    }
    while rest.last == " " { rest.removeLast() }
    return rest.isEmpty ? name : String(rest)
  }

  /// Returns whether a name is a folder of a camera: three digits and five characters (DCF 2.0), or
  /// more digits as phones write them, as in `100CANON` and `202405__`.
  private static func isCameraFolder(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
    let rest = String(name.dropFirst(3))
    return bytes.count == 8 && digits >= 3
      || digits == 3 && ["dcim", "msdcf", "dji", "gopro", "apple", "canon"].contains(rest)
  }

  /// Returns whether a name is hexadecimal digits as in the folders of a database.
  private static func isCode(_ name: String) -> Bool {
    let bytes = name.utf8
    return bytes.count >= 12
      && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
  }

  private static let names = Set(
    texts.split(separator: "\n").flatMap { $0.split(separator: "|") }.map(String.init))

  /// In lower case; each line is a kind.
  private static let texts = """
    dcim|camera|camera roll|camera uploads|camera upload|private|misc|raw|jpg|jpeg|heic|tmp|temp|mov|mp4
    photos|photo|pictures|picture|images|image|img|my pictures|my photos|pics|videos|video|movies|media
    albums|sorted|new import|new folder with items|cargas de cámara|來自 年的相片|來自年的相片
    photos from|photo from|photos de|photos of|foto's|foto s|foto's van|foto s van
    bilder|bild|fotos|foto|fotografien|eigene bilder|meine bilder|videos|filme
    immagini|imágenes|imagenes|imagens|imagini|afbeeldingen|billeder|kuvat|obrazy|zdjęcia|obrázky
    fotografie|fotky|slike|képek|fényképek|resimler|fotoğraflar|εικόνες|φωτογραφίες|изображения
    фотографии|фото|фотографії|зображення|снимки|תמונות|صور|الصور|تصاویر|写真|照片|圖片|图片|相片|사진|รูปภาพ
    yılına ait fotoğraflar|yılı fotoğrafları|年の写真|年的照片|년 사진|년의 사진|фото за|фотографии за
    fotos aus|fotos von|fotos vom|fotos des|fotos del|fotos do|foto del|foto da|foto dal|foto di|bilder von
    bilder från|foton från|foton|bilder fra|billeder fra|kuvat vuodelta|zdjęcia z|zdjęcia z roku|fotky z
    fotky z roku|fotografie z|fotografie z roku|fotografii din|ảnh từ năm|foto dari|valokuvat
    年的相片|年の画像|фото за год|фотографии за год|фотографії за рік|צילומים מ|תמונות מ-|صور من
    รูปภาพจากปี|รูปภาพจาก|-ből származó fényképek|-ban készült fényképek|-es fényképek|-as fényképek
    φωτογραφίες από το|φωτογραφίες από|снимки от|fotografije iz|fotografije|nuotraukos iš|nuotraukos
    fotod aastast|fotod|yılındaki fotoğraflar|foto's uit|foto's van|foto's van het jaar|mes images
    mis imágenes|le mie immagini|mijn afbeeldingen|minhas imagens|mina bilder|mine bilder
    schermata|schermate|istantanee schermo|zrzuty ekranu|skärmbilder|skjermbilder|skærmbilleder
    kuvakaappaukset|snímky obrazovky|képernyőképek|ekran görüntüleri|скриншоты|снимки экрана
    знімки екрана|スクリーンショット|截图|屏幕截图|螢幕截圖|스크린샷|لقطات الشاشة|ภาพหน้าจอ
    failed videos|saved photos|resized|bluetooth|lightroom mobile|lightroom cc|lightroom classic
    nef|cr2|cr3|dng|arw|orf|raf|rw2|png|heif|tif|tiff|gif|gifs|jpegs|raws|to sort|inbox|slo-mo
    slow-motion|phone|handy|telefon|téléphone|móvil|smartphone|iphone|ipad|samsung|canon|nikon|sony
    fujifilm|olympus|panasonic|gopro|dji|huawei|xiaomi|oneplus|sd card|sd-karte|sdcard|usb|card|disk
    sofortupload|verschiedenes|varie|varios|diversen|picasa|picasa exports|digikam|shotwell
    photoprism|immich
    fotók|képek|fotoğraflar|fotoğrafları|fotosu|fotografija|fotografijos|fotoattēli|ljósmyndir|myndir
    argazkiak|larawan|mga|picha|gambar|ảnh|hình|ภาพถ่าย|ภาพถ่ายจากปี|फ़ोटो|तस्वीरें|عکس|عکس\u{200C}های|صورة|фотографій
    фотографија|фотографије|снимок|fotografii|zdjęcie|fotka|foták|kuva|billede|bilde|foto
    avchd|bdmv|stream|clip|clips|clipinf|m4root|xdroot|thmbnl|insv|dsc|mp_root|android|pixel|galaxy
    nexus|nokia|motorola|leica|pentax|ricoh|hasselblad|insta360|drone|webcam|tablet|scan|scans|scanned
    scanner|numérisations|escaneados|scansioni|print|prints|printed|original|originale|originaux
    originali|originales|edits|edit|bearbeitete|bearbeitung|jpgs|pngs|heics|tiffs|files|file|dateien
    fichiers|library|libraries|takeout|google|galerie|gallery|galería|galleria|galeria|aufnahmen
    aufnahme|pellicule|rullino|rollo|capturas|captures|capture|corbeille|papelera|cestino|kosz|lixeira
    prullenbak|supprimés|récemment|eliminados|eliminadas|recientemente|recentemente|eliminati|verwijderd
    recent verwijderd|gelöscht|gelöschte|nyligen|borttagna|uploaded|sync|synced
    synology|moments|flickr|amazon|amazon photos|adobe|capture one|luminar|darktable|rawtherapee|final
    originals|masters|previews|thumbnails|thumbs|resources|derivatives|renders|database|scopes|attachments
    new folder|untitled|untitled folder|neuer ordner|nouveau dossier|nueva carpeta|nova pasta
    nuova cartella|nieuwe map|ny mapp|ny mappe|uusi kansio|nowy folder|nová složka|nový priečinok
    új mappa|yeni klasör|новая папка|нова папка|新しいフォルダー|新建文件夹|新增資料夾|새 폴더|folder nou
    unbenannt|unbenannter ordner|sans titre|dossier sans titre|sin título|carpeta sin título|sem título
    senza titolo|cartella senza titolo|naamloos|naamloze map|без названия|名称未設定フォルダ|未命名文件夹
    takeout|google photos|google fotos|google foto|downloads|download|upload|uploads|import|imports
    imported|backup|backups|export|exports|exported|edited|bearbeitet|retouched|modified|copies|copy
    kopie|kopien|copie|copia|archive|archiv|archives|archivio|archivo|arquivo|trash|papierkorb|bin
    deleted|recently deleted|zuletzt gelöscht|sent|received|gesendet|empfangen|enviadas|inviate|envoyés
    recents|recent|recently added|zuletzt|zuletzt hinzugefügt|alle fotos|all photos|récents|recientes
    recenti|recentes|favorites|favourites|favoriten|favoris|favoritos|preferiti|hidden|ausgeblendet
    selfies|screenshots|screenshot|bildschirmfotos|captures d’écran|captures d'écran|capturas de pantalla
    capturas de tela|schermafbeeldingen|screen recordings|screenrecorder|panoramas|panorama|bursts|burst
    live photos|portrait|slow motion|time-lapse|cinematic|saved pictures|gespeicherte bilder|saved
    whatsapp|whatsapp images|whatsapp video|whatsapp photos|whatsapp animated gifs|whatsapp documents
    whatsapp business images|telegram|telegram images|telegram video|telegram desktop|signal|viber
    viber images|line|kakaotalk|wechat|weixin|messenger|facebook|instagram|snapchat|snapseed|twitter|skype
    threema|threema pictures|discord|tiktok|lightroom|lightroom photos|mobile uploads|instantupload
    instant upload|instant uploads|auto upload|photo stream|my photo stream|mein fotostream|icloud
    icloud photos|icloud-fotos|icloud drive|photos library|photo library|iphoto library|mediathek
    fotos-mediathek|dropbox|onedrive|google drive|nextcloud|kamera|kamera-uploads|caméra|appareil photo
    cámara|câmera|fotocamera|fotoaufnahmen|eigene aufnahmen|opencamera|open camera|gcam|restored
    recovered|lost+found|unsorted|unsortiert|sonstiges|sonstige|other|others|various|diverse|divers|stuff
    desktop|documents|dokumente|document|documenti|documentos|home|user|users|public|shared|geteilt|apple
    fotografías|fotografías de|fotografias|fotografias de|fotografies|ohne titel|sans nom|uten navn
    namnlös|namnlös mapp|uden navn|bez názvu|bez nazwy|névtelen|adsız|nimetön|χωρίς τίτλο|بدون عنوان
    téléchargements|descargas|descàrregues|scaricati|transferências|pobrane|stažené|stiahnuté
    hämtade filer|nedlastinger|overførsler|ladatut tiedostot|lataukset|letöltések|descărcări
    i̇ndirilenler|indirilenler|загрузки|завантаження|λήψεις|下载|下載|ダウンロード|다운로드|التنزيلات
    tải xuống|unduhan|ดาวน์โหลด|डाउनलोड|הורדות|مجلد جديد|پوشه جدید|תיקיה חדשה|νέος φάκελος
    thư mục mới|folder baru|โฟลเดอร์ใหม่|नया फ़ोल्डर|carpeta nova|nova mapa|nov mapa|uus kaust
    jauna mape|naujas aplankas|nouveau répertoire
    """
}
