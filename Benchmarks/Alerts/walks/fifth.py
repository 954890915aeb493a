"""Walks with receivers that say little: no speed, no accuracy, a fix a minute; with old complaints."""

import math

from walks.making import (
    DAY, H, M, MON, Noise, Path, Wifi, accel, brake, indoor, open_sky, registry,
)

ALL, kind = registry()


@kind
def town_drive_no_speed(T):
    """Leaves a parking place and drives through a town at 30-45 km/h, turning; accuracy, no speed."""
    r = T.rng
    p = Path(MON + 9 * H, 0, 0).stay(8 * M).to(40, 0, 3)
    for i in range(14):
        x, y = p.k[-1][1:]
        p.to(x + (330 if i % 2 else 0), y + (0 if i % 2 else 330), r.uniform(8.5, 12.5))
        T.place("S%02d" % i, p.k[-1][1] + r.uniform(-30, 30), p.k[-1][2] + r.uniform(-30, 30))
    T.sample(p, open_sky(r, speed=False), 2)


@kind
def start_40_bare_5s(T):
    """Starts at 40 km/h without speed and accuracy, a fix each 5 s, a spot each 400 m."""
    for i in range(15):
        T.place("S%02d" % i, 200 + 400 * i, T.rng.uniform(-40, 40))
    p = accel(Path(MON + 9 * H, 0, 0).stay(12 * M), 11.2).to(6500, 0, 11.2)
    T.sample(p, open_sky(T.rng, speed=False), 5, noacc=True)


@kind
def drive_past_week_then_visit(T):
    """Drives past on five days, with a red light beside the spot; walks there on Saturday."""
    s = T.place("S", 0, 25)
    p = Path(MON + 7 * H, -6000, 0)
    for d in range(5):
        p.until(MON + d * DAY + 7.6 * H)
        brake(p, 10, 13).stay(T.rng.uniform(15, 55))
        accel(p, 13).to(6000, 0, 13).until(MON + d * DAY + 17 * H).to(-6000, 0, 13)
    p.until(MON + 5 * DAY + 10 * H).to(-400, 0, 12).stay(4 * M).to(0, 0, 1.2).stay(12 * M).to(-400, 0, 1.2)
    T.sample(p, Noise(T.rng, 5, 60), 4, keep=lambda t: -5900 < p.at(t)[0] < 5900)
    T.wanted(p, s, "on Saturday", t0=MON + 5 * DAY)


@kind
def train_past_then_visit(T):
    """A train passes a spot twice a day for three days; on the fourth its owner walks there."""
    s = T.place("S", 0, 60)
    p = Path(MON + 7 * H, -9000, 0)
    for d in range(3):
        p.until(MON + d * DAY + 7.5 * H).to(9000, 0, 28).until(MON + d * DAY + 17 * H).to(-9000, 0, 28)
    p.until(MON + 3 * DAY + 11 * H).to(-700, 0, 9).stay(3 * M).to(0, 20, 1.3).stay(7 * M).to(-700, 0, 1.3)
    T.sample(p, open_sky(T.rng, speed=False), 10, keep=lambda t: -8900 < p.at(t)[0] < 8900)
    T.wanted(p, s, "walks there", t0=MON + 3 * DAY)


@kind
def jumps_minute(T):
    """At home with a fix a minute; five jumps of 1-6 km, each held 3-9 minutes."""
    r = T.rng
    for i in range(5):
        d, a = 1000 + 1250 * i, r.uniform(0, 6.28)
        T.place("J%d" % i, d * math.cos(a), d * math.sin(a))
    p = Path(MON + 9 * H, 0, 0).stay(9 * H)
    T.sample(p, indoor(r, 10), 60)
    for i in range(5):
        x, y = T.places["J%d" % i]
        t, d = MON + 10 * H + i * 5000, r.uniform(180, 540)
        for f in T.fixes:
            if t <= f["t"] < t + d:
                f["lat"], f["lon"] = [round(v, 7) for v in T.f.ll(x + r.gauss(0, 12), y + r.gauss(0, 12))]
                f["acc"] = 40.0


