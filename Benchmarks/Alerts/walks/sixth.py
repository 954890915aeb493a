"""Walks of workers, families and travellers, and of receivers that rest, repeat or guess."""

import math

from walks.making import (
    DAY, H, M, MON, Noise, Path, Wifi, accel, brake, indoor, open_sky, registry,
)

ALL, kind = registry()


def _zero(noise):
    """A receiver that always claims a speed of zero."""
    def claim(t, x, y, v, c):
        x, y, acc, _, _ = noise(t, x, y, v, c)
        return x, y, acc, 0.0, None
    return claim


def _on(trips, before=60, after=300):
    """Whether a time belongs to one of some trips."""
    return lambda t: any(a - before <= t <= b + after for a, b in trips)


def _in_park(T, p, trips, outdoors, every, dev=None, rest=600, drift=12):
    """Samples trips often, and the time between them, indoors, seldom."""
    on = _on(trips)
    T.sample(p, outdoors, every, keep=on, dev=dev)
    T.sample(p, indoor(T.rng, drift), rest, keep=lambda t: not on(t), dev=dev)


# Nothing to tell --------------------------------------------------------------------------------------


@kind
def bus_terminus_break(T):
    """Stays in a bus that stands four minutes at a terminus and goes on as the next line; no speed."""
    r = T.rng
    p = accel(Path(MON + 8 * H, -700, 0).stay(4 * M), 10)
    for i in range(14):
        brake(p, 420 * i, 10).stay(r.uniform(220, 260) if i == 7 else r.uniform(12, 30))
        accel(p, 10)
        if i in (2, 7, 11):
            T.place("B%02d" % i, 420 * i + 25, 35)
    p.to(7000, 0, 10)
    T.sample(p, Noise(r, 6, 50, speed=False), 10)


@kind
def tram_pedestrian_zone(T):
    """A tram crawls through a pedestrian zone at 15 km/h with short stops; bare positions each 5 s."""
    r = T.rng
    p = accel(Path(MON + 17 * H, -3000, 0).stay(3 * M), 11, 1)
    for x in (-2600, -2150, -1700, -1200, -700, -200):
        accel(brake(p, x, 11, 1).stay(r.uniform(12, 22)), 11, 1)
    brake(p, 0, 11, 1)
    for x in (250, 500, 780):
        p.to(x, 0, r.uniform(3.8, 4.6)).stay(r.uniform(14, 25))
    accel(p, 11, 1)
    for x in (1300, 1750, 2200):
        accel(brake(p, x, 11, 1).stay(r.uniform(12, 22)), 11, 1)
    p.to(3500, 0, 11)
    for i, x in enumerate((-1690, -950, 130, 510, 1760, 2800)):
        T.place("S%d" % i, x, r.choice([-20, 20]))
    T.sample(p, Noise(r, 6, 50, speed=False), 5, noacc=True)


@kind
def carpool_week(T):
    """Four mornings a driver collects two colleagues beside old spots, and drops them in the evening."""
    r = T.rng
    T.place("P1", -3000, 25)
    T.place("P2", -900, -25)
    office = T.place("Office", 5000, 50)
    p, trips = Path(MON + 6 * H, -6000, 0), []
    for d in range(4):
        p.until(MON + d * DAY + 7 * H + r.uniform(0, 600))
        a = p.t
        accel(p, 13)
        for x in (-3000, -900, 1800, 3100):
            accel(brake(p, x + 5, 13).stay(r.uniform(20, 50)), 13)
        brake(p, 4960, 13).to(5000, 0, 1.2)
        trips.append((a, p.t))
        p.until(MON + d * DAY + 16.5 * H + r.uniform(0, 600))
        a = p.t
        p.to(4960, 0, 1.2).to(-880, 0, 13).stay(r.uniform(12, 30)).to(-2980, 0, 13)
        p.stay(r.uniform(12, 30)).to(-6000, 0, 13)
        trips.append((a, p.t))
    _in_park(T, p, trips, Noise(r, 5, 60), 8)
    T.tolerated(office, "first days at the office", t1=MON + 2 * DAY, hi=2)


