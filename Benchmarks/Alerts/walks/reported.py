"""Walks made from complaints about alerts: driving speeds, jumps, echoes of streets, pauses, habits."""

import math

from walks.making import (
    DAY, H, M, MON, Noise, Path, Wifi, indoor, open_sky, registry,
)

ALL, kind = registry()


@kind
def bare_start_60(T):
    for i in range(20):
        T.place("S%02d" % i, 180 + 500 * i, T.rng.uniform(-40, 40))
    p = Path(MON + 9 * H, 0, 0).stay(10 * M).to(60, 0, 6).to(10500, 0, 16.7)
    T.sample(p, open_sky(T.rng, speed=False), 1, noacc=True)


@kind
def drive_past_then_visit(T):
    s = T.place("S", 0, 20)
    p = (
        Path(MON + 9 * H, -4000, 0)
        .to(4000, 0, 11)
        .until(MON + 2 * DAY + 10 * H)
        .to(700, 0, 11)
        .to(0, 0, 1.3)
        .stay(10 * M)
        .to(700, 0, 1.3)
    )
    T.sample(p, open_sky(T.rng), 5, keep=lambda t: p.at(t)[2] > 0.5 or t > MON + 2 * DAY)
    T.wanted(p, s, "visit", t0=MON + 2 * DAY)


@kind
def tram_then_walk(T):
    ks = [T.place("S%d" % i, 900 * i + 30, 25) for i in range(8)]
    p = Path(MON + 9 * H, -500, 0)
    for i in range(9):
        p.to(900 * i, 0, 10).stay(T.rng.uniform(15, 30))
    a = p.t
    p.until(MON + 4 * DAY + 10 * H).to(3800, 0, 8).stay(60).to(3600, 10, 1.3).stay(8 * M).to(
        1800, 10, 1.3
    ).stay(6 * M).to(1200, 10, 1.3)
    T.sample(p, Noise(T.rng, 6, 50), 4, keep=lambda t: t < a or t > MON + 4 * DAY + 10 * H)
    T.wanted(p, "S4", "stands", t0=MON + 3 * DAY)
    T.wanted(p, "S2", "stands", t0=MON + 3 * DAY)
    T.wanted(p, "S3", "passes", t0=MON + 3 * DAY, lo=0)


@kind
def jumps_held(T):
    for i in range(7):
        T.place(
            "J%d" % i,
            (1000 * (1 + 4 * i)) * math.cos(i * 2.1),
            (1000 * (1 + 4 * i)) * math.sin(i * 2.1),
        )
    p = Path(MON + 9 * H, 0, 0).stay(10 * H)
    T.sample(p, indoor(T.rng, 12), 20)
    for i in range(7):
        x, y = T.places["J%d" % i]
        t = MON + 10 * H + i * 4500
        d = T.rng.uniform(180, 540)
        for f in T.fixes:
            if t <= f["t"] < t + d:
                f["lat"], f["lon"] = [
                    round(v, 7) for v in T.f.ll(x + T.rng.gauss(0, 15), y + T.rng.gauss(0, 15))
                ]
                f["acc"] = 35.0


@kind
def multipath_street(T):
    s = T.place("S", 300, 10, n=5)
    [T.place("D%d" % i, -500 + i * 260, (150 + 10 * i) * (-1) ** i) for i in range(6)]
    p = Path(MON + 9 * H, -900, 0).to(900, 0, 1.25)
    T.sample(p, Noise(T.rng, 9, 40, bursts=(90, 20, 60, 220)), 2)
    T.wanted(p, s, "walked past")


@kind
def multipath_street_bare(T):
    s = T.place("S", 300, 10, n=5)
    [T.place("D%d" % i, -500 + i * 260, (150 + 10 * i) * (-1) ** i) for i in range(6)]
    p = Path(MON + 9 * H, -900, 0).to(900, 0, 1.25)
    T.sample(p, Noise(T.rng, 9, 40, bursts=(120, 25, 60, 200), speed=False), 5)
    T.wanted(p, s, "walked past")


@kind
def stop_after_pass(T):
    a, b = T.place("A", 0, 20), T.place("B", 320, 20, n=9)
    p = Path(MON + 10 * H, -600, 0).to(320, 10, 1.2).stay(12 * M).to(900, 0, 1.2)
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, a, "passes")
    T.wanted(p, b, "stands twelve minutes")