@kind
def jumps_walking(T):
    """Jumps of 500 m to 3 km, held 3-8 minutes, while walking with a fix each 10 s."""
    r = T.rng
    for i in range(5):
        T.place("J%d" % i, 500 + 700 * i, 600 + 500 * i)
    p = Path(MON + 9 * H, 0, 0).to(3000, 0, 0.9).to(0, -40, 0.9)
    T.sample(p, Noise(r, 6, 60, speed=False), 10)
    for i in range(5):
        x, y = T.places["J%d" % i]
        t, d = MON + 9.2 * H + i * 1100, r.uniform(180, 480)
        for f in T.fixes:
            if t <= f["t"] < t + d:
                f["lat"], f["lon"] = [round(v, 7) for v in T.f.ll(x + r.gauss(0, 10), y + r.gauss(0, 10))]
                f["acc"] = 30.0


@kind
def multipath_10s(T):
    """A street with echoes that last a minute; the decoys lie in the street beside."""
    s, u = T.place("S", -200, 12, n=4), T.place("U", 1100, -15, n=2)
    for i in range(7):
        T.place("D%d" % i, -700 + i * 320, 145 * (-1) ** i)
    p = Path(MON + 9 * H, -1200, 0).to(1700, 0, 1.2)
    T.sample(p, Noise(T.rng, 8, 40, bursts=(150, 45, 60, 180), speed=False), 10)
    T.wanted(p, s, "walked past")
    T.wanted(p, u, "walked past")


@kind
def four_stops_in_town(T):
    """Walks past twelve spots of a town, and stands for seven minutes at four others."""
    r = T.rng
    passes = [T.place("W%02d" % i, 170 * i, 35) for i in range(12)]
    stops = [T.place("E%d" % i, 2300 + 320 * i, 15, n=6) for i in range(4)]
    p = Path(MON + 10 * H, -400, 0).to(2200, 0, 1.2)
    for i in range(4):
        p.to(2300 + 320 * i, 0, 1.2).stay(7 * M)
    p.to(4000, 0, 1.2)
    T.sample(p, Noise(r, 5, 60), 6)
    T.wanted(p, passes, "walks past", lo=1, hi=4)
    for k in stops:
        T.wanted(p, k, "stands for seven minutes")


def _views(T, noise, v, every, stay, noacc=False):
    ks = [T.place("V%d" % i, 4500 * (i + 1) + 10, 30) for i in range(5)]
    for i in range(5):
        T.place("R%d" % i, 4500 * i + 2200, 25)
    p = Path(MON + 10 * H, -600, 0)
    for i in range(5):
        brake(p, 4500 * (i + 1), v, 1.5).stay(T.rng.uniform(*stay))
        accel(p, v, 1.5)
    p.to(26000, 0, v)
    T.sample(p, noise, every, noacc=noacc)
    for k in ks:
        T.wanted(p, k, "stops to look")


@kind
def scooter_views_1hz(T):
    _views(T, open_sky(T.rng), 12, 1, (60, 90))


@kind
def car_views_no_speed(T):
    _views(T, open_sky(T.rng, speed=False), 20, 5, (65, 95))


@kind
def car_views_10s_bare(T):
    _views(T, open_sky(T.rng, speed=False), 18, 10, (75, 100), True)


@kind
def lights_and_jam_bare(T):
    """Red lights of 25-80 s in a town with a spot at each; bare positions each 5 s, smooth braking."""
    r = T.rng
    p = Path(MON + 17 * H, -900, 0)
    for i in range(9):
        T.place("L%d" % i, 600 * i + 15, 25)
        brake(p, 600 * i, 13).stay(r.uniform(25, 80))
        accel(p, 13)
    p.to(7000, 0, 13)
    T.sample(p, Noise(r, 5, 50, speed=False), 5, noacc=True)


@kind
def crossing_lights_speed(T):
    """The same with speed and a fix a second."""
    r = T.rng
    p = Path(MON + 17 * H, -900, 0)
    for i in range(7):
        T.place("L%d" % i, 750 * i + 15, 25)
        brake(p, 750 * i, 15).stay(r.uniform(20, 75))
        accel(p, 15)
    p.to(7000, 0, 15)
    T.sample(p, open_sky(r), 1)


@kind
def playground_two_clusters(T):
    """A playground with photos at both ends, visited on days 0, 3, 5, 8, 10."""
    a, b = T.place("A", -35, 30, n=5), T.place("B", 35, 30, n=4)
    p = Path(MON + 8 * H, -2500, 0)
    for i, d in enumerate((0, 3, 5, 8, 10)):
        end = -30 if i % 2 else 30
        p.until(MON + d * DAY + 15 * H + T.rng.uniform(0, 3000)).to(end, 0, 1.3)
        p.stay(50 * M).to(-2500, 0, 1.3)
    T.sample(p, Noise(T.rng, 8, 60), 30, keep=lambda t: p.at(t)[0] > -2400)
    T.wanted(p, [a, b], "first", t1=MON + DAY)
    T.tolerated([a, b], "second", t0=MON + DAY, t1=MON + 4 * DAY)