@kind
def companion_app_school(T):
    """Five days of school runs by car; an app sends a fix each 1-3 minutes driving, else each 15."""
    r = T.rng
    T.home("Home", 0, 0)
    school = T.place("School", 4000, 45)
    for i in range(9):
        T.place("R%d" % i, 600 + 850 * i + (400 if i > 3 else 0), r.choice([-30, 30]))
    p, drives = Path(MON + 6 * H, 0, 0), []
    for d in range(5):
        for h, back in ((7.7, False), (15, True)):
            p.until(MON + d * DAY + h * H + r.uniform(0, 500))
            a = p.t
            p.to(4000, 0, 12).stay(r.uniform(120, 220)).to(*((0, 0, 12) if back else (9000, 0, 12)))
            drives.append((a, p.t))
    p.stay(3 * H)
    t = p.k[0][0]
    while t < p.t:
        x, y, _, _ = p.at(t)
        acc = r.uniform(12, 40)
        T.add(t, x + r.gauss(0, acc / 2), y + r.gauss(0, acc / 2), acc)
        t += r.uniform(60, 180) if _on(drives, 0, 0)(t) else r.uniform(700, 1000)
        t = min([t] + [a + 20 for a, _ in drives if t - 1000 < a + 20 < t and a + 20 > T.fixes[-1]["t"] + 30])
    T.tolerated("Home", "first day at home", t1=MON + 2 * DAY)
    T.tolerated(school, "first days of a daily gate", t1=MON + 2 * DAY, hi=2)


@kind
def train_signal_stop(T):
    """An express waits ten minutes at a signal on the open line, then crawls over a building site."""
    r = T.rng
    T.place("Signal", 8020, 60)
    T.place("Site", 11500, 45)
    T.place("Station", 20030, 50)
    p = accel(Path(MON + 15 * H, -4000, 0).stay(6 * M), 38, 0.6)
    brake(p, 8000, 38, 0.6).stay(r.uniform(480, 700))
    accel(p, 4, 0.6).to(12300, 0, 4)
    accel(p, 30, 0.6)
    accel(brake(p, 20000, 30, 0.6).stay(r.uniform(60, 110)), 38, 0.6).to(36000, 0, 38)
    T.sample(p, Noise(r, 6, 60), 5)


@kind
def tracker_claims_zero(T):
    """A car tracker that sends a speed of zero with every fix, in a town with lights and spots."""
    r = T.rng
    p = Path(MON + 12 * H, -800, 0).stay(5 * M)
    accel(p, 13)
    for i in range(10):
        brake(p, 650 * i, 13).stay(r.uniform(12, 40))
        accel(p, 13)
        T.place("L%d" % i, 650 * i + (15 if i % 2 else 300), r.choice([-25, 25]))
    p.to(9000, 0, 14)
    T.sample(p, _zero(open_sky(r)), 5)


@kind
def night_bus_hub(T):
    """A night bus with a fix a minute; all lines wait nine minutes for each other; then walks home."""
    r = T.rng
    hub, way = T.place("Hub", 3020, 40), T.place("Way", 7640, -200)
    for x in (620, 1830, 4230, 6030):
        T.place("B%d" % x, x, 30)
    p = accel(Path(MON + DAY + 1.2 * H, -600, 0).stay(6 * M), 11)
    for i in range(13):
        brake(p, 600 * i, 11).stay(9 * M if i == 5 else r.uniform(8, 25))
        if i < 12:
            accel(p, 11)
    p.to(7220, -200, 1.3).to(7900, -180, 1.3).stay(20 * M)
    T.sample(p, Noise(r, 6, 60), 60)
    T.tolerated(hub, "could step out for a moment")
    T.tolerated(way, "at two in the morning")


@kind
def car_wash(T):
    """Queues for a car wash, is pushed through without reception, cleans the seats, and drives home."""
    r = T.rng
    wash = T.place("Wash", 20, 45)
    for x in (-2400, -1100, 1500, 2900):
        T.place("R%d" % x, x + 15, 25)
    p = accel(Path(MON + 5 * DAY + 10 * H, -4000, 0).stay(3 * M), 13)
    for x in (-2400, -1100):
        accel(brake(p, x, 13).stay(r.uniform(15, 45)), 13)
    brake(p, -60, 13)
    for i in range(5):
        p.stay(r.uniform(35, 70)).to(-60 + 8 * (i + 1), 0, 1)
    a = p.t
    p.to(15, 0, 0.16)
    b = p.t
    p.to(40, 0, 2).stay(7 * M)
    accel(p, 13)
    for x in (1500, 2900):
        accel(brake(p, x, 13).stay(r.uniform(15, 45)), 13)
    p.to(5000, 0, 13)
    T.sample(p, Noise(r, 5, 60), 5, keep=lambda t: not a + 10 < t < b - 5)
    T.tolerated(wash, "twenty minutes beside it, but busy")


