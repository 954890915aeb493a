"""Walks made last, of other hobbies and vehicles."""

from walks.making import (
    DAY, H, M, MON, Noise, Path, Wifi, open_sky, registry,
)

ALL, kind = registry()


@kind
def golf(T):
    s, u = T.place("Tee", 0, 20, n=3), T.place("Hole9", 900, 400, n=2)
    p = Path(MON + 9 * H, -300, 0).to(0, 0, 1.2).stay(8 * M)
    for x, y in ((300, 100), (600, 200), (900, 390)):
        p.to(x, y, 1.1).stay(T.rng.uniform(4, 9) * M)
    p.to(0, 0, 1.3).stay(10 * M).to(-300, 0, 1.2)
    T.sample(p, open_sky(T.rng), 10)
    T.wanted(p, s, "tee", t1=MON + 10 * H)
    T.wanted(p, u, "hole")


@kind
def delivery_van(T):
    r = T.rng
    [
        T.place("D%02d" % i, r.uniform(-1500, 1500), r.choice([-600, 0, 600]) + r.uniform(-30, 30))
        for i in range(15)
    ]
    p = Path(MON + 9 * H, -2000, 0)
    while p.t < MON + 12 * H:
        x, y = r.uniform(-1500, 1500), r.choice([-600, 0, 600])
        p.to(x, p.k[-1][2], 10).to(x, y, 10).stay(r.uniform(40, 110))
    T.sample(p, Noise(r, 6, 50), 5)
    T.tolerated(list(T.places), "stands beside it", hi=4)


@kind
def theme_park(T):
    r = T.rng
    ks = [
        T.place("R%d" % i, r.uniform(-300, 300), r.uniform(-300, 300), n=r.choice([2, 5, 9]))
        for i in range(8)
    ]
    p = Path(MON + 10 * H, -700, 0)
    for i in range(8):
        x, y = r.uniform(-280, 280), r.uniform(-280, 280)
        p.to(x, y, 0.9).stay(r.uniform(8, 25) * M)
        if i % 2:
            p.via([(x + 60, y), (x + 60, y + 60), (x, y + 60), (x, y)], 11).stay(2 * M)
    p.to(-700, 0, 1.1)
    T.sample(p, Noise(r, 7, 60), 6)
    T.wanted(p, ks, "a day out", lo=2, hi=9)


@kind
def safari_jeep(T):
    ks = [T.place("A%d" % i, 2500 * (i + 1), 30, n=4) for i in range(4)]
    p = Path(MON + 7 * H, 0, 0)
    for i in range(4):
        p.to(2500 * (i + 1) - 150, 0, 9).to(2500 * (i + 1), 0, 3).stay(T.rng.uniform(5, 14) * M)
    p.to(12000, 0, 9)
    T.sample(p, open_sky(T.rng, speed=False), 15)
    for k in ks:
        T.wanted(p, k, "watches animals")


@kind
def overnight_train(T):
    p = Path(MON + 21 * H, -5000, 0)
    for i in range(6):
        x = 30000 * i
        T.place("N%d" % i, x + 40, 60)
        p.to(x - 600, 0, 38).to(x, 0, 12).stay(T.rng.uniform(120, 420))
        p.to(x + 600, 0, 12)
    p.to(200000, 0, 38)
    T.sample(p, Noise(T.rng, 8, 60), 20)


@kind
def island_scooter(T):
    ks = [T.place("B%d" % i, 4000 * (i + 1), 40, n=5) for i in range(3)]
    p = Path(MON + 10 * H, 0, 0)
    for i in range(3):
        p.to(4000 * (i + 1) - 40, 0, 11).to(4000 * (i + 1), 20, 1.2).stay(T.rng.uniform(15, 50) * M)
    p.to(0, 0, 11)
    T.sample(p, open_sky(T.rng), 6)
    for k in ks:
        T.wanted(p, k, "beach")


@kind
def shopping_street(T):
    r = T.rng
    ks = [T.place("S%d" % i, 110 * i, r.choice([-15, 15]), n=r.choice([1, 2, 6])) for i in range(9)]
    p = Path(MON + 14 * H, -300, 0)
    for i in range(9):
        p.to(110 * i, 0, 1)
        if r.random() < 0.5:
            p.to(110 * i, 20, 0.8).stay(r.uniform(4, 15) * M).to(110 * i, 0, 0.8)
    p.to(1400, 0, 1.2)
    T.sample(p, Noise(r, 11, 45), 7)
    T.wanted(p, ks, "shops", lo=2, hi=8)