@kind
def crumbs_in_a_row(T):
    """A viewpoint of five spots within 40 m; passes the single photos first."""
    ks = [T.place("C%d" % i, -40 + 18 * i, 8, n=n, spread=1.5) for i, n in enumerate((1, 1, 37, 1, 1))]
    p = Path(MON + 10 * H, -700, 0).to(-5, 0, 1.3).stay(12 * M).to(700, 0, 1.3)
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, ks, "the viewpoint")


@kind
def bike_bare_22(T):
    """A bicycle at 18-22 km/h, bare positions each 5 s, slower uphill, past six spots."""
    r = T.rng
    ks = [T.place("B%d" % i, 2200 * i, r.uniform(-35, 35)) for i in range(6)]
    p = Path(MON + 9 * H, -1500, 0)
    while p.k[-1][1] < 12500:
        p.to(p.k[-1][1] + r.uniform(200, 500), 0, r.uniform(4.4, 6.2))
    T.sample(p, open_sky(r, speed=False), 5, noacc=True)
    for k in ks:
        T.wanted(p, k, "rides by bicycle")


@kind
def bike_no_speed_1hz(T):
    """A bicycle computer at 1 Hz with accuracy, without speed; lights on the way."""
    r = T.rng
    ks = [T.place("B%d" % i, 2400 * i + 700, r.uniform(-35, 35)) for i in range(5)]
    p = Path(MON + 9 * H, -1500, 0)
    for i in range(6):
        p.to(2400 * i, 0, r.uniform(4.8, 6)).stay(r.uniform(15, 40))
    p.to(12500, 0, 5)
    T.sample(p, open_sky(r, speed=False), 1)
    for k in ks:
        T.wanted(p, k, "rides by bicycle")


@kind
def bike_30s_bare(T):
    """A bicycle tour logged each 30 s without speed and accuracy."""
    r = T.rng
    ks = [T.place("B%d" % i, 2500 * i, r.uniform(-30, 30)) for i in range(5)]
    p = Path(MON + 9 * H, -2500, 0)
    while p.k[-1][1] < 12000:
        p.to(p.k[-1][1] + r.uniform(300, 700), 0, r.uniform(4, 5.2))
    T.sample(p, open_sky(r, speed=False), 30, noacc=True)
    for k in ks:
        T.wanted(p, k, "rides by bicycle")


@kind
def walk_20s_bare(T):
    ks = [T.place("K%d" % i, 1300 * i, T.rng.uniform(-30, 30)) for i in range(4)]
    p = Path(MON + 9 * H, -800, 0).to(4600, 0, 1.3)
    T.sample(p, Noise(T.rng, 7, 60, speed=False), 20, noacc=True)
    for k in ks:
        T.wanted(p, k, "walks past")


@kind
def run_10s_bare(T):
    ks = [T.place("K%d" % i, 2100 * i, T.rng.uniform(-30, 30)) for i in range(4)]
    p = Path(MON + 9 * H, -1500, 0).to(8000, 0, 3.4)
    T.sample(p, Noise(T.rng, 5, 60, speed=False), 10, noacc=True)
    for k in ks:
        T.wanted(p, k, "runs past")


@kind
def bus_bare_alight(T):
    """A bus with stops, bare positions each 10 s; gets off and walks to the spot."""
    p = Path(MON + 8 * H, -1000, 0)
    for i in range(10):
        brake(p, 500 * i, 10).stay(T.rng.uniform(12, 35))
        if i % 3 == 1:
            T.place("B%d" % i, 500 * i + 15, 30)
        if i < 9:
            accel(p, 10)
    s = T.place("S", 4500 + 60, 170)
    a = p.t
    p.to(4540, 130, 1.2).stay(11 * M).to(4540, 700, 1.3)
    T.sample(p, Noise(T.rng, 6, 50, speed=False), 10, noacc=True)
    T.wanted(p, s, "gets off", t0=a)