@kind
def tower_desk_week(T):
    """Five days at a desk between towers whose echoes throw single fixes over plazas; comes by metro."""
    r = T.rng
    for i in range(6):
        d, a = r.uniform(165, 230), i * math.pi / 3 + r.uniform(-0.2, 0.2)
        T.place("Plaza%d" % i, d * math.sin(a), d * math.cos(a))
    p = Path(MON + 6 * H, -8000, 0)
    for d in range(5):
        p.until(MON + d * DAY + 8 * H + r.uniform(0, 900)).to(-30, 0, 12).to(0, 0, 1)
        p.until(MON + d * DAY + 17 * H + r.uniform(0, 900)).to(-30, 0, 1).to(-8000, 0, 12)
    p.stay(2 * H)
    tower, home = Noise(r, 12, 300, bursts=(1800, 35, 90, 230), speed=False), indoor(r, 10)
    T.sample(p, tower, 60, keep=lambda t: p.at(t)[0] > -31)
    T.sample(p, home, 600, keep=lambda t: p.at(t)[0] < -7990)


# Travellers -------------------------------------------------------------------------------------------


@kind
def hop_on_hop_off(T):
    """An open bus round the sights: stays aboard at most stops, gets off at three, takes a later bus."""
    r = T.rng
    off = {2: None, 5: None, 8: None}
    for i in off:
        off[i] = T.place("Sight%d" % i, 750 * i + 75, 165, n=7)
    for i in (1, 3, 4, 6, 7):
        T.place("Stop%d" % i, 750 * i + 15, 30, n=4)
    p = accel(Path(MON + 10 * H, -500, 0).stay(7 * M), 8)
    for i in range(10):
        x = 750 * i
        brake(p, x, 8)
        if i in off:
            p.stay(15).to(x + 70, 140, 1.1).stay(r.uniform(20, 35) * M).to(x, 0, 1.1)
            p.stay(r.uniform(5, 9) * M)
        else:
            p.stay(r.uniform(30, 70))
        accel(p, 8)
    p.to(7600, 0, 8)
    T.sample(p, Noise(r, 6, 50), 5)
    for k in off.values():
        T.wanted(p, k, "gets off the bus")


@kind
def guided_tour(T):
    """A guide leads a group to eight sights and talks three or four minutes at each."""
    r = T.rng
    ks = [T.place("G%d" % i, 310 * i + 10, 70 * (i % 2) + 15, n=r.choice([2, 4, 9])) for i in range(8)]
    p = Path(MON + 10 * H, -350, 0)
    for i in range(8):
        p.to(310 * i, 70 * (i % 2), 0.9).stay(r.uniform(180, 240))
    p.to(2700, 0, 1.1)
    T.sample(p, Noise(r, 8, 45), 5)
    T.wanted(p, ks[0], "the first sight")
    T.wanted(p, ks[1:], "the other sights", lo=4, hi=7)


@kind
def museum_island(T):
    """Four museums 240 m apart, most of an hour in each, indoor positions that drift by 30 m."""
    r = T.rng
    halls = ((0, 0), (240, 40), (90, 270), (340, 285))
    ks = [T.place("Hall%d" % i, x + 10, y + 12, n=4) for i, (x, y) in enumerate(halls)]
    p = Path(MON + DAY + 10 * H, -500, -100)
    for x, y in halls:
        p.to(x, y, 1.2)
        for _ in range(6):
            p.to(x + r.uniform(-22, 22), y + r.uniform(-22, 22), 0.6).stay(r.uniform(5, 10) * M)
        p.to(x, y, 0.8)
    p.to(340, 800, 1.2)
    T.sample(p, indoor(r, 30), 30)
    for k in ks:
        T.wanted(p, k, "in the museum")


@kind
def car_ferry(T):
    """Queues in the car for a ferry, crosses past an islet, and drives off with the others."""
    r = T.rng
    quay = T.place("Quay", -40, 50, n=5)
    islet, pier = T.place("Islet", 3000, 75), T.place("Pier", 6040, 45)
    for x in (-7000, -3500, 8500, 12000):
        T.place("R%d" % x, x, r.choice([-30, 30]))
    p = accel(Path(MON + 9 * H, -12000, 0).stay(5 * M), 22)
    brake(p, -80, 22).stay(r.uniform(22, 30) * M).to(0, 0, 2).stay(6 * M)
    p.to(300, 0, 3).to(5600, 0, 8.5).to(6000, 0, 3).stay(4 * M)
    accel(p, 18).to(15000, 0, 18)
    T.sample(p, open_sky(r), 10)
    T.wanted(p, quay, "waits on the quay", t1=MON + 10.2 * H)
    T.tolerated(islet, "from the deck")
    T.tolerated(pier, "from the deck, before driving off")


