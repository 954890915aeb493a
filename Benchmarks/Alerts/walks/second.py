"""Walks made after the estimator was first tuned."""

from walks.making import (
    DAY, H, M, MON, Noise, Path, indoor, open_sky, registry,
)

ALL, kind = registry()


@kind
def stroller_slow(T):
    s, u = T.place("S", 0, 15), T.place("U", 700, -25)
    p = Path(MON + 10 * H, -400, 0).to(1100, 0, 0.7)
    T.sample(p, open_sky(T.rng), 10)
    T.wanted(p, s, "passes")
    T.wanted(p, u, "passes later")


@kind
def marathon(T):
    ks = [T.place("K%d" % i, 1800 * i + 900, 20) for i in range(8)]
    p = Path(MON + 9 * H, 0, 0).to(15000, 0, 3.3)
    T.sample(p, Noise(T.rng, 5, 40), 1)
    for k in ks:
        T.wanted(p, k, "runs past")


@kind
def ski_day(T):
    top, hut = T.place("Top", 0, 2000, n=6), T.place("Hut", 300, 900, n=4)
    p = Path(MON + 9 * H, 0, -200).to(0, 0, 1)
    for i in range(5):
        p.stay(4 * M).to(0, 1980, 4.5).stay((9 if i == 0 else 2) * M)
        if i == 2:
            p.to(300, 920, 11).stay(35 * M).to(0, 0, 11)
        else:
            p.via([(120, 1500), (-100, 1000), (80, 500), (0, 0)], 11)
    T.sample(p, open_sky(T.rng), 4)
    T.wanted(p, top, "first time on top", t1=MON + 12 * H)
    T.wanted(p, hut, "lunch")


@kind
def camping(T):
    s = T.place("S", 50, 30, n=7)
    p = Path(MON + 16 * H, -4000, 0).to(-60, 0, 9).to(0, 0, 2).stay(10 * M)
    for d in (1, 2):
        p.until(MON + d * DAY + 10 * H).to(1500, 900, 1.2).until(MON + d * DAY + 17 * H).to(
            0, 0, 1.2
        )
    p.until(MON + 3 * DAY + 9 * H).to(-4000, 0, 9)
    T.sample(p, Noise(T.rng, 6, 90), 60)
    T.wanted(p, s, "arrival", t1=MON + DAY)
    T.tolerated(s, "next evening", t0=MON + DAY + 16 * H, t1=MON + DAY + 20 * H)
    T.tolerated(s, "second evening", t0=MON + 2 * DAY + 16 * H, t1=MON + 2 * DAY + 20 * H)


@kind
def canal_boat(T):
    ks = [T.place("C%d" % i, 1500 * i + 500, 30) for i in range(4)]
    p = Path(MON + 10 * H, 0, 0).to(6500, 0, 2.2)
    T.sample(p, open_sky(T.rng), 8)
    for k in ks:
        T.wanted(p, k, "glides past")


@kind
def escooter(T):
    ks = [T.place("C%d" % i, 1400 * i + 700, 25) for i in range(4)]
    p = Path(MON + 10 * H, 0, 0).to(6000, 0, 5.5)
    T.sample(p, Noise(T.rng, 6, 50), 4)
    # Each 254 s, where alerts are five minutes apart.
    T.wanted(p, ks, "passes", lo=2, hi=4)


@kind
def gym_weekly(T):
    s = T.place("S", 40, 50)
    p = Path(MON + 7 * H, -5000, 0)
    for d in (0, 2, 4, 7, 9, 11):
        p.until(MON + d * DAY + 18 * H).to(-60, 0, 10).to(0, 0, 1.2).stay(70 * M).to(
            -60, 0, 1.2
        ).to(-5000, 0, 10)
    T.sample(p, indoor(T.rng, 14), 30, keep=lambda t: p.at(t)[0] > -4900)
    T.wanted(p, s, "first", t1=MON + DAY)
    T.tolerated(s, "second", t0=MON + DAY, t1=MON + 3 * DAY)


@kind
def mall(T):
    T.place("D1", 210, 60)
    s = T.place("S", 0, 0, n=3)
    p = Path(MON + 14 * H, -900, 0).to(-60, 0, 1.3)
    for i in range(10):
        p.to(T.rng.uniform(-50, 60), T.rng.uniform(-40, 40), 0.8).stay(T.rng.uniform(3, 12) * M)
    p.to(-900, 0, 1.3)
    T.sample(p, indoor(T.rng, 22), 15)
    T.wanted(p, s, "inside")


