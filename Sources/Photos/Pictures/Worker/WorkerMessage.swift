import SystemPackage

/// An order to a picture worker: sixteen bytes, which come with an open file.
///
/// The kind, one byte: 1 for a picture, 2 for pixels; flags, one byte: 1 for a square, 2 and 4 if
/// the client accepts HEIC and AVIF; the size, two bytes; four bytes of zero; and the size of the
/// file in bytes, eight bytes. Numbers are little-endian.
struct WorkerOrder: Hashable {
  static let length = 16

  /// The requested result.
  enum Kind: Hashable {
    /// A picture for a browser.
    case picture(PictureWish)
    /// Pixels whose longer side has at most this length.
    case pixels(longestSide: Int)
  }

  let kind: Kind
  /// The size of the file in bytes.
  let count: Int

  init(_ kind: Kind, count: Int) { (self.kind, self.count) = (kind, count) }

  /// Parses an order; `nil` if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length, bytes[4..<8].allSatisfy({ $0 == 0 }) else { return nil }
    let size = Int(LittleEndian.number(bytes[2..<4]))
    guard let count = Int(exactly: LittleEndian.number(bytes[8..<16])), size > 0 else { return nil }
    self.count = count
    switch (bytes[0], bytes[1]) {
    case (1, let flags) where flags < 8:
      kind = .picture(
        PictureWish(
          size: size, isSquare: flags & 1 != 0,
          accepted: AcceptedTypes(heic: flags & 2 != 0, avif: flags & 4 != 0)))
    case (2, 0): kind = .pixels(longestSide: size)
    default: return nil
    }
  }

  /// The encoded order.
  var bytes: [UInt8] {
    let (number, flags, size): (UInt8, UInt8, Int) =
      switch kind {
      case .picture(let wish):
        (
          1,
          (wish.isSquare ? 1 : 0) | (wish.accepted.heic ? 2 : 0) | (wish.accepted.avif ? 4 : 0),
          wish.size
        )
      case .pixels(let longestSide): (2, 0, longestSide)
      }
    return [number, flags] + LittleEndian.bytes(UInt64(UInt16(clamping: size)), 2) + [0, 0, 0, 0]
      + LittleEndian.bytes(UInt64(clamping: count), 8)
  }
}

/// The head of a message from a picture worker: sixteen bytes, followed by the content.
///
/// The status, one byte; a detail, one byte; two bytes of zero; and three numbers of four bytes, of
/// which the last is the length of the content. Numbers are little-endian.
struct WorkerAnswer: Hashable {
  static let length = 16
  /// The maximum length of a JPEG file in bytes.
  static let longestPicture = 16 << 20

  enum Status: Hashable {
    /// The worker has begun, with these parts of its confinement.
    case ready(parts: Int)
    /// The worker waits for its turn to decode a large picture, until it gets a byte.
    case waitsForTurn
    /// A JPEG file follows, of a photo that may be cut off or show hardly anything.
    case jpeg(length: Int, isPoor: Bool)
    /// The file is a picture of this type, which browsers show as it is.
    case unmodified(PictureContentCode)
    /// Pixels follow, three bytes each.
    case pixels(width: Int, height: Int, isCutOff: Bool)
    /// No picture can be made.
    case noPicture
    /// libheif, which the file needs, is not installed.
    case noDecoder
    /// The system could not read the file.
    case unreadable(Errno)
  }

  let status: Status

  init(_ status: Status) { self.status = status }

  /// Parses a head; `nil` if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length, bytes[2] == 0, bytes[3] == 0 else { return nil }
    let detail = bytes[1]
    let numbers = [4, 8, 12].map { Int(LittleEndian.number(bytes[$0..<$0 + 4])) }
    switch (bytes[0], numbers[2]) {
    case (1, 0): status = .ready(parts: Int(detail))
    case (2, 0): status = .waitsForTurn
    case (3, 1...Self.longestPicture) where detail < 2:
      status = .jpeg(length: numbers[2], isPoor: detail == 1)
    case (4, 0):
      guard let code = PictureContentCode(rawValue: detail) else { return nil }
      status = .unmodified(code)
    case (5, let length):
      let (width, height) = (numbers[0], numbers[1])
      guard (1...Int(UInt16.max)).contains(width), (1...Int(UInt16.max)).contains(height),
        length == width * height * 3, detail < 2
      else { return nil }
      status = .pixels(width: width, height: height, isCutOff: detail == 1)
    case (6, 0): status = .noPicture
    case (7, 0): status = .unreadable(Errno(rawValue: CInt(truncatingIfNeeded: numbers[0])))
    case (8, 0): status = .noDecoder
    default: return nil
    }
  }

  /// The encoded head.
  var bytes: [UInt8] {
    var (number, detail, numbers): (UInt8, UInt8, [Int])
    switch status {
    case .ready(let parts): (number, detail, numbers) = (1, UInt8(clamping: parts), [0, 0, 0])
    case .waitsForTurn: (number, detail, numbers) = (2, 0, [0, 0, 0])
    case .jpeg(let length, let isPoor):
      (number, detail, numbers) = (3, isPoor ? 1 : 0, [0, 0, length])
    case .unmodified(let code): (number, detail, numbers) = (4, code.rawValue, [0, 0, 0])
    case .pixels(let width, let height, let isCutOff):
      (number, detail, numbers) = (5, isCutOff ? 1 : 0, [width, height, width * height * 3])
    case .noPicture: (number, detail, numbers) = (6, 0, [0, 0, 0])
    case .unreadable(let error): (number, detail, numbers) = (7, 0, [Int(error.rawValue), 0, 0])
    case .noDecoder: (number, detail, numbers) = (8, 0, [0, 0, 0])
    }
    return [number, detail, 0, 0]
      + numbers.flatMap { LittleEndian.bytes(UInt64(UInt32(clamping: $0)), 4) }
  }

  /// The length of the content in bytes.
  var contentLength: Int {
    switch status {
    case .jpeg(let length, _): length
    case .pixels(let width, let height, _): width * height * 3
    case .ready, .waitsForTurn, .unmodified, .noPicture, .noDecoder, .unreadable: 0
    }
  }

  /// Returns whether this is a possible answer to an order.
  func answers(_ order: WorkerOrder) -> Bool {
    switch (status, order.kind) {
    case (.noPicture, _), (.noDecoder, _), (.unreadable, _), (.waitsForTurn, _): true
    case (.jpeg, .picture), (.unmodified, .picture): true
    case (.pixels(let width, let height, _), .pixels(let longestSide)):
      max(width, height) <= longestSide
    case (.ready, _), (.jpeg, _), (.unmodified, _), (.pixels, _): false
    }
  }
}

/// A format that browsers show as it is, in a message.
enum PictureContentCode: UInt8 {
  case png = 1
  case gif, webP, avif, heic
}

/// Unsigned numbers as bytes, the least significant first.
private enum LittleEndian {
  static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
