#if Postgres
  /// Photos that are added and removed by one transaction, and the new keys of their folders.
  struct PhotoBatch {
    /// The new keys of a folder.
    struct Folder {
      let id: Int64
      /// The hash of the keys; `nil` where the folder has further changes.
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

  /// The difference between a folder of an index and what a store has of it.
  struct FolderChange {
    /// The number of the folder.
    let folder: Int64
    /// The hash of the keys that the index has; `nil` where it does not have the folder.
    let digest: Int64?
    /// Whether the store has the folder.
    let isStored: Bool

    private let photos: ArraySlice<LocalPhotos.Photo>
    private var stored: [PhotoKey] = []
    private var added: [LocalPhotos.Photo] = []
    private var removed: [PhotoKey] = []
    /// The numbers of ``added`` and ``removed`` that were moved to a batch.
    private var (addedCount, removedCount) = (0, 0)
    /// Whether all of the difference was moved to batches.
    private(set) var isMoved = false

    /// Creates the change of a folder, with the photos of the index in the order of their keys.
    init(folder: Int64, digest: Int64?, isStored: Bool, photos: ArraySlice<LocalPhotos.Photo>) {
      self.folder = folder
      self.digest = digest
      self.isStored = isStored
      self.photos = photos
    }

    /// Finds the differences from the keys that the store has, in any order.
    mutating func compare(withStored keys: [PhotoKey]) {
      stored = keys
      let (old, new) = (Set(keys), Set(photos.lazy.map(\.key)))
      added = photos.filter { !old.contains($0.key) }
      removed = keys.filter { !new.contains($0) }
    }

    /// Moves some of the difference to a batch, with the keys that the store has after it.
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

    /// The keys that the store has once all that was moved is written.
    private func keysAfterwards() -> [PhotoKey] {
      if isMoved { return photos.map(\.key) }
      let gone = Set(removed[..<removedCount])
      return stored.filter { !gone.contains($0) } + added[..<addedCount].map(\.key)
    }
  }
#endif