@kind
def funicular(T):
    """Queues for a funicular, rides up at 15 km/h, stays on top, and walks down; no speed."""
    low, mid = T.place("Low", -25, 25, n=4), T.place("Mid", 45, 450, n=2)
    top = T.place("Top", 60, 975, n=12)
    p = Path(MON + 13 * H, -600, -100).to(0, 0, 1.2).stay(8 * M).to(0, 900, 4.2).stay(30)
    p.to(50, 960, 0.9).stay(16 * M).via([(180, 800), (40, 640), (90, 450), (190, 250), (240, -300)], 1.1)
    T.sample(p, open_sky(T.rng, speed=False), 6)
    T.wanted(p, low, "queues below")
    T.wanted(p, mid, "from the cabin or on foot")
    T.wanted(p, top, "on top")


@kind
def layover_taxiing(T):
    """Between two flights: taxiing with holds beside spots, two hours in a terminal, and off again."""
    r = T.rng
    T.place("Apron", -560, 60)
    hall = T.place("Hall", 500, 320, n=3)
    T.place("Hold", 1620, -50)
    p = Path(MON + 6 * H, -900000, 0).stay(20 * M).to(-3600, 0, 235).to(-2000, 0, 35)
    a = p.k[1][0]
    b = p.k[2][0]
    p.to(-600, 0, 9).stay(r.uniform(150, 240)).to(0, 0, 6).to(0, 150, 4).stay(11 * M)
    c = p.t
    p.to(0, 300, 1.2).to(480, 300, 1.2)
    for _ in range(8):
        p.to(480 + r.uniform(-30, 40), 300 + r.uniform(-20, 30), 0.7).stay(r.uniform(8, 16) * M)
    p.to(900, 300, 1.2).stay(15 * M).to(900, 160, 1.1)
    d = p.t
    p.stay(25 * M).to(900, 0, 4).to(1600, 0, 7).stay(r.uniform(280, 380)).to(2000, 0, 9).to(4500, 0, 60)
    hull, house = Noise(r, 12, 90), indoor(r, 25)
    T.sample(p, house, 60, t1=a)
    T.sample(p, hull, 10, t0=b + 30, t1=c)
    T.sample(p, house, 20, t0=c + 10, t1=d)
    T.sample(p, hull, 10, t0=d + 5, t1=p.t - 20)
    T.wanted(p, hall, "two hours in the hall")


@kind
def jet_lag_hotel(T):
    """Flies eight time zones east, takes a taxi to a hotel, and walks the old town three dawns."""
    r = T.rng
    far = 8000000.0
    hotel = T.place("Hotel", far + 18030, 40, n=3)
    square, bridge = T.place("Square", far + 18700, 25, n=11), T.place("Bridge", far + 19700, -20, n=4)
    for i in range(5):
        T.place("R%d" % i, far + 2500 + 3000 * i, r.choice([-30, 30]))
    p = Path(MON + 2 * H, 0, 0).stay(30 * M)
    p.to(far, 0, 202).stay(40 * M)
    landed = p.k[2][0]
    a = p.t
    p.to(far + 17950, 0, 15).stay(40).to(far + 18000, 20, 1.1)
    trips = [(a, p.t)]
    for d in range(3):
        p.until(MON + d * DAY + 21 * H + r.uniform(0, 1500))
        a = p.t
        p.to(far + 18700, 0, 1.2).stay(8 * M).to(far + 20200, 0, 1.2).to(far + 20200, 500, 1.2)
        p.to(far + 18000, 500, 1.2).to(far + 18000, 20, 1.2)
        trips.append((a, p.t))
    p.stay(4 * H)
    on, inside = _on(trips, 600), indoor(r, 14)
    T.sample(p, inside, 120, t1=p.k[1][0])
    T.sample(p, Noise(r, 6, 60), 10, t0=landed, keep=on)
    T.sample(p, inside, 300, t0=landed, keep=lambda t: not on(t))
    T.wanted(p, hotel, "arrives", t1=MON + 20 * H)
    T.wanted(p, square, "the first dawn", t1=MON + 1.5 * DAY)
    T.wanted(p, bridge, "the first dawn", t1=MON + 1.5 * DAY)
    T.tolerated(hotel, "back from a walk on another day", t0=MON + 1.5 * DAY)
    T.tolerated(square, "a later dawn", t0=MON + 1.5 * DAY)
    T.tolerated(bridge, "a later dawn", t0=MON + 1.5 * DAY)


