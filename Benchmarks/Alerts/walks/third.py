"""Walks made after the second batch was seen: braking trains, jams, stairs of speed."""

import math

from walks.making import (
    DAY, H, M, MON, Noise, Path, accel, brake, indoor, open_sky, registry,
)

ALL, kind = registry()


@kind
def car_smooth_views(T):
    ks = [T.place("V%d" % i, 6000 * (i + 1) + 10, 20) for i in range(3)]
    [T.place("R%d" % i, 6000 * i + 3000, 20) for i in range(3)]
    p = Path(MON + 10 * H, 0, 0)
    for i in range(3):
        brake(p, 6000 * (i + 1), 22)
        p.stay(T.rng.uniform(75, 150))
        accel(p, 22)
    p.to(22000, 0, 22)
    T.sample(p, open_sky(T.rng), 5)
    for k in ks:
        T.wanted(p, k, "stops to look")


@kind
def city_drive_smooth(T):
    p = Path(MON + 10 * H, -1500, 0)
    r = T.rng
    for i in range(10):
        T.place("L%d" % i, 500 * i + 20, 25)
        brake(p, 500 * i, 13)
        p.stay(r.choice([8, 20, 45, 70]))
        accel(p, 13)
    p.to(7000, 0, 13)
    T.sample(p, Noise(r, 6, 50), 3)


@kind
def regional_train(T):
    p = Path(MON + 10 * H, -6000, 0)
    r = T.rng
    for i in range(5):
        T.place("S%d" % i, 5000 * i + 30, 50)
        brake(p, 5000 * i, 30, 0.7)
        p.stay(r.uniform(40, 130))
        accel(p, 30, 0.6)
    p.to(30000, 0, 30)
    T.sample(p, open_sky(r), 5)


@kind
def train_then_town(T):
    p = Path(MON + 10 * H, -9000, 0)
    r = T.rng
    T.place("Mid", -4000, 40)
    s = T.place("S", 250, 200, n=4)
    brake(p, 0, 33, 0.7)
    p.stay(40).to(30, 30, 1).to(250, 180, 1.3).stay(9 * M).to(600, 400, 1.3)
    T.sample(p, open_sky(r), 5)
    T.wanted(p, s, "walks there")


@kind
def car_park_search(T):
    s = T.place("S", 0, 30, n=3)
    p = Path(MON + 10 * H, -5000, 0).to(-500, 0, 14)
    for x, y in ((-60, 0), (-60, 150), (120, 150), (120, -20), (40, -20)):
        p.to(x, y, 5).stay(4)
    p.stay(8 * M).to(5, 10, 1.1).stay(5 * M)
    T.sample(p, Noise(T.rng, 6, 50), 4)
    T.wanted(p, s, "parks and walks")


@kind
def drive_through(T):
    s = T.place("S", 0, 30)
    p = Path(MON + 10 * H, -3000, 0).to(-40, 0, 13)
    for i in range(6):
        p.to(-40 + 12 * i, 0, 2).stay(T.rng.uniform(15, 45))
    p.to(3000, 0, 13)
    T.sample(p, Noise(T.rng, 5, 50), 4)
    T.tolerated(s, "minutes at the window")


@kind
def city_bike_stops(T):
    ks = [T.place("C%d" % i, 1900 * i + 900, 20) for i in range(5)]
    p = Path(MON + 10 * H, 0, 0)
    r = T.rng
    while p.k[-1][1] < 9800:
        p.to(p.k[-1][1] + r.uniform(150, 500), 0, r.uniform(4.2, 6)).stay(
            r.choice([0, 0, 12, 35]) + 0.1
        )
    T.sample(p, Noise(r, 6, 50), 4)
    for k in ks:
        T.wanted(p, k, "bicycle")


@kind
def ebike_fast(T):
    ks = [T.place("E%d" % i, 3000 * i + 1500, 20) for i in range(3)]
    p = Path(MON + 10 * H, 0, 0)
    while p.k[-1][1] < 9000:
        p.to(p.k[-1][1] + T.rng.uniform(150, 400), 0, T.rng.uniform(5, 7.4))
    T.sample(p, open_sky(T.rng), 4)
    for k in ks:
        T.tolerated(k, "e-bike")