@kind
def afternoon_stops(T):
    r = T.rng
    ks = [
        T.place("C%02d" % i, r.uniform(-900, 900), r.uniform(-900, 900), n=r.choice([1, 2, 3]))
        for i in range(90)
    ]
    st = [T.place("E%d" % i, 3000 + 900 * i, 40, n=5) for i in range(4)]
    p = Path(MON + 9 * H, -800, -800)
    while p.t < MON + 15 * H:
        x, y = r.uniform(-900, 900), r.uniform(-900, 900)
        p.to(x, p.k[-1][2], 1.2).to(x, y, 1.2).stay(r.choice([1, 4]) * M)
    for i in range(4):
        p.to(3000 + 900 * i, 20, 1.4).stay(9 * M)
    T.sample(p, Noise(r, 6, 60), 6)
    T.wanted(p, ks, "paced", lo=6, hi=24)
    for k in st:
        T.wanted(p, k, "stands there")


def _views(T, noise, v, every, noacc=False):
    ks = [T.place("V%d" % i, 5000 * (i + 1), 25) for i in range(4)]
    [T.place("R%d" % i, 5000 * i + 2500, 20) for i in range(5)]
    p = Path(MON + 10 * H, 0, 0)
    for i in range(4):
        p.to(5000 * (i + 1) - 60, 0, v).to(5000 * (i + 1), 5, 5).stay(T.rng.uniform(65, 95)).to(
            5000 * (i + 1) + 40, 0, 4
        )
    p.to(24000, 0, v)
    T.sample(p, noise, every, noacc=noacc)
    for k in ks:
        T.wanted(p, k, "gets off at a viewpoint")


@kind
def motorbike_views(T):
    _views(T, open_sky(T.rng), 20, 4)


@kind
def motorbike_views_bare(T):
    _views(T, open_sky(T.rng, speed=False), 20, 5, True)


@kind
def car_views(T):
    _views(T, Noise(T.rng, 5, 60), 15, 10)


@kind
def red_lights(T):
    p = Path(MON + 17 * H, -1000, 0)
    r = T.rng
    for i in range(8):
        T.place("L%d" % i, 700 * i + 15, 25)
        p.to(700 * i, 0, 13.5).stay(r.uniform(25, 85))
    p.to(7000, 0, 13.5)
    T.sample(p, Noise(r, 5, 50), 3)


@kind
def red_lights_bare(T):
    p = Path(MON + 17 * H, -1000, 0)
    r = T.rng
    for i in range(8):
        T.place("L%d" % i, 700 * i + 15, 25)
        p.to(700 * i, 0, 13.5).stay(r.uniform(25, 75))
    p.to(7000, 0, 13.5)
    T.sample(p, Noise(r, 5, 50, speed=False), 5, noacc=True)


@kind
def playground(T):
    s = T.place("S", 0, 45, n=6)
    p = Path(MON + 8 * H, -2500, 0)
    for i, d in enumerate((0, 2, 4, 7, 9, 12)):
        p.until(MON + d * DAY + 15 * H + T.rng.uniform(0, 3000)).to(0, 0, 1.3).stay(55 * M).to(
            -2500, 0, 1.3
        )
    T.sample(p, Noise(T.rng, 8, 60), 45, keep=lambda t: p.at(t)[0] > -2400)
    T.wanted(p, s, "first", t1=MON + DAY)
    T.tolerated(s, "second", t0=MON + DAY, t1=MON + 3 * DAY)


@kind
def viewpoint_crumbs(T):
    T.place("One", -24, 6, n=1)
    v = T.place("V", 0, 0, n=34, spread=1.5)
    w = T.place("W", 8, 18, n=11, spread=1.5)
    p = Path(MON + 10 * H, -600, 0).to(0, -5, 1.3).stay(15 * M).to(-600, 0, 1.3)
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, [v], "the viewpoint")


@kind
def hike_bare_30s(T):
    pts = [(600, 300), (1200, 1100), (2000, 1500), (2600, 2300), (3500, 2500), (4200, 3300)]
    ks = [T.place("K%d" % i, x + 15, y - 20, n=2 + i) for i, (x, y) in enumerate(pts)]
    p = Path(MON + 8 * H, 0, 0)
    for x, y in pts:
        p.to(x, y, 1.0).stay(T.rng.choice([0, 3, 10]) * M + 1)
    p.to(5200, 3300, 1.1)
    T.sample(p, Noise(T.rng, 7, 90, speed=False), 30, noacc=True)
    for k in ks:
        T.wanted(p, k, "on the hike")


