import NIOCore
import TestSupport
import Testing

@testable import FeedServer

@Suite struct ConnectionPlacesTests {
  private let second: UInt64 = 1_000_000_000
  private let here = ConnectionPlaces.Address.ipv4(1)

  private func places(_ count: Int, addressPlaces: Int) -> ConnectionPlaces {
    ConnectionPlaces(
      count: count, addressPlaces: addressPlaces, courtesyNanoseconds: second)
  }

  @Test func `idle unauthenticated connections cannot displace an authenticated one`() {
    var places = self.places(64, addressPlaces: 16)
    // An attacker's idle connections, each from a different address.
    for id in 0..<1000 { _ = places.open(id, from: .ipv4(UInt32(id)), at: 0) }
    #expect(places.open(2000, from: here, at: second) != 2000)
    #expect(places.admit(2000, at: second) == nil)
    for id in 3000..<4000 {
      #expect(places.open(id, from: .ipv4(UInt32(id)), at: 3 * second) != 2000)
    }
  }

  @Test func `unauthenticated connections of an address are limited, and the oldest is evicted`() {
    var places = self.places(64, addressPlaces: 4)
    for id in 0..<4 { #expect(places.open(id, from: here, at: UInt64(id)) == nil) }
    // New connections have a grace period before they can be evicted.
    #expect(places.open(4, from: here, at: 10) == 4)
    #expect(places.open(5, from: here, at: 2 * second) == 0)
    #expect(places.open(6, from: .ipv4(2), at: 2 * second) == nil)
    #expect(places.admit(1, at: 2 * second) == nil)
    #expect(places.open(7, from: here, at: 2 * second) == nil)
  }

  @Test func `when all places are occupied the address with the most connections loses its oldest`()
  {
    var places = self.places(11, addressPlaces: 4)
    #expect(places.open(0, from: .ipv4(7), at: 0) == nil)
    for id in 1...4 { #expect(places.open(id, from: here, at: UInt64(id)) == nil) }
    #expect(places.open(5, from: .ipv4(8), at: 2 * second) == 1)
  }

  @Test func `the authenticated connection that has been idle longest is evicted`() {
    var places = self.places(5, addressPlaces: 4)
    for id in 0..<3 {
      #expect(places.open(id, from: here, at: 0) == nil)
      #expect(places.admit(id, at: UInt64(id)) == (id == 2 ? 1 : nil))
      places.touch(0, at: 100)
    }
    places.close(0)
    #expect(places.open(3, from: here, at: 0) == nil)
    #expect(places.admit(3, at: 101) == nil)
  }

  @Test func `a busy connection is evicted only if no idle one exists`() {
    var places = self.places(7, addressPlaces: 4)
    // The stream is the oldest connection and has been silent longest.
    #expect(places.open(0, from: here, at: 0) == nil && places.admit(0, at: 0) == nil)
    places.touch(0, at: 0, isBusy: true)
    for id in 1...3 {
      #expect(places.open(id, from: here, at: UInt64(id)) == nil)
      #expect(places.admit(id, at: UInt64(id)) == (id == 3 ? 1 : nil))
    }
    for id in [2, 3] { places.touch(id, at: 10, isBusy: true) }
    #expect(places.open(4, from: here, at: 20) == nil && places.admit(4, at: 20) == 0)
  }

  @Test(arguments: [16, 256])
  func `a new connection costs at most as many steps as there are places`(
    count: Int
  ) {
    var places = self.places(count, addressPlaces: count)
    for id in 0..<4 * count {
      let before = places.stepCount
      _ = places.open(id, from: .ipv4(UInt32(id)), at: UInt64(id) * 2 * second)
      #expect(places.stepCount - before <= count)
    }
    #expect(places.stepCount > 0)
    // An admission searches for an idle connection first, then for any connection.
    for id in 4 * count..<8 * count {
      _ = places.open(id, from: here, at: UInt64(id) * 2 * second)
      let before = places.stepCount
      _ = places.admit(id, at: UInt64(id) * 2 * second)
      #expect(places.stepCount - before <= 2 * count)
    }
  }

  /// One place always stays free for a new connection.
  @Test func `open connections never exceed the limit in random sequences of operations`() {
    for seed in 0..<50 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 3...20, using: &generator)
      var places = ConnectionPlaces(
        count: count, addressPlaces: Int.random(in: 1...5, using: &generator),
        courtesyNanoseconds: second)
      var open: Set<Int> = []
      for step in 0..<2000 {
        let now = UInt64(step) * second / 4
        switch Int.random(in: 0..<4, using: &generator) {
        case 0...1:
          open.insert(step)
          let address = ConnectionPlaces.Address.ipv4(UInt32.random(in: 0..<6, using: &generator))
          if let closed = places.open(step, from: address, at: now) {
            #expect(open.remove(closed) != nil, "seed \(seed)")
          }
        case 2:
          if let id = open.randomElement(using: &generator),
            let closed = places.admit(id, at: now)
          {
            #expect(open.remove(closed) != nil && closed != id, "seed \(seed)")
          }
        default:
          if let id = open.randomElement(using: &generator) {
            open.remove(id)
            places.close(id)
          }
        }
        #expect(open.count < count, "seed \(seed), step \(step)")
      }
    }
  }

  @Test
  func `an IPv6 address is identified by its /64 prefix, a mapped IPv4 one by the IPv4 address`()
    throws
  {
    func address(_ text: String) throws -> ConnectionPlaces.Address {
      ConnectionPlaces.Address(try SocketAddress(ipAddress: text, port: 5))
    }
    #expect(try address("1.2.3.4") == .ipv4(0x0102_0304))
    #expect(try address("::ffff:1.2.3.4") == .ipv4(0x0102_0304))
    #expect(try address("2001:db8::1") == address("2001:db8:0:0:ffff::2"))
    #expect(try address("2001:db8::1") != address("2001:db8:0:1::1"))
    #expect(try address("::1") != address("1.2.3.4"))
    #expect(ConnectionPlaces.Address(nil) == .unknown)
  }
}
