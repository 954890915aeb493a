import CLibrary
public import SystemPackage

/// A terminal whose other side a test holds: what a serial device is to a program.
public struct Pseudoterminal: ~Copyable {
  /// The device that is to be opened.
  public let path: FilePath
  private let master: FileDescriptor

  /// Makes a terminal.
  public init() throws { (master, path) = try Self.make() }

  private static func make() throws -> (FileDescriptor, FilePath) {
    let master = try FileDescriptor.open(
      "/dev/ptmx", .readWrite, options: FileDescriptor.OpenOptions(rawValue: O_NOCTTY))
    var (isLocked, number): (CInt, CInt) = (0, 0)
    // As posix_openpt(3) and ptsname(3) do, which Swift's Glibc lacks.
    guard ioctl(master.rawValue, setLock, &isLocked) == 0,
      ioctl(master.rawValue, getNumber, &number) == 0
    else { throw Errno(rawValue: errno) }
    return (master, FilePath("/dev/pts/\(number)"))
  }

  /// `TIOCSPTLCK` and `TIOCGPTN` of Linux.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// Unplugs the device.
  deinit { try? master.close() }

  /// Sends all of a text, as the receiver at the device.
  public func send(_ text: String) throws { _ = try master.writeAll(text.utf8) }

  /// Receives all that was written to the device, once nobody has it open any more.
  public func receiveAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var window = [UInt8](repeating: 0, count: 4096)
    // The end is an error: EIO.
    while let count = try? window.withUnsafeMutableBytes({ try master.read(into: $0) }), count > 0 {
      bytes += window[..<count]
    }
    return bytes
  }

  /// Says how wide the terminal is.
  public func setColumns(_ columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master.rawValue, UInt(TIOCSWINSZ), &size) == 0 else { throw Errno(rawValue: errno) }
  }

  /// The speed that the device is set to, as the system's constant for it, and whether it gives
  /// bytes as they are.
  public func settings() -> (speed: UInt32, isRaw: Bool) {
    var settings = termios()
    tcgetattr(master.rawValue, &settings)
    let line = tcflag_t(ICANON | ECHO | ISIG)
    return (cfgetispeed(&settings), settings.c_lflag & line == 0)
  }
}