@kind
def watch_1hz(T):
    s = T.place("S", 0, 35)
    p = Path(MON + 9 * H, -700, 0).to(700, 0, 1.5)
    T.sample(p, Noise(T.rng, 4, 30), 1)
    T.wanted(p, s, "walk")


@kind
def train_stations(T):
    p = Path(MON + 8 * H, -9000, 0)
    for i in range(5):
        x = 7000 * i
        T.place("S%d" % i, x + 20, 60)
        p.to(x - 900, 0, 30).to(x - 200, 0, 15).to(x, 0, 6).stay(T.rng.uniform(50, 240)).to(
            x + 250, 0, 8
        ).to(x + 900, 0, 18)
    p.to(36000, 0, 30)
    T.sample(p, open_sky(T.rng), 5)


@kind
def train_stations_bare(T):
    p = Path(MON + 8 * H, -9000, 0)
    for i in range(5):
        x = 7000 * i
        T.place("S%d" % i, x + 20, 60)
        p.to(x - 900, 0, 30).to(x - 200, 0, 15).to(x, 0, 6).stay(T.rng.uniform(50, 200)).to(
            x + 250, 0, 8
        ).to(x + 900, 0, 18)
    p.to(36000, 0, 30)
    T.sample(p, open_sky(T.rng, speed=False), 10)


@kind
def bus_long_alight(T):
    p = Path(MON + 8 * H, -1000, 0)
    for i in range(15):
        p.to(450 * i, 0, 9).stay(T.rng.uniform(12, 50))
        if i % 3 == 0 and i < 14:
            T.place("B%d" % i, 450 * i + 20, 30)
    s = T.place("S", 450 * 14 + 40, 130)
    p.to(450 * 14 + 30, 90, 1.2).stay(10 * M).to(450 * 14 + 30, 600, 1.3)
    T.sample(p, Noise(T.rng, 6, 50), 4)
    T.wanted(p, s, "gets off", t0=p.k[-4][0])


@kind
def bike_22(T):
    ks = [T.place("B%d" % i, 2000 * i, T.rng.uniform(-35, 35)) for i in range(5)]
    p = Path(MON + 9 * H, -1500, 0).to(10000, 0, 6.1)
    T.sample(p, open_sky(T.rng), 4)
    for k in ks:
        T.wanted(p, k, "rides by bicycle")


@kind
def bike_bare(T):
    ks = [T.place("B%d" % i, 2500 * i, T.rng.uniform(-35, 35)) for i in range(5)]
    p = Path(MON + 9 * H, -1500, 0).to(12000, 0, 5)
    T.sample(p, open_sky(T.rng, speed=False), 5, noacc=True)
    for k in ks:
        T.wanted(p, k, "rides by bicycle")


@kind
def dog_walk(T):
    ks = [T.place("S%d" % i, 600 * (i + 1), 25) for i in range(3)]
    p = Path(MON + 6 * H, 0, 0)
    for d in range(10):
        for h in (7, 18.5):
            p.until(MON + d * DAY + h * H + T.rng.uniform(0, 1200)).to(2400, 0, 1.2).to(
                2400, 400, 1.2
            ).to(0, 400, 1.2).to(0, 0, 1.2)
    T.sample(p, open_sky(T.rng), 10, keep=lambda t: p.at(t)[2] > 0.1)
    T.wanted(p, ks, "first day", t1=MON + DAY, lo=2, hi=3)
    T.tolerated(ks, "second day", t0=MON + DAY, t1=MON + 2 * DAY, hi=3)


@kind
def school_run(T):
    s = T.place("S", 0, 60)
    p = Path(MON + 7 * H, -3000, 0)
    for d in range(5):
        p.until(MON + d * DAY + 7.8 * H).to(0, 0, 10).stay(T.rng.uniform(150, 260)).to(
            5000, 0, 11
        ).until(MON + d * DAY + 13 * H).to(-3000, 0, 11)
    T.sample(p, Noise(T.rng, 5, 50), 5, keep=lambda t: -2900 < p.at(t)[0] < 4900)
    T.tolerated(s, "first days", t1=MON + 2 * DAY, hi=2)


@kind
def park_and_walk(T):
    s = T.place("S", 0, 20)
    p = (
        Path(MON + 11 * H, -9000, 300)
        .to(-300, 300, 18)
        .to(-280, 300, 3)
        .stay(90)
        .to(0, 0, 1.3)
        .stay(6 * M)
        .to(-280, 300, 1.3)
        .stay(60)
        .to(-9000, 300, 18)
    )
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, s, "walks to it")