@kind
def taxi_shift(T):
    r = T.rng
    [
        T.place(
            "P%02d" % i,
            r.uniform(-3000, 3000),
            r.choice([-2000, -1000, 0, 1000, 2000]) + r.uniform(-40, 40),
        )
        for i in range(40)
    ]
    p = Path(MON + 8 * H, -3000, 0)
    while p.t < MON + 12 * H:
        x, y = r.uniform(-3000, 3000), r.choice([-2000, -1000, 0, 1000, 2000])
        x0 = p.k[-1][1]
        n = max(1, int(abs(x - x0) / 600))
        for i in range(n):
            p.to(x0 + (x - x0) * (i + 1) / n, p.k[-1][2], 12).stay(r.choice([0, 0, 15, 35]) + 0.1)
        p.to(x, y, 12).stay(r.uniform(15, 50))
    T.sample(p, Noise(r, 6, 50), 5)
    T.tolerated(list(T.places), "waits long", hi=2)


@kind
def highway_rest(T):
    [T.place("R%d" % i, 4000 * i, 25) for i in range(6)]
    s = T.place("S", 10000, 60, n=4)
    p = (
        Path(MON + 10 * H, -3000, 0)
        .to(9800, 0, 31)
        .to(10000, 30, 6)
        .stay(20 * M)
        .to(10200, 0, 8)
        .to(24000, 0, 31)
    )
    T.sample(p, open_sky(T.rng), 5)
    T.wanted(p, s, "twenty minutes")


@kind
def sunset(T):
    s = T.place("S", 0, 10, n=20)
    p = (
        Path(MON + 18 * H, -5000, 0)
        .to(-250, 0, 12)
        .to(-240, 0, 3)
        .stay(30)
        .to(0, 0, 1.1)
        .stay(45 * M)
        .to(-240, 0, 1.1)
        .stay(30)
        .to(-5000, 0, 12)
    )
    T.sample(p, open_sky(T.rng, speed=False), 10)
    T.wanted(p, s, "watches the sun")


@kind
def metro_hops(T):
    ks = []
    p = Path(MON + 10 * H, -300, 0)
    out = []
    for i in range(3):
        x = 4000 * i
        ks.append(T.place("M%d" % i, x + 150, 90))
        p.to(x, 0, 1.2).stay(60)
        a = p.t
        p.to(x + 150, 70, 1.2).stay(12 * M).to(x, 0, 1.2).stay(2 * M)
        b = p.t
        p.to(x + 4000 - 20, 0, 12)
        out.append((b, p.t))
    T.sample(p, Noise(T.rng, 7, 50), 5, keep=lambda t: not any(a + 20 < t < b + 10 for a, b in out))
    for k in ks:
        T.wanted(p, k, "walks there")


@kind
def phone_10min(T):
    s = T.place("S", 0, 25)
    p = Path(MON + 9 * H, -4000, 0).to(0, 0, 1.2).stay(50 * M).to(-4000, 0, 1.2)
    T.sample(p, Noise(T.rng, 10, 100, speed=False), 600)
    T.wanted(p, s, "fifty minutes")


@kind
def drive_10min_bare(T):
    for i in range(30):
        T.place("S%02d" % i, 2000 * i, T.rng.uniform(-60, 60))
    p = Path(MON + 9 * H, 0, 0).to(60000, 0, 22)
    T.sample(p, open_sky(T.rng, speed=False), 300, noacc=True)


@kind
def bus_bare_30s(T):
    for i in range(8):
        T.place("S%d" % i, 900 * i + 20, 30)
    p = Path(MON + 9 * H, -500, 0)
    for i in range(17):
        p.to(450 * i, 0, 9).stay(T.rng.uniform(10, 40))
    T.sample(p, open_sky(T.rng, speed=False), 30, noacc=True)


@kind
def suburban_rail(T):
    p = Path(MON + 8 * H, -1500, 0)
    for i in range(8):
        T.place("S%d" % i, 1800 * i + 30, 50)
        p.to(1800 * i - 150, 0, 17).to(1800 * i, 0, 8).stay(T.rng.uniform(25, 70)).to(
            1800 * i + 150, 0, 8
        )
    p.to(16000, 0, 17)
    T.sample(p, Noise(T.rng, 6, 50), 5)


@kind
def night_shift(T):
    s = T.place("S", 50, 60)
    p = Path(MON + 12 * H, -6000, 0)
    for d in range(5):
        p.until(MON + d * DAY + 21.5 * H).to(-100, 0, 11).to(0, 0, 1.3).until(
            MON + (d + 1) * DAY + 6 * H
        ).to(-100, 0, 1.3).to(-6000, 0, 11)
    T.sample(p, indoor(T.rng, 15), 90, keep=lambda t: p.at(t)[0] > -5900)
    T.tolerated(s, "first night", t1=MON + 1.5 * DAY)


@kind
def two_viewpoints(T):
    a, b = T.place("A", 0, 15, n=12), T.place("B", 450, 20, n=3)
    p = (
        Path(MON + 10 * H, -600, 0)
        .to(0, 0, 1.2)
        .stay(7 * M)
        .to(450, 0, 1.2)
        .stay(8 * M)
        .to(1000, 0, 1.2)
    )
    T.sample(p, open_sky(T.rng), 8)
    T.wanted(p, a, "stands")
    T.wanted(p, b, "stands")


