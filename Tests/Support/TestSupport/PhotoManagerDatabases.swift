/// SQL statements that create the databases of photo managers. They include the tables and columns
/// that are read, and some that are not.
public enum PhotoManagerDatabases {
  /// The tables of digiKam (dbconfig.xml.cmake.in, "CreateDB"), with one of its triggers.
  public static let digiKamTables = """
    CREATE TABLE AlbumRoots (id INTEGER PRIMARY KEY, label TEXT, status INTEGER NOT NULL,
      type INTEGER NOT NULL, identifier TEXT, specificPath TEXT, UNIQUE(identifier, specificPath));
    CREATE TABLE Albums (id INTEGER PRIMARY KEY, albumRoot INTEGER NOT NULL,
      relativePath TEXT NOT NULL, date DATE, caption TEXT, collection TEXT, icon INTEGER,
      UNIQUE(albumRoot, relativePath));
    CREATE TABLE Images (id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL,
      status INTEGER NOT NULL, category INTEGER NOT NULL, modificationDate DATETIME,
      fileSize INTEGER, uniqueHash TEXT, UNIQUE (album, name));
    CREATE TABLE ImageInformation (imageid INTEGER PRIMARY KEY, rating INTEGER,
      creationDate DATETIME, digitizationDate DATETIME, orientation INTEGER, width INTEGER,
      height INTEGER, format TEXT, colorDepth INTEGER, colorModel INTEGER);
    CREATE TABLE ImagePositions (imageid INTEGER PRIMARY KEY, latitude TEXT, latitudeNumber REAL,
      longitude TEXT, longitudeNumber REAL, altitude REAL, orientation REAL, tilt REAL, roll REAL,
      accuracy REAL, description TEXT);
    CREATE INDEX dir_index ON Images (album);
    CREATE TRIGGER delete_album DELETE ON Albums BEGIN
      DELETE FROM Images WHERE Images.album = OLD.id; END;

    """

  /// The tables of Lightroom, as in dumps of catalogs.
  public static let lightroomTables = """
    CREATE TABLE Adobe_images (id_local INTEGER PRIMARY KEY, id_global UNIQUE NOT NULL, captureTime,
      copyName, fileFormat NOT NULL DEFAULT 'unset', masterImage INTEGER, rating,
      rootFile INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE AgHarvestedExifMetadata (id_local INTEGER PRIMARY KEY, image INTEGER, aperture,
      gpsLatitude, gpsLongitude, gpsSequence NOT NULL DEFAULT 0, hasGPS INTEGER, shutterSpeed);
    CREATE TABLE AgLibraryFile (id_local INTEGER PRIMARY KEY, id_global UNIQUE NOT NULL,
      baseName NOT NULL DEFAULT '', extension NOT NULL DEFAULT '',
      folder INTEGER NOT NULL DEFAULT 0, idx_filename NOT NULL DEFAULT '', sidecarExtensions);
    CREATE TABLE AgLibraryFolder (id_local INTEGER PRIMARY KEY, id_global UNIQUE NOT NULL,
      pathFromRoot NOT NULL DEFAULT '', rootFolder INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE AgLibraryRootFolder (id_local INTEGER PRIMARY KEY, id_global UNIQUE NOT NULL,
      absolutePath UNIQUE NOT NULL DEFAULT '', name NOT NULL DEFAULT '', relativePathFromCatalog);

    """

  /// Returns a digiKam database with the given photos in the folder `Trip` of a root.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the root.
  ///   - specificPath: The path of the root on its volume.
  ///   - album: The path of the album in the root.
  ///   - photos: The name, the latitude as SQL, the size as SQL and the time as SQL of each photo;
  ///     the longitude is 2.
  /// - Returns: The database as SQL.
  public static func digiKam(
    identifier: String = "volumeid:?uuid=800b21c2-dadc-4930-829e-a96b04ce26fa",
    specificPath: String = "/home/user/Pictures", album: String = "/Trip",
    _ photos: [(name: String, latitude: String, size: String, time: String)]
  ) -> String {
    digiKamTables + """
      INSERT INTO AlbumRoots VALUES (1, 'Pictures', 0, 1, '\(identifier)', '\(specificPath)');
      INSERT INTO Albums VALUES (1, 1, '\(album)', '2024-01-01', NULL, NULL, NULL);

      """
      + photos.enumerated().map { number, photo in
        """
        INSERT INTO Images VALUES (\(number + 1), 1, '\(photo.name)', 1, 1, NULL, \(photo.size), NULL);
        INSERT INTO ImageInformation (imageid, creationDate) VALUES (\(number + 1), \(photo.time));
        INSERT INTO ImagePositions (imageid, latitudeNumber, longitudeNumber, altitude)
          VALUES (\(number + 1), \(photo.latitude), 2, 35);

        """
      }.joined()
  }

  /// Returns a Lightroom catalog with the given photos in the folder `2024/Trip` of a root.
  public static func lightroom(
    root: String = "D:/Photos/",
    _ photos: [(base: String, suffix: String, latitude: String, time: String)]
  ) -> String {
    lightroomTables + """
      INSERT INTO AgLibraryRootFolder VALUES (1, 'r', '\(root)', 'Photos', NULL);
      INSERT INTO AgLibraryFolder VALUES (1, 'f', '2024/Trip/', 1);

      """
      + photos.enumerated().map { number, photo in
        let id = number + 1
        return """
          INSERT INTO AgLibraryFile VALUES (\(id), 'l\(id)', '\(photo.base)', '\(photo.suffix)', 1, '', NULL);
          INSERT INTO Adobe_images (id_local, id_global, captureTime, rootFile)
            VALUES (\(id), 'i\(id)', \(photo.time), \(id));
          INSERT INTO AgHarvestedExifMetadata (image, gpsLatitude, gpsLongitude, hasGPS)
            VALUES (\(id), \(photo.latitude), 2.0, 1);

          """
      }.joined()
  }
}