@kind
def mixed_providers(T):
    s = T.place("S", 0, 25)
    p = Path(MON + 10 * H, -700, 0).to(0, 0, 1.3).stay(5 * M).to(700, 0, 1.3)
    g, w = open_sky(T.rng), Wifi(T.rng, 25, 80)
    n = [0]

    def mix(t, x, y, v, c):
        n[0] += 1
        return (g if n[0] % 3 else w)(t, x, y, v, c)

    T.sample(p, mix, 10)
    T.wanted(p, s, "visit")


@kind
def sparse_2min(T):
    s = T.place("S", 0, 25, n=4)
    p = Path(MON + 10 * H, -1500, 0).to(0, 0, 1.2).stay(8 * M).to(1500, 0, 1.2)
    T.sample(p, open_sky(T.rng, speed=False), 120, noacc=True)
    T.wanted(p, s, "eight minutes there")


@kind
def one_fix_visit(T):
    s = T.place("S", 0, 20)
    p = (
        Path(MON + 9 * H, -9000, 0)
        .to(-400, 0, 12)
        .to(0, 0, 1.4)
        .stay(75 * M)
        .to(-400, 0, 1.4)
        .to(-9000, 0, 12)
    )
    for f in (0.1, 0.3, 0.5, 0.7, 0.9):
        t = p.k[0][0] + f * (p.k[1][0] - p.k[0][0])
        x, y, _, _ = p.at(t)
        T.add(t, x + T.rng.gauss(0, 30), y + T.rng.gauss(0, 30), 50)
    T.add(p.k[2][0] + T.rng.uniform(10, 200), T.rng.gauss(0, 20), T.rng.gauss(0, 20), 50)
    for dt in (330, 450, 600):
        t = p.k[3][0] + dt
        x, y, _, _ = p.at(t)
        T.add(t, x + T.rng.gauss(0, 30), y + T.rng.gauss(0, 30), 50)
    T.wanted(p, s, "one fix tells")


@kind
def sigchange_train(T):
    for i in range(25):
        T.place("S%02d" % i, 1500 * i, T.rng.uniform(-60, 60))
    p = Path(MON + 9 * H, -1000, 0)
    for i in range(6):
        p.to(6000 * i + 3000, 0, 28).stay(100)
    t = p.k[0][0]
    while t < p.t:
        x, y, _, _ = p.at(t)
        T.add(t, x + T.rng.gauss(0, 40), y + T.rng.gauss(0, 40), T.rng.choice([35, 65, 100]))
        t += T.rng.uniform(50, 330)


@kind
def bus_tour(T):
    ks = [T.place("K%d" % i, 6000 * (i + 1) + 30, 60, n=8) for i in range(3)]
    [T.place("R%d" % i, 6000 * i + 3000, 20) for i in range(3)]
    p = Path(MON + 9 * H, 0, 0)
    for i in range(3):
        x = 6000 * (i + 1)
        p.to(x - 400, 0, 15).to(x, 0, 7).stay(60).to(x + 20, 40, 1).stay(10 * M).to(x, 0, 1).stay(
            2 * M
        )
    p.to(25000, 0, 15)
    T.sample(p, open_sky(T.rng), 5)
    for k in ks:
        T.wanted(p, k, "photo stop")


@kind
def switched_on_there(T):
    s = T.place("S", 0, 25)
    p = Path(MON + 10 * H, 0, 0).stay(4 * M).to(900, 0, 1.2)
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, s, "is there")


@kind
def poor_city_walk(T):
    s = T.place("S", 0, 20)
    T.place("D", -350, 175)
    p = Path(MON + 10 * H, -800, 0).to(800, 0, 1.3)
    T.sample(p, Noise(T.rng, 16, 60, acc=lambda r: r.uniform(20, 50), speed=False), 6)
    T.wanted(p, s, "walk")


@kind
def gas_station(T):
    s = T.place("S", 0, 50)
    p = (
        Path(MON + 10 * H, -9000, 0)
        .to(-50, 0, 20)
        .to(0, 0, 4)
        .stay(5 * M)
        .to(50, 0, 4)
        .to(9000, 0, 20)
    )
    T.sample(p, open_sky(T.rng), 5)
    T.tolerated(s, "five minutes beside it")


