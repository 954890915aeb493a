extension Trace {
  /// Malfunctions of receivers, networks and the program itself.
  public static let troubles: [Trace] = [
    Trace("switched on 350 m from a spot, the first fixes beside it", .coldStart) { trace in
      trace.spot("chapel", 0, 0)
      var me = Journey(from: Ground(350, 0))
      me.under(.coldStart(from: Ground(-310, 20))) { $0.stay(minutes: 4) }
      me.walk(Ground(1200, 0))
      trace.add(me)
    },
    Trace("switched on at a spot", .coldStart) { trace in
      trace.spot("chapel", 0, 0)
      var me = Journey(from: Ground(20, 10))
      me.under(.coldStart(from: Ground(120, 60))) { $0.stay(minutes: 8) }
      let gone = me.now
      me.walk(Ground(1200, 0))
      trace.add(me)
      trace.want("chapel", from: me.visits(of: Ground(0, 0), within: 140)[0].start, until: gone)
    },
    Trace("out of a museum 200 m from a spot, after an hour without fixes", .coldStart) { trace in
      trace.spot("chapel", 0, 0)
      var me = Journey(from: Ground(900, 0))
      me.walk(Ground(200, 0))
      me.under(.silent) { $0.stay(minutes: 60) }
      me.under(.coldStart(from: Ground(-150, 0))) { $0.walk(Ground(500, 0)) }
      me.walk(Ground(1200, 0))
      trace.add(me)
    },
    Trace("a receiver that freezes in a car beside a spot", .frozen) { trace in
      trace.spot("gate", 0, 30)
      var me = Journey(from: Ground(-4000, 0))
      me.go(to: Ground(-30, 0), at: 55)
      me.under(.frozen) { $0.go(to: Ground(5000, 0), at: 55) }
      me.go(to: Ground(9000, 0), at: 55)
      trace.add(me)
    },
    Trace("a bare receiver that freezes in a train beside a spot", .frozen) { trace in
      trace.spot("gate", 0, 30)
      var receiver = Receiver.bare
      receiver.interval = 10
      var me = Journey(from: Ground(-9000, 0), receiver)
      me.go(to: Ground(40, 0), at: 110)
      me.under(.frozen) { $0.go(to: Ground(12_000, 0), at: 110) }
      me.go(to: Ground(20_000, 0), at: 110)
      trace.add(me)
    },
    Trace("a receiver that freezes on a walk, 60 m from a spot", .frozen) { trace in
      trace.spot("gate", 0, 0)
      var me = Journey(from: Ground(-900, 20))
      me.walk(Ground(-60, 20))
      me.under(.frozen) { $0.stay(minutes: 10) }
      me.walk(Ground(900, 20))
      trace.add(me)
      trace.want(visit: 0, of: "gate", by: me)
    },
    Trace("a wireless network of another town, one fix at a time", .wireless) { trace in
      trace.spot("beach", 40_000, 0)
      var me = Journey(from: Ground(0, 0), .allDay)
      me.under(.wirelessJump(to: Ground(40_010, 20), every: 1500, count: 1)) {
        $0.stay(minutes: 480)
      }
      trace.add(me)
    },
    Trace("a wireless network of another town, several fixes that agree", .wireless) { trace in
      trace.spot("beach", 40_000, 0)
      var receiver = Receiver.allDay
      receiver.restingInterval = nil
      var me = Journey(from: Ground(0, 0), receiver)
      me.under(.wirelessJump(to: Ground(40_010, 20), every: 2400, count: 4)) {
        $0.stay(minutes: 300)
      }
      trace.add(me)
    },
    Trace("a wireless network on a train, of the town that was left", .wireless) { trace in
      trace.spot("square", 0, 0)
      var me = Journey(from: Ground(15_000, 0), .allDay)
      me.under(.wirelessJump(to: Ground(30, 20), every: 900, count: 2)) {
        $0.go(to: Ground(150_000, 0), at: 140)
      }
      trace.add(me)
    },
    Trace("a burst after 25 min offline, still at the spot", .offline) { trace in
      trace.spot("cove", 0, 0)
      var me = Journey(from: Ground(-1400, 20))
      me.walk(Ground(-400, 20))
      me.under(.offline) {
        $0.walk(Ground(10, 20))
        $0.stay(minutes: 20)
      }
      let online = me.now
      me.stay(minutes: 10)
      let gone = me.now + 60
      me.walk(Ground(1200, 20))
      trace.add(me)
      trace.want("cove", from: online, until: gone)
    },
    Trace("a burst after 25 min offline, the newest first, still at the spot", .offline) { trace in
      trace.spot("cove", 0, 0)
      var me = Journey(from: Ground(-1400, 20))
      me.walk(Ground(-400, 20))
      me.under(.offlineNewestFirst) {
        $0.walk(Ground(10, 20))
        $0.stay(minutes: 20)
      }
      let online = me.now
      me.stay(minutes: 10)
      let gone = me.now + 60
      me.walk(Ground(1200, 20))
      trace.add(me)
      trace.want("cove", from: online, until: gone)
    },
    Trace("a burst after 12 min offline, for a place left 8 min ago", .offline) { trace in
      trace.spot("cove", 0, 0)
      var me = Journey(from: Ground(-700, 20))
      me.walk(Ground(-250, 20))
      me.under(.offline) { $0.walk(Ground(850, 20)) }
      me.walk(Ground(2000, 20))
      trace.add(me)
    },
    Trace("a recorded walk, one fix of it two days ahead", .future) { trace in
      trace.isRecorded = true
      trace.spot("tower", 0, 0)
      trace.spot("gate", 1500, 0)
      var me = Journey(from: Ground(-1500, 20))
      me.walk(Ground(-900, 20))
      me.under(.fixFromTheFuture(by: 2 * 86_400)) { $0.walk(Ground(-800, 20)) }
      me.walk(Ground(2500, 20))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
      trace.want(visit: 0, of: "gate", by: me)
    },
    Trace("a live walk, one fix of it two days ahead", .future) { trace in
      trace.spot("tower", 0, 0)
      var me = Journey(from: Ground(-1500, 20))
      me.walk(Ground(-900, 20))
      me.under(.fixFromTheFuture(by: 2 * 86_400)) { $0.walk(Ground(-800, 20)) }
      me.walk(Ground(1000, 20))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
    },
    Trace("phone and watch on one walk past three spots", .devices) { trace in
      for number in 0..<3 { trace.spot("sight\(number)", Double(number) * 800, 0) }
      for (device, interval) in [("phone", 5.0), ("watch", 20)] {
        var receiver = Receiver.phone
        receiver.interval = interval
        var me = Journey(from: Ground(-600, 30), receiver, device: device)
        me.walk(Ground(2300, 30))
        trace.add(me)
      }
      for (number, visit) in (0..<3).map({ number in
        (number, trace.journeys[0].visits(of: Ground(Double(number) * 800, 0), within: 140)[0])
      }) {
        trace.want("sight\(number)", device: nil, from: visit.start, until: visit.end)
      }
    },
    Trace("two people at one spot, 20 min apart", .devices) { trace in
      trace.spot("tower", 0, 0)
      for (device, hour) in [("anna", 9.0), ("ben", 9.4)] {
        var me = Journey(from: Ground(-1800, 30), device: device, atHour: hour)
        me.walk(Ground(900, 30))
        trace.add(me)
        trace.want(visit: 0, of: "tower", by: me)
      }
    },
    Trace("two people who come to a spot from two sides, hours apart", .devices) { trace in
      trace.spot("tower", 0, 0)
      for (device, hour, side) in [("anna", 9.0, -1.0), ("ben", 12, 1)] {
        var me = Journey(from: Ground(side * 1800, 30), device: device, atHour: hour)
        me.walk(Ground(0, 30))
        me.stay(minutes: 20)
        me.walk(Ground(side * 1500, 30))
        trace.add(me)
        trace.want(visit: 0, of: "tower", by: me)
      }
    },
    Trace("a restart of the program at a spot that fired", .restart) { trace in
      trace.spot("tower", 0, 0)
      var me = Journey(from: Ground(-700, 30))
      me.walk(Ground(0, 30))
      me.stay(minutes: 6)
      trace.restarts = [me.now]
      me.stay(minutes: 20)
      me.walk(Ground(300, 30))
      trace.restarts.append(me.now)
      me.walk(Ground(0, 30), Ground(900, 30))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
    },
    Trace("a restart between two spots while one waits", .restart) { trace in
      trace.spot("tower", 0, 0)
      trace.spot("gate", 330, 0)
      var me = Journey(from: Ground(-700, 30))
      me.walk(Ground(310, 20))
      trace.restarts = [me.now]
      me.stay(minutes: 25)
      let gone = me.now + 60
      me.walk(Ground(1200, 30))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
      trace.want("gate", from: 9 * 3600, until: gone)
    },
    Trace("a restart on the platform beside a spot", .restart) { trace in
      trace.spot("abbey", 20, 60)
      var me = Journey(from: Ground(-9000, 0))
      me.go(to: Ground(-400, 0), at: 100)
      me.go(to: Ground(0, 0), at: 35)
      let off = me.now
      me.stay(minutes: 0.7)
      trace.restarts = [me.now]
      me.stay(minutes: 12)
      let gone = me.now + 60
      me.walk(Ground(900, 0))
      trace.add(me)
      trace.want("abbey", from: off, until: gone)
    },
  ]
}
