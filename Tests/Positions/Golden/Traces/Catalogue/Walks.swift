extension Trace {
  /// On foot and by bicycle, in the open and between houses.
  public static let walks: [Trace] = [
    Trace("a walk past a spot", .walk) { trace in
      trace.spot("tower", 0, 0)
      var me = Journey(from: Ground(-800, 30))
      me.walk(Ground(900, 30))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
    },
    Trace("a walk past a spot and back within the hour", .walk) { trace in
      trace.spot("tower", 0, 0)
      var me = Journey(from: Ground(-700, 30))
      me.walk(Ground(900, 30))
      me.stay(minutes: 15)
      me.walk(Ground(-700, 20))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
    },
    Trace("three spots on one walk, 700 m apart", .walk) { trace in
      for number in 0..<3 { trace.spot("sight\(number)", Double(number) * 700, 0) }
      var me = Journey(from: Ground(-500, 40))
      me.walk(Ground(2000, 40))
      trace.add(me)
      for number in 0..<3 { trace.want(visit: 0, of: "sight\(number)", by: me) }
    },
    Trace("a run past a spot", .walk) { trace in
      trace.spot("lake", 0, 0)
      var me = Journey(from: Ground(-1500, 25), .logger)
      me.go(to: Ground(1500, 25), at: 11.5)
      trace.add(me)
      trace.want(visit: 0, of: "lake", by: me)
    },
    Trace("a walk on the street behind, 190 m away", .walk) { trace in
      trace.spot("tower", 0, 0)
      var me = Journey(from: Ground(-900, 190))
      me.walk(Ground(900, 190))
      trace.add(me)
    },
    Trace("a picnic of three hours", .walk) { trace in
      trace.spot("meadow", 0, 0)
      var me = Journey(from: Ground(-900, 30), .allDay)
      me.walk(Ground(10, 20))
      me.stroll(minutes: 180, within: 50, of: Ground(0, 0))
      me.walk(Ground(900, 30))
      trace.add(me)
      trace.want(visit: 0, of: "meadow", by: me)
    },
    Trace("a hike of five hours with two summits", .walk) { trace in
      trace.spot("west", 4000, 0)
      trace.spot("east", 4000, 5000)
      var me = Journey(from: Ground(0, 0), .lowPower)
      me.walk(Ground(4000, 10))
      me.stay(minutes: 30)
      me.walk(Ground(4010, 5000))
      me.stay(minutes: 30)
      me.walk(Ground(0, 2000))
      trace.add(me)
      trace.want(visit: 0, of: "west", by: me)
      trace.want(visit: 0, of: "east", by: me)
    },
    Trace("a spot in a street of high houses", .canyon) { trace in
      trace.spot("arcade", 0, 0)
      var me = Journey(from: Ground(-700, 15))
      me.under(.canyon) { $0.walk(Ground(800, 15)) }
      trace.add(me)
      trace.want(visit: 0, of: "arcade", by: me)
    },
    Trace("an hour between high houses, 220 m from a spot", .canyon) { trace in
      trace.spot("arcade", 0, 0)
      var me = Journey(from: Ground(-400, 220))
      me.under(.canyon) {
        $0.walk(Ground(0, 220))
        $0.stay(minutes: 60)
        $0.walk(Ground(600, 220))
      }
      trace.add(me)
    },
    Trace("shopping between high houses, to and fro past a spot", .canyon) { trace in
      trace.spot("arcade", 0, 0)
      var me = Journey(from: Ground(-700, 10))
      me.under(.canyon) {
        $0.walk(Ground(0, 20))
        let end = $0.now + 5400
        while $0.now < end {
          $0.walk(Ground(230, 20))
          $0.stay(minutes: 6)
          $0.walk(Ground(-200, 10))
          $0.stay(minutes: 4)
        }
      }
      trace.add(me)
      trace.want(visit: 0, of: "arcade", by: me)
    },
    Trace("a café 85 m from a spot, inside", .cafe) { trace in
      trace.spot("fountain", 0, 0)
      var me = Journey(from: Ground(-800, 85), .allDay)
      me.walk(Ground(0, 85))
      me.under(.indoors) { $0.stay(minutes: 120) }
      me.walk(Ground(-800, 85))
      trace.add(me)
      trace.want(visit: 0, of: "fountain", by: me)
    },
    Trace("a café 105 m from a spot, on the terrace", .cafe) { trace in
      trace.spot("fountain", 0, 0)
      var me = Journey(from: Ground(-800, 105))
      me.walk(Ground(0, 105))
      me.under(.canyon) { $0.stay(minutes: 150) }
      me.walk(Ground(-800, 105))
      trace.add(me)
      // At the fence: once is fine, and nothing is missed without.
      trace.tolerate(visit: 0, of: "fountain", by: me)
    },
    Trace("a café 125 m from a spot, inside, on three days", .cafe) { trace in
      trace.spot("fountain", 0, 0)
      var me = Journey(from: Ground(-900, 125), .allDay)
      for day in 0..<3 {
        me.stay(untilDay: day, hour: 10)
        me.walk(Ground(0, 125))
        me.under(.indoors) { $0.stay(minutes: 60) }
        me.walk(Ground(-900, 125))
      }
      trace.add(me)
      trace.tolerate(visit: 0, of: "fountain", by: me)
    },
    Trace("by bicycle past two spots", .bike) { trace in
      trace.spot("mill", 0, 0)
      trace.spot("bridge", 3000, 0)
      var me = Journey(from: Ground(-2000, 20))
      me.go(to: Ground(5000, 20), at: 16)
      trace.add(me)
      trace.want(visit: 0, of: "mill", by: me)
      trace.want(visit: 0, of: "bridge", by: me)
    },
    Trace("by bicycle to a spot, with a rest there, at 20 km/h", .bike) { trace in
      trace.spot("mill", 0, 0)
      var me = Journey(from: Ground(-4000, 20), .allDay)
      me.go(to: Ground(0, 15), at: 20)
      me.stay(minutes: 12)
      me.go(to: Ground(4000, 20), at: 20)
      trace.add(me)
      trace.want(visit: 0, of: "mill", by: me)
    },
    Trace("a walk recorded without accuracy and speed", .sparse) { trace in
      trace.spot("tower", 0, 0)
      trace.spot("gate", 1200, 60)
      var me = Journey(from: Ground(-800, 30), .bare)
      me.walk(Ground(2000, 30))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
      trace.want(visit: 0, of: "gate", by: me)
    },
    Trace("significant changes alone: half an hour at a spot", .sparse) { trace in
      trace.spot("abbey", 0, 0)
      var me = Journey(from: Ground(-2500, 0), .significant)
      me.walk(Ground(20, 10))
      me.stay(minutes: 30)
      me.walk(Ground(2500, 0))
      trace.add(me)
      trace.want(visit: 0, of: "abbey", by: me)
    },
    Trace("low power: twenty minutes at a spot", .sparse) { trace in
      trace.spot("abbey", 0, 0)
      var me = Journey(from: Ground(-1500, 0), .lowPower)
      me.walk(Ground(10, 10))
      me.stay(minutes: 20)
      me.walk(Ground(1500, 0))
      trace.add(me)
      trace.want(visit: 0, of: "abbey", by: me)
    },
    Trace("a walk through a feed that repeats and reorders", .sparse) { trace in
      trace.spot("tower", 0, 0)
      trace.spot("gate", 1200, 60)
      var me = Journey(from: Ground(-800, 30), .untidy)
      me.walk(Ground(1220, 30))
      me.stay(minutes: 5)
      me.walk(Ground(2200, 30))
      trace.add(me)
      trace.want(visit: 0, of: "tower", by: me)
      trace.want(visit: 0, of: "gate", by: me)
    },
  ]
}