@kind
def motorway_fuel(T):
    """A motorway at 120 km/h, a fuel stop of nine minutes beside a spot, and on."""
    s = T.place("S", 0, 30)
    for i in range(6):
        T.place("R%d" % i, -15000 + 5000 * i + 2500, 40)
    p = Path(MON + 10 * H, -18000, 0)
    brake(p, -300, 33).to(0, 0, 6).stay(9 * M)
    accel(p, 33).to(20000, 0, 33)
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, s, "nine minutes")


@kind
def train_5min_station(T):
    """Regional trains stand five minutes at one station, 30-90 s at others; spots at each."""
    r = T.rng
    p = Path(MON + 8 * H, -6000, 0)
    for i in range(5):
        T.place("S%d" % i, 6000 * i + 20, 60)
        brake(p, 6000 * i, 25, 0.7).stay(300 if i == 2 else r.uniform(30, 90))
        accel(p, 25, 0.7)
    p.to(30000, 0, 25)
    T.sample(p, open_sky(r), 4)


@kind
def first_red_light_long(T):
    """The first red light of a drive lasts 65-85 s, beside a spot."""
    T.place("S", 15, 25)
    p = Path(MON + 17 * H, -3000, 0).stay(5 * M).to(-2900, 0, 4)
    brake(p, 0, 13).stay(T.rng.uniform(65, 85))
    accel(p, 13).to(4000, 0, 13)
    T.sample(p, Noise(T.rng, 5, 60), 3)


@kind
def jam_crawl(T):
    """A jam: stands 20-70 s and crawls 40-100 m, for twenty minutes, past three spots."""
    r = T.rng
    p = Path(MON + 17 * H, -4000, 0).to(0, 0, 25)
    while p.t < MON + 17.4 * H:
        p.stay(r.uniform(20, 70)).to(p.k[-1][1] + r.uniform(40, 100), 0, r.uniform(1.5, 4))
    x = p.k[-1][1]
    for i in range(3):
        T.place("S%d" % i, x * (i + 1) / 4, 40)
    p.to(x + 6000, 0, 28)
    T.tolerated(list(T.places), "cannot be told from walking", hi=1)
    T.sample(p, Noise(r, 5, 60), 5)


@kind
def evening_arrival_then_day(T):
    """Arrives at a hotel near a square in the evening; walks to the square the next morning."""
    s, h = T.place("S", 0, 20, n=12), T.place("Hotel", 420, 30)
    p = Path(MON + 19 * H, 9000, 0).to(450, 0, 14).to(420, 0, 2).stay(20).until(MON + DAY + 9 * H)
    p.to(0, 0, 1.2).stay(20 * M).to(-600, 0, 1.2)
    n, o = indoor(T.rng, 10), open_sky(T.rng)
    T.sample(p, lambda t, x, y, v, c: (n if v < 0.1 and x > 300 else o)(t, x, y, v, c), 20)
    T.wanted(p, h, "hotel", t1=MON + 22 * H)
    T.wanted(p, s, "square", t0=MON + DAY)


@kind
def owntracks_move_walk(T):
    """A phone that reports each 100 m, without speed, on a walk past three spots."""
    ks = [T.place("K%d" % i, 1500 * i, 30) for i in range(3)]
    p = Path(MON + 9 * H, -900, 0).to(4000, 0, 1.25)
    t, last = p.k[0][0], None
    w = Wifi(T.rng, 12, 45)
    while t < p.t:
        x, y, v, c = p.at(t)
        if last is None or abs(x - last) >= 100:
            nx, ny, acc, _, _ = w(t, x, y, v, c)
            T.add(t, nx, ny, acc)
            last = x
        t += 1
    for k in ks:
        T.wanted(p, k, "walks past")


@kind
def ferry_past_lighthouse(T):
    """A slow boat at 11 km/h past two spots, without speed."""
    ks = [T.place("K%d" % i, 1800 * i, 50) for i in range(2)]
    p = Path(MON + 9 * H, -1500, 0).to(3500, 0, 3)
    T.sample(p, open_sky(T.rng, speed=False), 10)
    for k in ks:
        T.wanted(p, k, "glides past")


@kind
def silence_after_entry(T):
    """The last fixes before an hour without any come 130 m from the spot; the walk went elsewhere."""
    T.place("S", 0, 20)
    p = Path(MON + 9 * H, -1200, 0).to(-135, 0, 1.2).to(-135, 900, 1.2).stay(1800)
    a = p.k[1][0]
    T.sample(p, open_sky(T.rng), 10, keep=lambda t: t < a + 2 or t > a + 1500)
