#if Postgres
  import PhotoLibrary
  import Spatial

  /// The keys of an index's photos, grouped by folder.
  ///
  /// - Complexity: O(*n* log *m*) to create, for *n* photos with at most *m* in a folder.
  struct LocalPhotos {
    /// A photo of the index.
    struct Photo {
      let key: PhotoKey
      /// The number in the index.
      let number: Int32
    }

    /// The photos of a folder.
    struct Folder {
      /// A hash of the path, unique among the folders of the index.
      let id: Int64
      /// A hash of the keys.
      let digest: Int64
      /// The range of the folder's photos in ``LocalPhotos/photos``.
      let range: Range<Int>
    }

    /// The photos, grouped by folder, and in the order of their keys within a folder.
    private(set) var photos: [Photo] = []
    /// The folders, each once.
    private(set) var folders: [Folder] = []

    /// Reads the photos of an index.
    ///
    /// The hashes depend on the owner's salt, so that nobody can prepare files with equal hashes.
    init(of index: PhotoIndex, source: Int32, salt: Int64) {
      let numbers = index.spotMemberNumbers
      photos.reserveCapacity(numbers.count)
      let folderNumbers = numbers.map { index.folderNumber(ofSpotMember: $0) }
      // The photos of a folder are usually adjacent, and then nothing needs to be sorted.
      let order =
        zip(folderNumbers, folderNumbers.dropFirst()).allSatisfy { $0 <= $1 }
        ? nil : RadixSort.order(of: folderNumbers.map(Int64.init))
      var hash = IdentityHash(source: source, salt: salt)
      var ids: Set<Int64> = []
      var start = 0
      while start < numbers.count {
        let folder = folderNumbers[order.map { Int($0[start]) } ?? start]
        var end = start
        let first = photos.count
        while end < numbers.count {
          let place = order.map { Int($0[end]) } ?? end
          guard folderNumbers[place] == folder else { break }
          photos.append(Photo(key: hash.key(of: numbers[place], in: index), number: numbers[place]))
          end += 1
        }
        sort(from: first)
        let keys = PhotoKey.bytes(of: photos[first...].lazy.map(\.key))
        var id = hash.hash(of: index.folderPath(folder))
        while !ids.insert(id).inserted { id &+= 1 }
        folders.append(
          Folder(id: id, digest: Self.hash(keys), range: first..<photos.count))
        start = end
      }
    }

    /// Sorts the photos from an index on by key, and removes all but the first with the same key.
    private mutating func sort(from first: Int) {
      photos[first...].sort {
        $0.key != $1.key ? $0.key < $1.key : $0.number < $1.number
      }
      var kept = first
      for place in first..<photos.count
      where kept == first || photos[kept - 1].key != photos[place].key {
        photos[kept] = photos[place]
        kept += 1
      }
      photos.removeLast(photos.count - kept)
    }

    private static func hash(_ bytes: [UInt8]) -> Int64 {
      unsafe bytes.withUnsafeBytes { Int64(bitPattern: unsafe XXH64.hash($0)) }
    }

    /// Computes the hashes of photos and folder paths of a source.
    private struct IdentityHash {
      /// The salt and the source, then the bytes of a photo or path.
      private var bytes: [UInt8] = []
      private let prefix: Int

      init(source: Int32, salt: Int64) {
        bytes.append(bigEndian: salt)
        bytes.append(bigEndian: source)
        prefix = bytes.count
        bytes.reserveCapacity(1024)
      }

      mutating func key(of number: Int32, in index: PhotoIndex) -> PhotoKey {
        bytes.removeLast(bytes.count - prefix)
        let position = index.appendIdentity(ofSpotMember: number, to: &bytes)
        return PhotoKey(cell: CellKey.key(of: position), id: LocalPhotos.hash(bytes))
      }

      mutating func hash(of path: ArraySlice<UInt8>) -> Int64 {
        bytes.removeLast(bytes.count - prefix)
        bytes.append(contentsOf: path)
        return LocalPhotos.hash(bytes)
      }
    }
  }
#endif