@kind
def jam_then_park(T):
    for i in range(6):
        T.place("J%d" % i, -1500 + 300 * i, 25)
    s = T.place("S", 1500, 30)
    p = Path(MON + 17 * H, -6000, 0).to(-2000, 0, 16)
    while p.k[-1][1] < 300:
        p.to(p.k[-1][1] + T.rng.uniform(20, 60), 0, T.rng.uniform(3, 8)).stay(T.rng.uniform(3, 25))
    p.to(1450, 0, 13).to(1500, 5, 3).stay(15 * M)
    T.sample(p, Noise(T.rng, 5, 50), 3)
    T.wanted(p, s, "parks")
    for i in range(6):
        T.tolerated("J%d" % i, "crawling")


@kind
def two_towns_weekend(T):
    r = T.rng
    towns = [(0, 0), (40000, 0)]
    ks = [
        [
            T.place(
                "T%d_%02d" % (i, j),
                tx + r.uniform(-600, 600),
                r.uniform(-600, 600),
                n=r.choice([1, 2, 4, 8]),
            )
            for j in range(25)
        ]
        for i, (tx, _) in enumerate(towns)
    ]
    p = Path(MON + 8 * H, -700, -700)
    for d in (0, 1):
        tx = towns[d][0]
        p.to(tx - 800, -800, 20).until(MON + d * DAY + 10 * H)
        while p.t < MON + d * DAY + 16 * H:
            x, y = tx + r.uniform(-550, 550), r.uniform(-550, 550)
            p.to(x, p.k[-1][2], 1.1).to(x, y, 1.1).stay(r.choice([2, 5, 15, 30]) * M)
        p.to(tx - 800, -800, 1.2).until(MON + d * DAY + 22 * H)
    T.sample(p, Noise(r, 7, 60), 15)
    for d in (0, 1):
        T.wanted(p, ks[d], "day", lo=3, hi=12, t0=MON + d * DAY, t1=MON + (d + 1) * DAY)


@kind
def beach_holiday(T):
    h, b, o = (
        T.place("Hotel", 60, 20, n=9),
        T.place("Beach", 800, 100, n=5),
        T.place("Old", 300, -2500, n=7),
    )
    p = Path(MON + 14 * H, -3000, 0).to(0, 0, 9).stay(3 * H)
    for d in range(1, 6):
        p.until(MON + d * DAY + 10 * H).to(800, 80, 1.2).until(MON + d * DAY + 16 * H).to(0, 0, 1.2)
        if d == 3:
            p.until(MON + d * DAY + 18 * H).to(300, -2450, 1.3).stay(H).to(0, 0, 1.3)
    p.until(MON + 6 * DAY)
    T.sample(p, indoor(T.rng, 14), 90)
    T.wanted(p, h, "arrival", t1=MON + DAY)
    T.wanted(p, b, "beach", t1=MON + 2 * DAY)
    T.wanted(p, o, "old town", t0=MON + 3 * DAY)
    T.tolerated([h, b], "second day", t0=MON + DAY, t1=MON + 3 * DAY, hi=2)


@kind
def commuter_new_cafe(T):
    T.place("Way", 700, 20)
    s = T.place("S", 2000, 300, n=4)
    p = Path(MON + 7 * H, 0, 0)
    for d in range(8):
        if d % 7 > 4:
            continue
        p.until(MON + d * DAY + 8 * H).to(1500, 0, 1.3).until(MON + d * DAY + 17 * H)
        if d == 7:
            p.to(2000, 280, 1.3).stay(20 * M)
        p.to(0, 0, 1.3)
    T.sample(p, open_sky(T.rng), 12, keep=lambda t: p.at(t)[2] > 0.1 or t > MON + 7 * DAY)
    T.wanted(p, "Way", "first", t1=MON + DAY)
    T.tolerated("Way", "second", t0=MON + DAY, t1=MON + 2 * DAY)
    T.wanted(p, s, "new cafe", t0=MON + 7 * DAY)


@kind
def gondola(T):
    s = T.place("Mid", 500, 20)
    t = T.place("Top", 1600, 30, n=6)
    p = (
        Path(MON + 10 * H, -300, 0)
        .to(0, 0, 1.2)
        .stay(6 * M)
        .to(1500, 0, 5.5)
        .stay(60)
        .to(1600, 10, 1)
        .stay(20 * M)
    )
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, t, "top")
    T.tolerated(s, "from the cabin")


@kind
def silent_after(T):
    T.place("S", 0, 60)
    p = Path(MON + 10 * H, -400, 0).to(-150, 0, 1.3).to(400, 0, 7.5)
    t = T.place("U", 2000, 0)
    q = p.t
    p.to(1700, 0, 12).stay(60)
    T.sample(p, open_sky(T.rng), 10, keep=lambda t: t < q)
    T.tolerated("S", "a bicycle?")