@kind
def subway_cell_fixes(T):
    """Rides a subway that gives cell fixes of 300-1200 m and Wi-Fi at its stations; sees two sights."""
    r = T.rng
    a, b = T.place("A", 4120, 150, n=6), T.place("B", 8350, -90, n=6)
    for x in (1000, 2000, 3000, 5000, 6000, 7000):
        T.place("Above%d" % x, x + 20, 25)
    p, under = Path(MON + 11 * H, -400, 0).to(0, 0, 1.2).stay(3 * M), []
    for x0, x1, spot in ((0, 4000, (4100, 130)), (4000, 8000, (8340, -70))):
        t = p.t
        for x in range(x0 + 1000, x1 + 1, 1000):
            p.to(x, 0, 14).stay(r.uniform(22, 35))
        p.stay(50)
        under.append((t - 90, p.t))
        p.to(*spot, 1.1).stay(r.uniform(11, 16) * M)
        if x1 == 4000:
            p.to(4000, 0, 1.2).stay(2 * M)
    T.sample(p, Noise(r, 7, 50), 8, keep=lambda t: not _on(under, 0, 15)(t))
    cell, wifi = Wifi(r, 300, 1200), Wifi(r, 25, 50)
    T.sample(p, cell, 70, keep=_on(under, 0, 0))
    T.sample(p, wifi, 25, keep=lambda t: _on(under, 0, 0)(t) and p.at(t)[2] < 0.1)
    T.wanted(p, a, "walks to it")
    T.wanted(p, b, "walks to it")


# Workers, families and sport --------------------------------------------------------------------------


@kind
def field_worker(T):
    """A gardener drives a van to six gardens, half an hour's work in each; three lie beside spots."""
    r = T.rng
    ks = [T.place("Garden%d" % i, 2600 * i + 25, 40, n=3) for i in (1, 3, 4)]
    for i in range(6):
        T.place("R%d" % i, 2600 * i + 1300, r.choice([-25, 25]))
    p = accel(Path(MON + 2 * DAY + 7.5 * H, -1500, 0).stay(4 * M), 13)
    for i in range(6):
        brake(p, 2600 * i, 13).stay(60)
        for _ in range(5):
            p.to(2600 * i + r.uniform(-5, 25), r.uniform(5, 35), 0.8).stay(r.uniform(4, 9) * M)
        p.to(2600 * i, 0, 1).stay(90)
        accel(p, 13)
        accel(brake(p, 2600 * i + 1310, 13).stay(r.uniform(10, 40)), 13)
    p.to(16500, 0, 13)
    T.sample(p, open_sky(r), 10)
    for k in ks:
        T.wanted(p, k, "works beside it")


@kind
def significant_changes_day(T):
    """A day of sights by tram; the phone sends a fix each 500 m and 5 minutes, and one each 15 minutes."""
    r = T.rng
    ks = [T.place("K%d" % i, 3500 * (i + 1) + 90, 110, n=5) for i in range(3)]
    for i in range(14):
        if i % 7 != 6:
            T.place("R%02d" % i, 3500 + 500 * (i + 1), r.choice([-30, 30]))
    p = Path(MON + 9 * H, 0, 0).stay(H)
    for i in range(3):
        for x in range(5):
            p.to(3500 * i + 700 * (x + 1), 0, 9).stay(r.uniform(12, 25))
        p.to(3500 * (i + 1) + 85, 95, 1.2).stay(r.uniform(50, 70) * M).to(3500 * (i + 1), 0, 1.2).stay(4 * M)
    t, ping, last = p.k[0][0], p.k[0][0], (0, -1e9, 0)
    while t < p.t:
        x, y, _, _ = p.at(t)
        if t >= ping or (t - last[0] >= 300 and math.hypot(x - last[1], y - last[2]) >= 500):
            acc = r.choice([20, 35, 50, 65]) if t >= ping else r.choice([35, 65, 65, 100])
            T.add(t, x + r.gauss(0, acc / 1.7), y + r.gauss(0, acc / 1.7), acc)
            ping, last = (t + 900 if t >= ping else ping), (t, x, y)
        t += 10
    for k in ks:
        T.wanted(p, k, "an hour there")