@kind
def zoo(T):
    r = T.rng
    ks = [
        T.place("Z%d" % i, r.uniform(-250, 250), r.uniform(-250, 250), n=r.choice([1, 3, 7]))
        for i in range(14)
    ]
    p = Path(MON + 10 * H, -500, 0)
    for i in range(9):
        p.to(r.uniform(-240, 240), r.uniform(-240, 240), 0.9).stay(r.uniform(4, 20) * M)
    p.to(-500, 0, 1.2)
    T.sample(p, Noise(r, 7, 60), 8)
    T.wanted(p, ks, "a zoo", lo=2, hi=8)


@kind
def old_wifi_home(T):
    T.place("S", 5000, 100, n=5)
    p = Path(MON + 9 * H, 0, 0).stay(30 * H)
    T.sample(p, indoor(T.rng, 12), 60)
    r = T.rng
    i = 40
    while i < len(T.fixes) - 12:
        for f in T.fixes[i : i + r.randint(2, 8)]:
            f["lat"], f["lon"] = [
                round(v, 7) for v in T.f.ll(5000 + r.gauss(0, 12), 100 + r.gauss(0, 12))
            ]
            f["acc"] = 40.0
        i += r.randint(80, 300)


@kind
def drift_cafe_far(T):
    T.place("S", 0, 150)
    p = Path(MON + 13 * H, -600, 0).to(0, 0, 1.3).stay(4 * H).to(-600, 0, 1.3)
    T.sample(p, indoor(T.rng, 20), 30)


@kind
def picnic_after_bike(T):
    s = T.place("S", 0, 20, n=3)
    p = Path(MON + 12 * H, -6000, 0).to(0, 0, 6.4).stay(40 * M).to(6000, 0, 6.4)
    T.sample(p, open_sky(T.rng, speed=False), 10)
    T.wanted(p, s, "picnic")


@kind
def downhill_bike(T):
    ks = [T.place("D%d" % i, 3000 * (i + 1) + 700, 20) for i in range(3)]
    p = Path(MON + 12 * H, 0, 0)
    for i in range(3):
        p.to(3000 * i + 1500, 0, 4.5).to(3000 * i + 2300, 0, 10.5).to(3000 * i + 3700 + 700, 0, 4.8)
    p = Path(MON + 12 * H, 0, 0)
    for i in range(3):
        p.to(3000 * i + 2000, 0, 4.5).to(3000 * i + 3000, 0, 10.5).to(
            3000 * i + 4300 if i == 2 else 3000 * i + 3900, 0, 4.8
        )
    T.sample(p, open_sky(T.rng), 4)
    for k in ks:
        T.wanted(p, k, "bicycle after a descent")


@kind
def airport_pickup(T):
    s = T.place("S", 0, 50)
    p = (
        Path(MON + 10 * H, -8000, 0)
        .to(-300, 0, 22)
        .to(0, 0, 8)
        .stay(90)
        .to(300, 0, 8)
        .to(8000, 0, 22)
    )
    T.sample(p, open_sky(T.rng), 5)
    T.tolerated(s, "waits for a guest")


@kind
def level_crossing(T):
    T.place("S", 0, 30)
    p = Path(MON + 10 * H, -4000, 0).to(-20, 0, 14).stay(T.rng.uniform(60, 110)).to(4000, 0, 14)
    T.sample(p, open_sky(T.rng), 5)
    T.tolerated("S", "can't know after a minute or two")


@kind
def walk_with_gaps(T):
    s = T.place("S", 0, 20)
    p = Path(MON + 10 * H, -900, 0).to(0, 0, 1.3).stay(4 * M).to(900, 0, 1.3)
    q = p.k[1][0]
    T.sample(p, open_sky(T.rng), 5, keep=lambda t: not (q - 300 < t < q + 30))
    T.wanted(p, s, "visit after a gap")


@kind
def cemetery_sundays(T):
    s = T.place("S", 0, 40, n=3)
    p = Path(MON, -3000, 0)
    for d in (6, 13, 20, 27):
        p.until(MON + d * DAY + 15 * H).to(0, 0, 1.3).stay(30 * M).to(-3000, 0, 1.3)
    T.sample(p, Noise(T.rng, 7, 60), 20, keep=lambda t: p.at(t)[0] > -2900)
    T.wanted(p, s, "first", t1=MON + 7 * DAY)
    for d in (13, 20, 27):
        T.tolerated(s, "another Sunday", t0=MON + d * DAY, t1=MON + (d + 1) * DAY)


@kind
def festival(T):
    a, b = T.place("Stage", 0, 40, n=9), T.place("Gate", -260, 0, n=2)
    p = Path(MON + 14 * H, -900, 0).to(0, 0, 1.2)
    for i in range(12):
        p.to(T.rng.uniform(-120, 120), T.rng.uniform(-80, 80), 0.6).stay(T.rng.uniform(3, 25) * M)
    p.to(-900, 0, 1.3)
    T.sample(p, Noise(T.rng, 12, 60), 12)
    T.wanted(p, a, "festival")
    T.tolerated(b, "gate", hi=1)
