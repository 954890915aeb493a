import PhotoLibrary
import SystemPackage
import Testing

@Suite struct SpotFilesTests {
  @Test func `a file's spot is found by its path`() throws {
    var library = try Library()
    let folders = ["", "a/", "a/b/", "a b/", "a.b/", "b/", "é/"]
    for number in 0..<70 {
      let folder = folders[number % folders.count]
      // At one place, but not copies of each other.
      try library.add("\(folder)p\(number % 13 + number).jpg", number % 11, modified: number)
    }
    try library.scan()
    let spots = SpotIndex(library.index, clusterRadius: 15)
    var found = 0
    for spot in spots.spots {
      for member in spot.members {
        for file in library.index.shot(at: Int(member)).files {
          #expect(spots.spotID(ofFileAt: file) == spot.id, "\(file)")
          found += 1
        }
      }
    }
    #expect(found == library.index.photoCount && found > 50 && spots.spots.count == 11)
    for name in ["p", "a", "a/p", "zzz.jpg", "a/b/p1000.jpg", "c/p1.jpg", "é/é.jpg"] {
      #expect(spots.spotID(ofFileAt: library.photos.appending(name)) == nil, "\(name)")
    }
    #expect(spots.spotID(ofFileAt: "/") == nil)
  }
}