@kind
def timeline_week(T):
    """A week with a fix each 2-6 minutes on the way and each 10-20 at rest: train, office, a castle."""
    r = T.rng
    T.home("Home", 0, 0)
    office = T.place("Office", 20060, 40)
    castle, lake = T.place("Castle", -2000, 30040, n=14), T.place("Lake", 1500, -1530, n=2)
    for i in range(12):
        T.place("R%02d" % i, 1200 + 1500 * i, r.choice([-40, 40]))
    p, trips = Path(MON + 5 * H, 0, 0), []
    for d in range(5):
        for h, x in ((7.3, 20000), (17.2, 0)):
            p.until(MON + d * DAY + h * H + r.uniform(0, 900))
            a = p.t
            p.to(10000, 0, 25).stay(60).to(x, 0, 25)
            trips.append((a, p.t))
    p.until(MON + 5 * DAY + 9 * H)
    a = p.t
    p.to(-2000, 29700, 20).to(-2000, 30000, 1.2)
    trips.append((a, p.t))
    p.stay(2.2 * H)
    a = p.t
    p.to(-2000, 29700, 1.2).to(0, 0, 20)
    trips.append((a, p.t))
    p.until(MON + 6 * DAY + 14 * H)
    a = p.t
    p.to(1500, -1500, 1.2).stay(45 * M).to(0, 0, 1.2)
    trips.append((a, p.t))
    p.stay(5 * H)
    on, t = _on(trips, 0, 0), p.k[0][0]
    while t < p.t:
        x, y, _, _ = p.at(t)
        acc = r.uniform(10, 50)
        T.add(t, x + r.gauss(0, acc / 1.7), y + r.gauss(0, acc / 1.7), acc)
        t += r.uniform(120, 360) if on(t) else r.uniform(600, 1200)
        t = min([t] + [b + 60 for _, b in trips if T.fixes[-1]["t"] < b + 30 and b + 60 < t])
    T.tolerated("Home", "first day at home", t1=MON + 2 * DAY)
    T.tolerated(office, "first days at the office", t1=MON + 2 * DAY, hi=2)
    T.wanted(p, castle, "the castle", t0=MON + 5 * DAY)
    T.wanted(p, lake, "rests at the lake", t0=MON + 6 * DAY)


@kind
def smart_recording_hike(T):
    """A watch that records turns closely and straights each 15-40 s; switchbacks, a hut and a summit."""
    r = T.rng
    hut, saddle = T.place("Hut", 20, 620, n=5), T.place("Saddle", 900, 860, n=2)
    top, tarn = T.place("Top", 1500, 1520, n=9), T.place("Tarn", 2600, 900, n=3)
    T.place("Aside0", -160, 300)
    T.place("Aside1", 1130, 1120)
    T.place("Aside2", 2120, 1420)
    p = Path(MON + 6 * DAY + 8 * H, 100, -300)
    for i in range(12):
        p.to(260 if i % 2 else 10, 50 * i, 0.8)
    p.to(0, 610, 0.8).stay(14 * M).to(900, 840, 0.9).to(1250, 900, 0.8).to(1490, 1500, 0.7).stay(22 * M)
    p.to(2100, 1250, 1.2).to(2580, 880, 1.3).stay(6 * M).to(3600, 200, 1.4)
    t, turns = p.k[0][0], [k[0] for k in p.k]
    while t < p.t:
        x, y, _, _ = p.at(t)
        T.add(t, x + r.gauss(0, 6), y + r.gauss(0, 6))
        t += r.uniform(3, 6) if any(abs(t - k) < 12 for k in turns) else r.uniform(15, 40)
    for k in (hut, saddle, top, tarn):
        T.wanted(p, k, "on the hike")


@kind
def dog_block(T):
    """Twice a day the dog is walked round the block, past a church; on day five on to a pond; bare."""
    r = T.rng
    church, pond = T.place("Church", 265, 80, n=4), T.place("Pond", 900, 880, n=2)
    p, walks = Path(MON + 6 * H, 0, -60), []
    for d in range(6):
        for h in (7, 19):
            p.until(MON + d * DAY + h * H + r.uniform(0, 1500))
            a = p.t
            p.to(0, 0, 1.1)
            for _ in range(r.choice([2, 3])):
                p.via([(220, 0), (220, 160), (0, 160), (0, 0)], 1.1)
            if d == 4 and h == 19:
                p.to(0, 900, 1.2).to(900, 860, 1.2).stay(7 * M).to(0, 900, 1.2).to(0, 0, 1.2)
            p.to(0, -60, 1.1)
            walks.append((a, p.t))
    p.stay(2 * H)
    on = _on(walks, 0, 60)
    T.sample(p, Noise(r, 6, 60, speed=False), 30, keep=on, noacc=True)
    T.sample(p, indoor(r, 12), 900, keep=lambda t: not on(t), noacc=True)
    T.wanted(p, church, "the first walk", t1=MON + DAY)
    T.tolerated(church, "the second day", t0=MON + DAY, t1=MON + 2 * DAY)
    T.wanted(p, pond, "the new way")


