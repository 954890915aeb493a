import PhotoLibrary
import Testing

/// Names of folders that programs and people give.
@Suite struct FolderNameTests {
  @Test(arguments: [
    "Saturday, May 11, 2019", "Samstag, 11. Mai 2019", "sábado, 11 de mayo de 2019",
    "le 11 mai 2019", "May 11-14, 2019", "2019-05-11T12:30:45", "Photos from 2019",
    "Foto’s van 2019",
    "Фото за 2019 год", "Фотографії за 2019 рік", "2019年の写真", "2019 年的照片", "2019년의 사진",
    "รูปภาพจากปี 2019", "صور من 2019", "תמונות מ-2019", "2019-ből származó fényképek",
    "Φωτογραφίες από το 2019", "Nuotraukos iš 2019", "2019 yılındaki fotoğraflar",
    "Zrzuty ekranu", "スクリーンショット", "Скриншоты", "Lightroom CC", "NEF", "DJI_001", "100DJI", "iPhone",
    "SD-Karte", "Mis imágenes",
    "2019-es fotók", "2019-ből származó fotók", "2019'dan fotoğraflar", "Фотографии 2019 года",
    "Foto daripada 2019", "Fotografije iz leta 2019", "Fotos de l'any 2019", "2019ko argazkiak",
    "2019. gada fotoattēli", "2019. aasta fotod", "Myndir frá 2019", "2019 की फ़ोटो",
    "DJI_202406151030_001", "Camera01", "M4ROOT", "DCIM Backup", "iPhone 12 Backup", "Pixel 6",
    "Galaxy S21", "WhatsApp Bilder", "Signal Photos", "JPEG Export", "Google Photos Takeout",
    "takeout-20240101T000000Z-001", "Photos Library.photoslibrary", "Copy of Photos",
    "Supprimés récemment", "Scans", "Q2 2019", "KW 20 2019", "11. května 2019", "11 Μαΐου 2019",
    "11 a 14 de maio de 2019", "Fotografías de 2019", "Ohne Titel", "Téléchargements",
    "Sat 11 May 2019", "Fri 2019-05-11", "2019-05-11 Sat", "2019-05-11 14h30", "Cargas de cámara",
    "來自 2019 年的相片", "Albums", "2019-05-11 to 14",
    "مجلد جديد", "Descargas", "ダウンロード", "Namnlös mapp 2", "Thư mục mới",
  ])
  func `a folder that a program made is no place`(folder: String) {
    #expect(PlaceName.name(ofAlbum: Array(folder.utf8)) == nil)
  }

  @Test(arguments: [
    ("Siena, May 2019", "Siena"), ("Siena: 2019", "Siena"), ("Siena 11.-14.05.2019", "Siena"),
    ("11. Mai 2019 Siena", "Siena"), ("Sunday Market", "Sunday Market"), ("May Day", "May Day"),
    ("Fotos von Oma", "Fotos von Oma"), ("Camera Obscura", "Camera Obscura"),
    ("Area 51", "Area 51"), ("Lisboa 11 a 14 de maio de 2019", "Lisboa"),
    ("11 to 14 May 2019 Siena", "Siena"), ("iPhone von Anna", "iPhone von Anna"),
    ("Signal Hill", "Signal Hill"), ("Route 66", "Route 66"), ("Line Islands", "Line Islands"),
    ("Paris 2", "Paris 2"), ("Photos of Anna", "Photos of Anna"), ("K2", "K2"),
    ("Playa de Palma", "Playa de Palma"), ("Día de Mayo", "Día de Mayo"),
    ("12345 Berlin", "12345 Berlin"), ("2019年 東京", "東京"), ("Private Beach", "Private Beach"),
    ("2019-05-11 - 14 Long Walk", "Long Walk"), ("2019-05-11~14 Long Walk", "Long Walk"),
    ("2019-05-11 und 12 Long Walk", "Long Walk"), ("2019-05-11 & 12 Long Walk", "Long Walk"),
    ("2019-05 bis 06 Long Walk", "Long Walk"), ("Camp 2019-05-11 to 05-14", "Camp"),
    ("2019-05-11 2 Oaks", "2 Oaks"), ("Class of 1999", "Class of 1999"), ("Sun City", "Sun City"),
    ("Back to 1984", "Back to 1984"), ("Sat 2019-05-11 Siena", "Siena"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("a\u{200D}b", "ab"),
  ])
  func `a name that people gave stays, without its date`(folder: String, name: String) {
    #expect(PlaceName.name(ofAlbum: Array(folder.utf8)) == name)
  }
}