@kind
def snowshoe(T):
    ks = [T.place("H%d" % i, 900 * (i + 1), 300 * i, n=3) for i in range(3)]
    p = Path(MON + 10 * H, 0, 0)
    for i in range(3):
        p.to(900 * (i + 1), 300 * i, 0.6).stay(T.rng.uniform(3, 12) * M)
    T.sample(p, Noise(T.rng, 9, 120), 20)
    for k in ks:
        T.wanted(p, k, "rests")


@kind
def tractor(T):
    s = T.place("Field", 100, 80, n=2)
    p = Path(MON + 8 * H, -800, 0)
    for i in range(12):
        p.to(300, 20 * i, 3.2).to(300, 20 * i + 10, 2).to(-300, 20 * i + 10, 3.2).to(
            -300, 20 * i + 20, 2
        )
    T.sample(p, open_sky(T.rng), 10)
    T.tolerated(s, "a field")


@kind
def coach_tour_hotels(T):
    p = Path(MON + 8 * H, -200, 0)
    for d in range(3):
        x = 90000 * (d + 1)
        h = T.place("H%d" % d, x + 60, 20, n=2)
        v = T.place("V%d" % d, x - 40000, 30, n=7)
        p.until(MON + d * DAY + 9 * H).to(x - 40000 - 50, 0, 22).stay(90).to(x - 40000, 10, 1).stay(
            25 * M
        ).to(x - 40000 - 50, 0, 1).stay(3 * M).to(x, 0, 22).stay(60).to(x + 30, 10, 1).until(
            MON + d * DAY + 22 * H
        )
        T.wanted(p, v, "photo stop", t0=MON + d * DAY + 9 * H)
        T.wanted(p, h, "hotel", t0=MON + d * DAY + 9 * H)
    T.sample(p, Noise(T.rng, 7, 60), 20)


@kind
def commuter_bike_rain(T):
    ks = [T.place("K%d" % i, 1500 * i + 700, 20) for i in range(3)]
    p = Path(MON + 7 * H, 0, 0)
    for d in range(8):
        if d % 7 > 4:
            continue
        p.until(MON + d * DAY + 7.5 * H)
        (p.to(4500, 0, 5.2) if d not in (2, 3) else p.to(4500, 0, 10.5))
        p.until(MON + d * DAY + 17 * H)
        (p.to(0, 0, 5.2) if d not in (2, 3) else p.to(0, 0, 10.5))
    T.sample(p, open_sky(T.rng), 5, keep=lambda t: p.at(t)[2] > 0.1)
    T.wanted(p, ks, "first ride", t1=MON + DAY, lo=1, hi=3)
    T.tolerated(ks, "second day", t0=MON + DAY, t1=MON + 2 * DAY, hi=3)


@kind
def lake_swim(T):
    s = T.place("Beach", 0, 30, n=6)
    p = (
        Path(MON + 13 * H, -900, 0)
        .to(0, 0, 1.2)
        .stay(20 * M)
        .to(120, 60, 0.7)
        .to(0, 0, 0.7)
        .stay(70 * M)
        .to(-900, 0, 1.2)
    )
    a = p.k[3][0]
    T.sample(p, Noise(T.rng, 8, 60), 20)
    T.wanted(p, s, "beach")


@kind
def phone_in_bag_wifi(T):
    s = T.place("S", 0, 30, n=3)
    p = Path(MON + 10 * H, -1200, 0).to(0, 0, 1.2).stay(14 * M).to(1200, 0, 1.2)
    T.sample(p, Wifi(T.rng, 20, 70), 45)
    T.wanted(p, s, "visit")


@kind
def car_bare_1min(T):
    for i in range(12):
        T.place("S%d" % i, 1500 * i + 400, 25)
    s = T.place("P", 18000, 30, n=3)
    p = Path(MON + 10 * H, 0, 0).to(17900, 0, 17).to(18000, 5, 4).stay(25 * M)
    T.sample(p, open_sky(T.rng, speed=False), 60, noacc=True)
    T.wanted(p, s, "parks there")