@kind
def old_town_canyon(T):
    r = T.rng
    ks = [T.place("A%d" % i, 200 * i, r.choice([-12, 12]), n=r.choice([1, 3, 9])) for i in range(4)]
    [T.place("D%d" % i, 200 * i + 60, r.choice([-1, 1]) * r.uniform(150, 190)) for i in range(4)]
    p = Path(MON + 10 * H, -500, 0)
    for i in range(4):
        p.to(200 * i, 0, 1.1).stay(r.choice([3, 6]) * M)
    p.to(1200, 0, 1.2)
    T.sample(p, Noise(r, 10, 40, bursts=(120, 18, 40, 180)), 4)
    T.wanted(p, ks, "a street", lo=2, hi=4)


@kind
def weekend_cabin(T):
    s = T.place("S", 60, 20, n=8)
    p = Path(MON + 16 * H, -30000, 0)
    for d in (4, 11, 18):
        p.until(MON + d * DAY + 17 * H).to(-100, 0, 18).to(0, 0, 1).until(
            MON + (d + 2) * DAY + 16 * H
        ).to(-100, 0, 1).to(-30000, 0, 18)
    T.sample(p, indoor(T.rng, 12), 120, keep=lambda t: p.at(t)[0] > -29000)
    T.wanted(p, s, "first weekend", t1=MON + 6 * DAY)
    T.tolerated(s, "second", t0=MON + 11 * DAY, t1=MON + 13 * DAY)
    T.tolerated(s, "third", t0=MON + 18 * DAY, t1=MON + 20 * DAY)


@kind
def lunch_walks(T):
    ks = [T.place("K%d" % i, 300 * math.cos(i), 300 * math.sin(i) + 15, n=3) for i in range(5)]
    p = Path(MON + 8 * H, 0, 0)
    for d in range(5):
        x, y = 300 * math.cos(d), 300 * math.sin(d)
        p.until(MON + d * DAY + 12 * H).to(x, y, 1.3).stay(20 * M).to(0, 0, 1.3).until(
            MON + d * DAY + 17 * H
        ).to(0, -5000, 9).until(MON + (d + 1) * DAY + 8 * H).to(0, 0, 9)
    T.sample(p, Noise(T.rng, 8, 90), 30)
    for d in range(5):
        T.wanted(
            p, "K%d" % d, "lunch", t0=MON + d * DAY, t1=MON + (d + 1) * DAY, lo=1 if d < 3 else 0
        )
    T.tolerated(ks, "close by", hi=4)


@kind
def boat_harbour(T):
    h = T.place("Harbour", 0, 40, n=6)
    T.place("Buoy", 6000, 20)
    p = Path(MON + 9 * H, -300, 0).to(0, 0, 1.2).stay(15 * M).to(12000, 0, 9).stay(20 * M)
    T.sample(p, open_sky(T.rng), 10)
    T.wanted(p, h, "boards", t1=MON + 10 * H)


@kind
def hike_lunch_far(T):
    a, b, c = T.place("A", 2000, 20, n=2), T.place("B", 4000, 20, n=12), T.place("C", 6000, 60, n=1)
    p = Path(MON + 9 * H, 0, 0).to(4000, 0, 1.1).stay(40 * M).to(7000, 0, 1.2)
    T.sample(p, Noise(T.rng, 9, 120, speed=False), 60, noacc=True)
    for k in (a, b, c):
        T.wanted(p, k, "hike")


@kind
def phone_off_on(T):
    a, b = T.place("A", 0, 30), T.place("B", 3000, 30)
    p = Path(MON + 9 * H, -500, 0).to(0, 0, 1.2).stay(10 * M).to(3000, 0, 1.2).stay(15 * M)
    t1, t2 = p.k[2][0], p.k[3][0]
    T.sample(p, open_sky(T.rng), 8, keep=lambda t: t < t1 + 60 or t > t2 + 120)
    T.wanted(p, a, "first")
    T.wanted(p, b, "switched on there")


@kind
def wobbly_desk(T):
    s = T.place("S", 0, 125, n=3)
    p = Path(MON + 9 * H, 0, 0).stay(9 * H)
    T.sample(p, indoor(T.rng, 20), 60)
    T.tolerated(s, "by drift", hi=0)


@kind
def highway_jam_stop(T):
    T.place("S", 0, 40)
    p = (
        Path(MON + 9 * H, -12000, 0)
        .to(-400, 0, 32)
        .to(-100, 0, 8)
        .to(0, 0, 3)
        .stay(T.rng.uniform(100, 280))
        .to(200, 0, 3)
        .to(9000, 0, 32)
    )
    T.sample(p, open_sky(T.rng), 5)
