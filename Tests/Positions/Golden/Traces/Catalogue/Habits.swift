extension Trace {
  /// Days and weeks: homes, ways to work, towns and travel.
  public static let habits: [Trace] = [
    Trace("a home 40 m from a spot, two weeks", .home) { trace in
      trace.spot("garden", 0, 0)
      var me = Journey(from: Ground(30, 25), .allDay, atHour: 0)
      for day in 0..<14 {
        me.under(.indoors) { $0.stay(untilDay: day, hour: 8) }
        me.walk(Ground(500, 0))
        me.go(to: Ground(6000, 0), at: 40)
        me.stay(untilDay: day, hour: day % 7 < 5 ? 17.5 : 12)
        me.go(to: Ground(500, 0), at: 40)
        me.walk(Ground(30, 25))
      }
      me.under(.indoors) { $0.stay(untilDay: 14, hour: 8) }
      trace.add(me)
      trace.tolerate(visit: 0, of: "garden", by: me)
    },
    Trace("a home 95 m from a spot, a week, saving power", .home) { trace in
      trace.spot("garden", 0, 0)
      var me = Journey(from: Ground(95, 0), .lowPower, atHour: 0)
      for day in 0..<7 {
        me.under(.indoors) { $0.stay(untilDay: day, hour: 9) }
        me.walk(Ground(1500, 0))
        me.stay(minutes: 60)
        me.walk(Ground(95, 0))
      }
      me.under(.indoors) { $0.stay(untilDay: 7, hour: 8) }
      trace.add(me)
      trace.tolerate(visit: 0, of: "garden", by: me)
    },
    Trace("an office 60 m from a spot, two weeks, lunch outside", .office) { trace in
      trace.spot("plaza", 5000, 0)
      var me = Journey(from: Ground(0, 0), .allDay, atHour: 0)
      for day in [0, 1, 2, 3, 4, 7, 8, 9, 10, 11] {
        me.stay(untilDay: day, hour: 8.2)
        me.go(to: Ground(4700, 0), at: 35)
        me.walk(Ground(5050, 30))
        me.under(.indoors) { $0.stay(untilDay: day, hour: 12.5) }
        me.walk(Ground(5500, 200))
        me.stay(minutes: 35)
        me.walk(Ground(5050, 30))
        me.under(.indoors) { $0.stay(untilDay: day, hour: 17.5) }
        me.walk(Ground(4700, 0))
        me.go(to: Ground(0, 0), at: 35)
      }
      trace.add(me)
      trace.tolerate(visit: 0, of: "plaza", by: me)
    },
    Trace("an office 115 m from a spot, a week", .office) { trace in
      trace.spot("plaza", 5000, 0)
      var me = Journey(from: Ground(0, 0), .allDay, atHour: 0)
      for day in 0..<5 {
        me.stay(untilDay: day, hour: 8.2)
        me.go(to: Ground(4600, 115), at: 35)
        me.walk(Ground(5000, 115))
        me.under(.indoors) { $0.stay(untilDay: day, hour: 17) }
        me.walk(Ground(4600, 115))
        me.go(to: Ground(0, 0), at: 35)
      }
      trace.add(me)
      trace.tolerate(visit: 0, of: "plaza", by: me)
    },
    Trace("to work on foot past a spot, two weeks", .commute) { trace in
      trace.spot("bridge", 0, 0)
      var me = Journey(from: Ground(-1200, 30), .allDay, atHour: 0)
      for day in [0, 1, 2, 3, 4, 7, 8, 9, 10, 11] {
        me.stay(untilDay: day, hour: 8.2)
        me.walk(Ground(1500, 30))
        me.stay(untilDay: day, hour: 17.5)
        me.walk(Ground(-1200, 30))
      }
      trace.add(me)
      trace.want(visit: 0, of: "bridge", by: me)
    },
    Trace("to work by bicycle past two spots, a week", .commute) { trace in
      trace.spot("bridge", 0, 0)
      trace.spot("park", 3000, 0)
      var me = Journey(from: Ground(-1500, 30), .allDay, atHour: 0)
      for day in 0..<5 {
        me.stay(untilDay: day, hour: 8.2)
        me.go(to: Ground(4500, 30), at: 17)
        me.stay(untilDay: day, hour: 17.5)
        me.go(to: Ground(-1500, 30), at: 17)
      }
      trace.add(me)
      trace.want(visit: 0, of: "bridge", by: me)
      trace.want(visit: 0, of: "park", by: me)
    },
    Trace("to work by train past four spots, a week", .commute) { trace in
      for number in 0..<4 { trace.spot("sight\(number)", Double(number) * 4000, 40) }
      var me = Journey(from: Ground(-2000, 0), .allDay, atHour: 0)
      for day in 0..<5 {
        for forward in [true, false] {
          me.stay(untilDay: day, hour: forward ? 7.5 : 17.2)
          for stop in (0..<4).map({ forward ? $0 : 3 - $0 }) {
            me.go(to: Ground(Double(stop) * 4000, 0), at: 80)
            me.stay(minutes: 1)
          }
          me.go(to: Ground(forward ? 14_500 : -2000, 0), at: 80)
        }
      }
      trace.add(me)
    },
    Trace("an old town with sixty spots, two and a half hours", .town) { trace in
      var names: [String] = []
      for row in 0..<8 {
        for column in 0..<8 where (row + column) % 16 != 15 {
          names.append("lane\(row)\(column)")
          trace.spot(
            names[names.count - 1], Double(row) * 85 + Double(column * 13 % 7) * 5,
            Double(column) * 85 + Double(row * 11 % 5) * 6, photos: 2 + (row * 7 + column * 3) % 9)
        }
      }
      var me = Journey(from: Ground(-400, -100))
      let start = me.now
      while me.now < start + 9000 {
        for row in 0..<8 {
          me.walk(Ground(Double(row) * 85, row.isMultiple(of: 2) ? 0 : 600))
          me.under(.canyon) { $0.walk(Ground(Double(row) * 85, row.isMultiple(of: 2) ? 600 : 0)) }
          if row % 3 == 2 { me.stay(minutes: 12) }
        }
        me.walk(Ground(-200, -100))
      }
      let end = me.now
      trace.add(me)
      // About two an hour tell where the pictures were; up to four do not nag.
      var time = start + 300
      while time + 1800 <= end {
        trace.want(anyOf: names, from: time, until: time + 1800)
        trace.tolerate(anyOf: names, from: time, until: time + 1800)
        time += 1800
      }
      trace.tolerate(anyOf: names, from: start, until: start + 300)
      trace.tolerate(anyOf: names, from: time, until: end)
    },
    Trace("a promenade with a spot every 60 m", .town) { trace in
      let names = (10..<40).map { "bench\($0)" }
      for (number, name) in names.enumerated() { trace.spot(name, Double(number) * 60, 0) }
      var me = Journey(from: Ground(-400, 20))
      me.walk(Ground(2200, 20))
      trace.add(me)
      // Half an hour from one end to the other.
      let visit = me.visits(of: Ground(0, 0), within: 140)[0].start
      trace.want(anyOf: names, from: visit, until: visit + 600)
      trace.want(anyOf: names, from: visit + 600, until: me.now)
      trace.tolerate(anyOf: names, from: visit + 600, until: me.now)
    },
    Trace("ten equal spots, a kilometre apart, in a day", .town) { trace in
      for number in 0..<10 { trace.spot("view\(number)", Double(number) * 1000, 0) }
      var me = Journey(from: Ground(-700, 25))
      for number in 0..<10 {
        me.walk(Ground(Double(number) * 1000, 25))
        me.stay(minutes: 10)
      }
      me.walk(Ground(9700, 25))
      trace.add(me)
      for number in 0..<10 { trace.want(visit: 0, of: "view\(number)", by: me) }
    },
    Trace("four spots around a monument", .town) { trace in
      trace.spot("front", 0, 0, photos: 30)
      trace.spot("back", 70, 20)
      trace.spot("left", 30, -60)
      trace.spot("right", 35, 75)
      var me = Journey(from: Ground(-700, 0))
      me.walk(Ground(-20, 0), Ground(-30, -60), Ground(80, -60), Ground(100, 40), Ground(60, 100))
      me.stay(minutes: 10)
      me.walk(Ground(-250, 50))
      me.stay(minutes: 20)
      me.walk(Ground(90, 60), Ground(500, 200))
      trace.add(me)
      trace.want(
        anyOf: ["front", "back", "left", "right"],
        from: me.visits(of: Ground(0, 0), within: 140)[0].start, until: me.now)
    },
    Trace("two weeks on the road, two sights a day", .travel) { trace in
      for day in 0..<14 {
        let base = Double(day) * 60_000
        trace.spot("castle\(day)", base + 30_000, 0)
        trace.spot("town\(day)", base + 60_000, 0)
        for number in 1..<4 { trace.spot("road\(day)-\(number)", base + Double(number) * 7000, 40) }
      }
      var me = Journey(from: Ground(0, 500), .allDay, atHour: 0)
      for day in 0..<14 {
        let base = Double(day) * 60_000
        me.stay(untilDay: day, hour: 9)
        me.go(to: Ground(base + 500, 0), at: 30)
        me.go(to: Ground(base + 29_500, 0), at: 70)
        me.go(to: Ground(base + 29_800, 0), at: 25)
        me.stay(minutes: 3)
        me.walk(Ground(base + 30_000, 20))
        me.stroll(minutes: 40, within: 60, of: Ground(base + 30_000, 20))
        me.walk(Ground(base + 29_800, 0))
        me.go(to: Ground(base + 59_500, 0), at: 70)
        me.stay(minutes: 20)
        me.walk(Ground(base + 60_010, 15))
        me.stroll(minutes: 60, within: 70, of: Ground(base + 60_000, 0))
        me.walk(Ground(base + 60_000, 500))
      }
      trace.add(me)
      for day in 0..<14 {
        trace.want(visit: 0, of: "castle\(day)", by: me)
        trace.want(visit: 0, of: "town\(day)", by: me)
      }
    },
    Trace("a week by train between towns", .travel) { trace in
      for day in 0..<7 {
        let base = Double(day) * 90_000
        for number in 1..<6 {
          trace.spot("line\(day)-\(number)", base + Double(number) * 14_000, 50)
        }
        trace.spot("old\(day)", base + 90_000, 600)
        trace.spot("port\(day)", base + 91_500, 900)
      }
      var me = Journey(from: Ground(0, 0), .allDay, atHour: 0)
      for day in 0..<7 {
        let base = Double(day) * 90_000
        me.stay(untilDay: day, hour: 9)
        me.go(to: Ground(base + 45_000, 0), at: 130)
        me.stay(minutes: 2)
        me.go(to: Ground(base + 90_000, 0), at: 130)
        me.walk(Ground(base + 90_000, 590))
        me.stay(minutes: 30)
        me.walk(Ground(base + 91_500, 910))
        me.stay(minutes: 60)
        me.walk(Ground(base + 90_000, 0))
      }
      trace.add(me)
      for day in 0..<7 {
        trace.want(visit: 0, of: "old\(day)", by: me)
        trace.want(visit: 0, of: "port\(day)", by: me)
      }
    },
    Trace("a week by the sea: the flat beside a spot, a bay a day", .holiday) { trace in
      trace.spot("flat", 0, 0)
      for day in 0..<7 { trace.spot("bay\(day)", 3000 + Double(day) * 1500, 0) }
      var me = Journey(from: Ground(-40_000, 0), .allDay, atHour: 8)
      me.go(to: Ground(-600, 50), at: 80)
      me.stay(minutes: 5)
      me.walk(Ground(0, 60))
      for day in 0..<7 {
        me.under(.indoors) { $0.stay(untilDay: day, hour: 10.5) }
        me.walk(Ground(400, 200))
        me.go(to: Ground(2600 + Double(day) * 1500, 300), at: 40)
        me.stay(minutes: 3)
        me.walk(Ground(3000 + Double(day) * 1500, 20))
        me.stay(minutes: 150)
        me.walk(Ground(2600 + Double(day) * 1500, 300))
        me.go(to: Ground(400, 200), at: 40)
        me.walk(Ground(0, 60))
      }
      trace.add(me)
      trace.tolerate(visit: 0, of: "flat", by: me)
      for day in 0..<7 {
        // The bays 0–5 lie so far apart that the road to the next does not pass one.
        trace.want(visit: 0, of: "bay\(day)", by: me)
      }
    },
    Trace("a holiday with a second visit two days later", .holiday) { trace in
      trace.spot("falls", 0, 0)
      var me = Journey(from: Ground(-2500, 0), .allDay, atHour: 9)
      for day in [0, 2] {
        me.stay(untilDay: day, hour: 10)
        me.walk(Ground(0, 20))
        me.stay(minutes: 30)
        me.walk(Ground(-2500, 0))
      }
      trace.add(me)
      trace.want(visit: 0, of: "falls", by: me)
      trace.want(visit: 1, of: "falls", by: me)
    },
    Trace("the same market on three Saturdays", .holiday) { trace in
      trace.spot("market", 0, 0)
      var me = Journey(from: Ground(-1500, 0), .allDay, atHour: 9)
      for week in 0..<3 {
        me.stay(untilDay: 5 + week * 7, hour: 10)
        me.walk(Ground(0, 20))
        me.stay(minutes: 40)
        me.walk(Ground(-1500, 0))
      }
      trace.add(me)
      for week in 0..<3 { trace.want(visit: week, of: "market", by: me) }
    },
  ]
}