@kind
def kayak_river(T):
    """A kayak drifts and paddles past spots on the banks, carried once round a weir; speed always zero."""
    r = T.rng
    ks = [T.place("K%d" % i, 1400 * i + 600, 45 * (-1) ** i, n=2 + i) for i in range(4)]
    for i in range(3):
        T.place("Inland%d" % i, 1400 * i + 1300, 165 * (-1) ** i)
    p = Path(MON + 5 * DAY + 11 * H, -300, 0).stay(12 * M)
    while p.k[-1][1] < 2500:
        p.to(p.k[-1][1] + r.uniform(60, 200), r.uniform(-10, 10), r.uniform(0.7, 2.1))
    p.to(2700, 20, 0.6).stay(3 * M)
    while p.k[-1][1] < 5500:
        p.to(p.k[-1][1] + r.uniform(60, 200), r.uniform(-10, 10), r.uniform(0.7, 2.1))
    T.sample(p, _zero(open_sky(r)), 15)
    for k in ks:
        T.wanted(p, k, "drifts past")


@kind
def horse_ride(T):
    """A ride under trees at a walk, trot and canter past three spots; a bridle way beside a fourth."""
    r = T.rng
    ks = [T.place("H%d" % i, 1800 * i + 800, r.choice([-25, 25]), n=3) for i in range(3)]
    T.place("Beside", 3400, 170)
    p = Path(MON + 5 * DAY + 15 * H, 0, 0).stay(5 * M)
    for i, v in enumerate((1.7, 3.7, 5.5)):
        x = 1800 * i
        p.to(x + 400, 0, 1.7).to(x + 1200, 0, v).to(x + 1500, 0, 1.7).to(x + 1800, 0, 3.7)
    p.to(5700, 0, 1.6).stay(6 * M)
    T.sample(p, Noise(r, 9, 60), 5)
    for k in ks:
        T.wanted(p, k, "rides past")


@kind
def wheelchair_bus(T):
    """Rolls along a promenade, takes a bus with a ramp for six stops, and rolls on; a fix each 30 s."""
    r = T.rng
    a, b = T.place("A", 300, 20, n=3), T.place("B", 3480, 210, n=6)
    T.place("Stop2", 1620, 30)
    T.place("Stop4", 2520, 30)
    p = Path(MON + 3 * DAY + 14 * H, -300, 0).to(700, 0, 1).stay(5 * M + 60)
    accel(p, 9)
    for i in range(1, 7):
        brake(p, 700 + 450 * i, 9).stay(75 if i == 6 else r.uniform(18, 40))
        if i < 6:
            accel(p, 9)
    p.to(3400, 0, 0.9).to(3460, 200, 0.9).stay(12 * M).to(3460, 500, 0.9)
    T.sample(p, Noise(r, 5, 60), 30)
    T.wanted(p, a, "rolls past")
    T.wanted(p, b, "rolls there")


@kind
def pram_rounds(T):
    """Pushes a pram round a pond until the child sleeps, then sits on a bench; Wi-Fi positions only."""
    r = T.rng
    bench, mill = T.place("Bench", 195, 10, n=3), T.place("Mill", -200, 0, n=8)
    ring = [(180 * math.cos(i * math.pi / 4), 180 * math.sin(i * math.pi / 4)) for i in range(1, 9)]
    p = Path(MON + 4 * DAY + 13 * H, 700, 0).to(180, 0, 1)
    for _ in range(3):
        p.via(ring, 0.9)
    p.stay(35 * M).to(700, 0, 1.1)
    T.sample(p, Wifi(r, 15, 60), 40)
    T.wanted(p, bench, "passes, later sits there")
    T.wanted(p, mill, "passes three times")


@kind
def city_bike_canyon(T):
    """A hired bicycle in narrow streets: echoes, lights, no speed; spots on the way and a street aside."""
    r = T.rng
    ks = [T.place("C%d" % i, 1800 * i + 1000, r.choice([-12, 12]), n=3) for i in range(4)]
    for i in range(8):
        T.place("D%d" % i, 900 * i + 450, r.uniform(150, 185) * (-1) ** i)
    p = Path(MON + DAY + 16 * H, -250, 0).to(0, 0, 1.3).stay(2 * M)
    while p.k[-1][1] < 6900:
        p.to(p.k[-1][1] + r.uniform(150, 450), 0, r.uniform(3.8, 5)).stay(r.choice([0, 0, 15, 35]) + 0.1)
    p.stay(90).to(p.k[-1][1] + 300, 0, 1.3)
    T.sample(p, Noise(r, 8, 40, bursts=(180, 14, 50, 190), speed=False), 5)
    for k in ks:
        T.wanted(p, k, "rides past")


