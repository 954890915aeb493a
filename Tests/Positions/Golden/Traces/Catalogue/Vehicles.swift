extension Trace {
  /// Rides in vehicles: spots that are passed cannot be photographed, those at stops can.
  public static let vehicles: [Trace] = [
    Trace("a fast train past five spots", .train) { trace in
      for number in 0..<5 { trace.spot("sight\(number)", Double(number) * 9000, 40) }
      var me = Journey(from: Ground(-12_000, 0))
      me.go(to: Ground(48_000, 0), at: 160)
      trace.add(me)
    },
    Trace("a regional train that stops beside two spots", .train) { trace in
      trace.spot("station", 0, 70)
      trace.spot("tower", 8000, 60)
      trace.spot("bridge", 12_000, 30)
      var me = Journey(from: Ground(-9000, 0))
      for stop in [0.0, 8000, 16_000] {
        me.go(to: Ground(stop - 400, 0), at: 90)
        me.go(to: Ground(stop, 0), at: 35)
        me.stay(minutes: 1)
        me.go(to: Ground(stop + 400, 0), at: 35)
      }
      trace.add(me)
    },
    Trace("off the train beside a spot, and past it", .train) { trace in
      trace.spot("abbey", 60, 80)
      var me = Journey(from: Ground(-9000, 0))
      me.go(to: Ground(-400, 0), at: 100)
      me.go(to: Ground(0, 0), at: 35)
      let off = me.now
      me.stay(minutes: 1)
      me.walk(Ground(70, 60))
      me.stay(minutes: 8)
      let gone = me.now + 60
      me.walk(Ground(700, 300))
      trace.add(me)
      trace.want("abbey", from: off, until: gone)
    },
    Trace("off the train and straight on, 20 m past a spot", .train) { trace in
      trace.spot("abbey", 170, 20)
      var me = Journey(from: Ground(-9000, 0))
      me.go(to: Ground(-400, 0), at: 100)
      me.go(to: Ground(0, 0), at: 35)
      let off = me.now
      me.stay(minutes: 1)
      me.walk(Ground(900, 0))
      trace.add(me)
      // A walk of 140 m beyond the spot.
      trace.want("abbey", from: off, until: off + 60 + 310 / (4.7 / 3.6))
    },
    Trace("by car through a town with six spots", .car) { trace in
      for number in 0..<6 { trace.spot("sight\(number)", Double(number) * 800, 25) }
      var me = Journey(from: Ground(-2000, 0))
      me.go(to: Ground(6000, 0), at: 48)
      trace.add(me)
    },
    Trace("by car with red lights beside spots", .car) { trace in
      for number in 0..<4 { trace.spot("sight\(number)", Double(number) * 900, 40) }
      var me = Journey(from: Ground(-2000, 0))
      for number in 0..<4 {
        me.go(to: Ground(Double(number) * 900, 0), at: 45)
        me.stay(minutes: number.isMultiple(of: 2) ? 0.6 : 1)
      }
      me.go(to: Ground(6000, 0), at: 48)
      trace.add(me)
    },
    Trace("by car to a car park beside a spot", .car) { trace in
      trace.spot("castle", 0, 0)
      var me = Journey(from: Ground(-9000, 0))
      me.go(to: Ground(-300, 30), at: 60)
      me.go(to: Ground(-50, 40), at: 18)
      let parked = me.now
      me.stay(minutes: 2)
      me.walk(Ground(10, 10))
      me.stay(minutes: 30)
      me.walk(Ground(-50, 40))
      let gone = me.now
      me.stay(minutes: 1)
      me.go(to: Ground(-9000, 0), at: 60)
      trace.add(me)
      trace.want("castle", from: parked, until: gone)
    },
    Trace("by car past spots, a bare fix every half a minute", .car) { trace in
      for number in 0..<4 { trace.spot("sight\(number)", Double(number) * 2300, 20) }
      var me = Journey(from: Ground(-4000, 0), .bare)
      me.go(to: Ground(12_000, 0), at: 75)
      trace.add(me)
    },
    Trace("by car across the country, low power", .car) { trace in
      for number in 0..<8 { trace.spot("sight\(number)", Double(number) * 6100, 60) }
      var me = Journey(from: Ground(-9000, 0), .lowPower)
      me.go(to: Ground(60_000, 0), at: 85)
      trace.add(me)
    },
    Trace("by bus past eight spots, with stops", .bus) { trace in
      for number in 0..<8 { trace.spot("sight\(number)", Double(number) * 450, 35) }
      var me = Journey(from: Ground(-900, 0))
      for number in 0..<10 {
        me.go(to: Ground(Double(number) * 450 - 40, 0), at: 32)
        me.stay(minutes: 0.4)
      }
      trace.add(me)
    },
    Trace("off the bus beside a spot", .bus) { trace in
      trace.spot("market", 1800, 35)
      trace.spot("tower", 900, 30)
      var me = Journey(from: Ground(-900, 0))
      for number in 0..<5 {
        me.go(to: Ground(Double(number) * 450, 0), at: 32)
        if number < 4 { me.stay(minutes: 0.4) }
      }
      let off = me.now
      me.stay(minutes: 0.5)
      me.stroll(minutes: 15, within: 60, of: Ground(1800, 30))
      let gone = me.now
      me.walk(Ground(2600, 0))
      trace.add(me)
      trace.want("market", from: off, until: gone)
    },
    Trace("a road tunnel below a spot", .tunnel) { trace in
      trace.spot("pass", 0, 0)
      trace.spot("portal", 1500, 40)
      var me = Journey(from: Ground(-5000, 0))
      me.go(to: Ground(-1400, 0), at: 80)
      me.under(.silent) { $0.go(to: Ground(1400, 0), at: 80) }
      me.go(to: Ground(6000, 0), at: 80)
      trace.add(me)
    },
    Trace("a passage on foot, and a spot behind it", .tunnel) { trace in
      trace.spot("court", 300, 0)
      var me = Journey(from: Ground(-600, 0))
      me.walk(Ground(0, 0))
      me.under(.silent) { $0.walk(Ground(180, 0)) }
      me.walk(Ground(310, 10))
      me.stay(minutes: 6)
      me.walk(Ground(900, 0))
      trace.add(me)
      trace.want(visit: 0, of: "court", by: me)
    },
    Trace("a flight between two walks", .flight) { trace in
      trace.spot("forum", 0, 0)
      trace.spot("alps", 300_000, 0)
      trace.spot("canal", 600_000, 0)
      var me = Journey(from: Ground(-600, 0), .allDay)
      me.walk(Ground(600, 20))
      me.go(to: Ground(20_000, 0), at: 60)
      me.stay(minutes: 90)
      me.go(to: Ground(80_000, 0), at: 400)
      me.under(.silent) { $0.go(to: Ground(280_000, 0), at: 800) }
      me.go(to: Ground(320_000, 0), at: 800)
      me.under(.silent) { $0.go(to: Ground(580_000, 0), at: 800) }
      me.stay(minutes: 40)
      me.go(to: Ground(599_000, 0), at: 70)
      me.walk(Ground(600_700, 20))
      trace.add(me)
      trace.want(visit: 0, of: "forum", by: me)
      trace.want(visit: 0, of: "canal", by: me)
    },
    Trace("a landing beside a spot, then a taxi", .flight) { trace in
      trace.spot("airfield", 0, 200)
      var me = Journey(from: Ground(-90_000, 0))
      me.under(.silent) { $0.go(to: Ground(-9000, 0), at: 500) }
      me.go(to: Ground(-1500, 0), at: 250)
      me.go(to: Ground(1500, 0), at: 120)
      me.go(to: Ground(0, 130), at: 30)
      // In the plane, with a window.
      me.go(to: Ground(2500, 400), at: 28)
      me.stay(minutes: 25)
      me.go(to: Ground(9000, 3000), at: 60)
      trace.add(me)
    },
    Trace("the underground below three spots, and out beside the fourth", .subway) { trace in
      for number in 0..<4 { trace.spot("square\(number)", Double(number) * 1200, 50) }
      var me = Journey(from: Ground(-700, 0))
      me.walk(Ground(-200, 0))
      me.under(.silent) {
        for number in 0..<4 {
          $0.go(to: Ground(Double(number) * 1200, 0), at: 38)
          $0.stay(minutes: 0.5)
        }
      }
      let out = me.now
      me.under(.coldStart(from: Ground(60, -70))) {
        $0.stay(minutes: 1)
        $0.walk(Ground(3620, 40))
      }
      me.stay(minutes: 8)
      let gone = me.now + 60
      me.walk(Ground(4400, 40))
      trace.add(me)
      trace.want("square3", from: out, until: gone)
    },
    Trace("an underground with positions at its stations", .subway) { trace in
      for number in 0..<5 { trace.spot("square\(number)", Double(number) * 1100, 60) }
      var me = Journey(from: Ground(-1500, 0))
      for number in 0..<5 {
        me.under(.silent) { $0.go(to: Ground(Double(number) * 1100 - 60, 0), at: 42) }
        me.under(.indoors) {
          $0.go(to: Ground(Double(number) * 1100, 0), at: 25)
          $0.stay(minutes: 0.6)
        }
      }
      me.under(.silent) { $0.go(to: Ground(6800, 0), at: 42) }
      me.walk(Ground(7400, 0))
      trace.add(me)
    },
  ]
}
