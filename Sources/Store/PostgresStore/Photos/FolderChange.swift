#if Postgres
  /// Photos that are added and removed by one transaction, and the new keys of their folders.
  struct PhotoBatch {
    /// The new keys of a folder.
    struct Folder {
      let id: Int64
      /// The hash of the keys; `nil` if further changes of the folder follow.
      let digest: Int64?
      /// The keys; a folder without any is removed.
      let keys: [PhotoKey]
    }

    var added: [LocalPhotos.Photo] = []
    var removed: [PhotoKey] = []
    var folders: [Folder] = []

    /// The number of photos.
    var count: Int { added.count + removed.count }
    /// Whether there is nothing to write.
    var isEmpty: Bool { count == 0 && folders.isEmpty }
  }

  /// The difference between a folder in an index and the same folder in a store.
  struct FolderChange {
    /// The number of the folder.
    let folder: Int64
    /// The hash of the keys in the index; `nil` if the folder is not in the index.
    let digest: Int64?
    /// Whether the folder is in the store.
    let isStored: Bool

    private let photos: ArraySlice<LocalPhotos.Photo>
    private var stored: [PhotoKey] = []
    private var added: [LocalPhotos.Photo] = []
    private var removed: [PhotoKey] = []
    /// The numbers of elements of ``added`` and ``removed`` that were moved to batches.
    private var (addedCount, removedCount) = (0, 0)
    /// Whether the whole difference was moved to batches.
    private(set) var isMoved = false

    /// Creates the change of a folder from its photos in the index, in the order of their keys.
    init(folder: Int64, digest: Int64?, isStored: Bool, photos: ArraySlice<LocalPhotos.Photo>) {
      self.folder = folder
      self.digest = digest
      self.isStored = isStored
      self.photos = photos
    }

    /// Computes the difference from the keys in the store, given in any order.
    mutating func compare(withStored keys: [PhotoKey]) {
      stored = keys
      let (old, new) = (Set(keys), Set(photos.lazy.map(\.key)))
      added = photos.filter { !old.contains($0.key) }
      removed = keys.filter { !new.contains($0) }
    }

    /// Moves at most `count` photos of the difference to a batch, and adds the keys that the folder
    /// then has in the store.
    mutating func move(atMost count: Int, to batch: inout PhotoBatch) {
      let removing = removed[removedCount...].prefix(max(count, 0))
      let adding = added[addedCount...].prefix(max(count - removing.count, 0))
      batch.removed += removing
      batch.added += adding
      removedCount += removing.count
      addedCount += adding.count
      isMoved = removedCount == removed.count && addedCount == added.count
      batch.folders.append(
        PhotoBatch.Folder(id: folder, digest: isMoved ? digest : nil, keys: keysAfterwards()))
    }

    /// Returns the keys that the folder has in the store once all moved changes are written.
    private func keysAfterwards() -> [PhotoKey] {
      if isMoved { return photos.map(\.key) }
      let gone = Set(removed[..<removedCount])
      return stored.filter { !gone.contains($0) } + added[..<addedCount].map(\.key)
    }
  }
#endif