@kind
def household_school(T):
    """A mother's phone and a child's watch: school together, then each their own way, on four days."""
    r = T.rng
    T.home("Home", 0, 0)
    gate, lake = T.place("Gate", 920, 35, n=3), T.place("Lake", 900, 1540, n=5)
    castle = T.place("Castle", 4030, -820, n=6)
    mother, child = Path(MON + 6 * H, 0, 0), Path(MON + 6 * H, 0, 0)
    hers, its = [], []
    for d in range(4):
        t = MON + d * DAY + 7.6 * H + r.uniform(0, 400)
        mother.until(t).to(900, 0, 1.1).stay(4 * M)
        if d == 2:
            mother.to(900, 1500, 1.2).stay(12 * M).to(0, 1500, 1.2)
        mother.to(0, 0, 1.2)
        hers.append((t, mother.t))
        child.until(t).to(900, 0, 1.1).to(930, 10, 1)
        its.append((t, child.t))
        if d == 3:
            child.until(MON + d * DAY + 9.5 * H)
            a = child.t
            child.to(930, -800, 10).to(4000, -800, 14).stay(95 * M).to(930, -800, 14).to(930, 10, 10)
            its.append((a, child.t))
        child.until(MON + d * DAY + 13 * H + r.uniform(0, 400))
        a = child.t
        child.to(0, 0, 1.1)
        its.append((a, child.t))
    mother.until(MON + 4 * DAY)
    child.until(MON + 4 * DAY)
    _in_park(T, mother, hers, Noise(r, 5, 60), 20, "mother")
    _in_park(T, child, its, Noise(r, 9, 60, speed=False), 40, "child")
    T.tolerated("Home", "first day at home", hi=2, t1=MON + 2 * DAY)
    T.wanted(child, gate, "the first morning", t1=MON + 9 * H)
    T.tolerated(gate, "the second day", t0=MON + DAY, t1=MON + 2 * DAY)
    T.wanted(mother, lake, "the mother walks on", t0=MON + 2 * DAY)
    T.wanted(child, castle, "the class goes to a castle", t0=MON + 3 * DAY)


@kind
def coarse_fixes_between(T):
    """A walk where each third fix is of 600-1500 m accuracy, with ten minutes of nothing else indoors."""
    r = T.rng
    s, u = T.place("S", 0, 20, n=5), T.place("U", 1500, -25, n=2)
    for i in range(8):
        a = i * math.pi / 4 + 0.3
        T.place("D%d" % i, 700 + r.uniform(450, 950) * math.cos(a), 550 * math.copysign(1, math.sin(a)))
    p = Path(MON + 3 * DAY + 11 * H, -800, 0).to(0, 0, 1.2).stay(5 * M).to(750, 0, 1.2)
    a = p.t
    p.stay(10 * M)
    b = p.t
    p.to(2300, 0, 1.2)
    good, coarse, n = open_sky(r), Wifi(r, 600, 1500), [0]

    def mixed(t, x, y, v, c):
        n[0] += 1
        return (good if n[0] % 3 and not a + 20 < t < b else coarse)(t, x, y, v, c)

    T.sample(p, mixed, 10)
    T.wanted(p, s, "stands there")
    T.wanted(p, u, "walks past")


@kind
def buoy_swim(T):
    """Swims across a lake with a phone in a buoy, fixes lost to waves; rests on the far shore; bare."""
    r = T.rng
    beach, islet = T.place("Beach", -20, -25, n=8), T.place("Islet", 75, 650, n=2)
    far = T.place("Far", 20, 1325, n=3)
    p = Path(MON + 6 * DAY + 9 * H, -700, -60).to(0, -10, 1.2).stay(9 * M)
    a = p.t
    p.to(10, 600, 0.8).to(0, 1300, 0.75)
    b = p.t
    p.to(10, 1310, 0.5).stay(16 * M).to(600, 1400, 1.1)
    shore, waves = open_sky(r, speed=False), Noise(r, 8, 30, bursts=(90, 10, 20, 80), speed=False)
    T.sample(p, shore, 5, t1=a, noacc=True)
    T.sample(p, waves, 5, t0=a + 5, t1=b, keep=lambda t: r.random() < 0.5, noacc=True)
    T.sample(p, shore, 5, t0=b + 5, noacc=True)
    T.wanted(p, beach, "undresses on the beach")
    T.tolerated(islet, "swims past with wet hands")
    T.wanted(p, far, "rests on the far shore")
