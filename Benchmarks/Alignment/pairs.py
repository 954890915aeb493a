"""Makes pairs of pictures with known displacements from real photos.

    pairs.py PHOTOS FOLDER [SEED]

PHOTOS is a folder of photos (JPEG; photos that are too small or nearly uniform are skipped).
Writes to FOLDER `pairs.json` and the grey pictures of each pair, whose longer side is 128 pixels
(`small.bin`), or 512 for ORB (`large.bin`). Needs Pillow and numpy.
"""

import io
import json
import math
import pathlib
import random
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageOps

SMALL, LARGE = 128, 512
WIDE = 1024  # the longer side of the scaled photos in pixels
VIEW = 0.72  # the share of a photo in the view; a displaced camera sees the rest


def photos(folder):
    """The usable photos with their paths, without duplicates by content."""
    seen, found = set(), []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg"):
            continue
        try:
            image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        except Exception:  # a file that is broken intentionally
            continue
        if min(image.size) < 480 or max(image.size) / min(image.size) > 2:
            continue
        tiny = np.asarray(image.convert("L").resize((16, 16), Image.BOX), float)
        if tiny.std() < 12:
            continue
        key = tuple((tiny > np.median(tiny)).ravel())
        if any(np.mean(np.array(key) != np.array(other)) < 0.15 for other in seen):
            continue
        seen.add(key)
        width = WIDE if image.width >= image.height else round(WIDE * image.width / image.height)
        found.append((path, image.resize((width, round(width * image.height / image.width)), Image.LANCZOS)))
    return found


def size_of(image, side):
    """The size of a photo's pictures, as computed by the page's `comparedSize`."""
    shape = image.width / image.height
    short = 4 * round(SMALL * max(0.5, min(shape, 1 / shape)) / 4) * side // SMALL
    return (side, short) if shape >= 1 else (short, side)


def view(image, size, turn=0.0, zoom=1.0, x=0.0, y=0.0, shear=None):
    """A camera's picture: the view turned clockwise, zoomed, and shifted by `x` and `y` widths.

    `shear(column, row)` returns an additional shift to the right, in widths, of a point of the
    *result*; both coordinates are in widths from the center.
    """
    width, height = size
    columns, rows = np.meshgrid((np.arange(width) + 0.5) / width - 0.5,
                                ((np.arange(height) + 0.5) - height / 2) / width)
    across, below = columns - x, rows - y
    if shear is not None:
        across = across - shear(columns, rows)
    angle = math.radians(turn)
    cosine, sine = math.cos(angle) / zoom, math.sin(angle) / zoom
    from_x = (cosine * across + sine * below) * VIEW * image.width + image.width / 2 - 0.5
    from_y = (-sine * across + cosine * below) * VIEW * image.width + image.height / 2 - 0.5
    pixels = np.asarray(image, np.float32)
    limit_x, limit_y = image.width - 1, image.height - 1
    from_x = np.abs(from_x)
    from_x = np.where(from_x > limit_x, 2 * limit_x - from_x, from_x).clip(0, limit_x - 0.001)
    from_y = np.abs(from_y)
    from_y = np.where(from_y > limit_y, 2 * limit_y - from_y, from_y).clip(0, limit_y - 0.001)
    left, top = from_x.astype(int), from_y.astype(int)
    fx, fy = (from_x - left)[..., None], (from_y - top)[..., None]
    mixed = (pixels[top, left] * (1 - fx) + pixels[top, left + 1] * fx) * (1 - fy) + (
        pixels[top + 1, left] * (1 - fx) + pixels[top + 1, left + 1] * fx) * fy
    return Image.fromarray(mixed.clip(0, 255).astype(np.uint8))


# Changes of a picture by years, seasons and hours.

def season(image, dice):
    hue, saturation, value = image.convert("HSV").split()
    shift = dice.randint(-40, 40)
    hue = hue.point(lambda one: (one + shift) % 256)
    image = Image.merge("HSV", (hue, saturation, value)).convert("RGB")
    draw = ImageDraw.Draw(image)
    pixels = np.asarray(image, int)
    # Leaves appear and disappear in the upper half.
    for _ in range(dice.randint(150, 600)):
        x, y = dice.randrange(image.width), dice.randrange(image.height // 2)
        radius = dice.uniform(0.003, 0.02) * image.width
        tone = tuple(int(one * dice.uniform(0.5, 1.5)) for one in pixels[y, x])
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tone)
    return image


def time_of_day(image, dice):
    array = np.asarray(image, np.float32) / 255
    array = array ** dice.uniform(0.5, 2.0)
    rows, columns = np.mgrid[0:image.height, 0:image.width]
    angle = dice.uniform(0, 2 * math.pi)
    place = (columns - image.width / 2) * math.cos(angle) + (rows - image.height / 2) * math.sin(angle)
    shade = 1 - dice.uniform(0.3, 0.6) / (1 + np.exp(-(place - dice.uniform(-0.2, 0.2) * image.width)
                                                     / (0.01 * image.width)))
    return Image.fromarray((array * shade[..., None] * 255).clip(0, 255).astype(np.uint8))


def people(image, dice, others):
    """Adds parts of other photos: upright ones as people, flat ones as parked cars."""
    image = image.copy()
    for _ in range(dice.randint(2, 6)):
        other = dice.choice(others)
        is_car = dice.random() < 0.4
        height = dice.uniform(0.12, 0.4) * image.height
        width = height * (dice.uniform(1.5, 2.4) if is_car else dice.uniform(0.3, 0.5))
        box = (int(width) + 2, int(height) + 2)
        x, y = dice.randrange(max(1, other.width - box[0])), dice.randrange(max(1, other.height - box[1]))
        part = other.crop((x, y, x + box[0], y + box[1]))
        mask = Image.new("L", box)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *box), min(box) * 0.4, fill=255)
        at = (dice.randrange(-box[0] // 2, image.width - box[0] // 2),
              int(image.height * dice.uniform(0.45, 1.0)) - box[1] // 2)
        image.paste(part, at, mask)
    return image


def jpeg(image, quality):
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return Image.open(io.BytesIO(buffer.getvalue())).convert("RGB")


def film(image, dice):
    """A black-and-white print: grainy, faded and blurred."""
    grey = ImageOps.grayscale(image).filter(ImageFilter.GaussianBlur(image.width / dice.uniform(400, 900)))
    array = np.asarray(grey, np.float32)
    noise = np.random.default_rng(dice.randrange(1 << 30)).normal(0, dice.uniform(4, 12), array.shape)
    faded = 40 + array * dice.uniform(0.55, 0.75) + noise
    return Image.merge("RGB", [Image.fromarray(faded.clip(0, 255).astype(np.uint8))] * 3)


def border(image, dice):
    """Adds a border of paper with straight, round or ragged edges, slightly rotated."""
    width, height = image.size
    tone = dice.choice([(250, 248, 240), (235, 222, 196), (18, 18, 20)])
    margin = dice.uniform(0.03, 0.09) * width
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    kind = dice.choice(["straight", "round", "ragged"])
    box = (margin, margin, width - margin, height - margin)
    if kind == "ragged":
        points = []
        for side in range(4):
            for step in range(40):
                t, wave = step / 40, margin * dice.uniform(-0.12, 0.12)
                corners = [(box[0] + t * (box[2] - box[0]), box[1] + wave),
                           (box[2] + wave, box[1] + t * (box[3] - box[1])),
                           (box[2] - t * (box[2] - box[0]), box[3] + wave),
                           (box[0] + wave, box[3] - t * (box[3] - box[1]))]
                points.append(corners[side])
        draw.polygon(points, fill=255)
    else:
        draw.rounded_rectangle(box, margin * (1.5 if kind == "round" else 0.05), fill=255)
    mask = mask.rotate(dice.uniform(-0.8, 0.8), Image.BILINEAR)
    paper = Image.new("RGB", image.size, tone)
    paper.paste(image, (0, 0), mask)
    return paper


def night(image, dice):
    array = np.asarray(image, np.float32) * dice.uniform(0.03, 0.07)
    noise = np.random.default_rng(dice.randrange(1 << 30)).normal(0, 7, array.shape[:2])
    grain = Image.fromarray((128 + 6 * noise).clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(2))
    array = array + 4 + (np.asarray(grain, np.float32)[..., None] - 128)
    return Image.fromarray(array.clip(0, 255).astype(np.uint8))


def fog(image, dice):
    array = np.asarray(image, np.float32)
    return Image.fromarray((200 + (array - 128) * dice.uniform(0.02, 0.05)).clip(0, 255).astype(np.uint8))


def repeated(size, dice):
    """A wall of equal windows."""
    image = Image.new("RGB", (WIDE, WIDE * size[1] // size[0]), (190, 180, 165))
    draw = ImageDraw.Draw(image)
    step = dice.choice([48, 64, 80])
    for y in range(-step, image.height + step, step):
        for x in range(-step, image.width + step, step):
            draw.rectangle((x, y, x + step * 0.5, y + step * 0.6), fill=(60, 62, 70))
    return image


def near_plane(kind, dice):
    """A function for the nearness of points, 0 to 1: of a ground, a plane, or a thing in front."""
    if kind == "ground":
        horizon = dice.uniform(-0.1, 0.1)
        return lambda columns, rows: np.clip((rows - horizon) / 0.35, 0, 1)
    if kind == "plane":
        horizon = dice.uniform(0.0, 0.15)
        return lambda columns, rows: (rows > horizon).astype(float)
    middle, half = dice.uniform(-0.25, 0.25), dice.uniform(0.12, 0.22)
    return lambda columns, rows: ((np.abs(columns - middle) < half) & (rows > -0.1)).astype(float)


def way_of(turn, zoom, x, y, size):
    """The mean displacement of the corners, in widths."""
    ways = []
    cosine, sine = zoom * math.cos(math.radians(turn)), zoom * math.sin(math.radians(turn))
    for p in (-0.5, 0.5):
        for q in (-0.5 * size[1] / size[0], 0.5 * size[1] / size[0]):
            ways.append(math.hypot(cosine * p - sine * q + x - p, sine * p + cosine * q + y - q))
    return sum(ways) / 4


def pose(dice, most):
    """A random displacement of up to `most` widths: of one kind, or of all kinds combined."""
    kind = dice.choice(["turn", "roll", "zoom", "all", "all"])
    size = most * dice.random() ** 1.3
    angle = dice.uniform(0, 2 * math.pi)
    shift = {"x": size * math.cos(angle), "y": size * math.sin(angle)}
    if kind == "turn":
        return kind, shift
    roll = dice.choice([-1, 1]) * math.degrees(size / 0.62)
    if kind == "roll":
        return kind, {"turn": roll}
    zoom = math.exp(dice.choice([-1, 1]) * size / 0.62)
    if kind == "zoom":
        return kind, {"zoom": zoom}
    return kind, {"x": shift["x"] * 0.6, "y": shift["y"] * 0.6, "turn": roll * 0.4, "zoom": zoom ** 0.4}


LOOKS = ["plain", "season", "time", "people", "crop", "border", "film", "jpeg", "all"]


def looked(image, look, dice, others):
    if look in ("season", "all"):
        image = season(image, dice)
    if look in ("time", "all"):
        image = time_of_day(image, dice)
    if look in ("people", "all"):
        image = people(image, dice, others)
    if look in ("film", "border"):
        image = film(image, dice) if look == "film" or dice.random() < 0.5 else image
    if look == "border":
        image = border(image, dice)
    if look in ("jpeg", "all"):
        image = jpeg(image, 40)
    return image


def main(source, folder, seed=1):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(int(seed))
    library = photos(source)
    images = [image for _, image in library]
    rows, small, large = [], open(folder / "small.bin", "wb"), open(folder / "large.bin", "wb")

    def grey(picture, size):
        """The grey pixels of a picture, cropped to its center for another shape."""
        return ImageOps.fit(picture, size, Image.BOX).convert("L").tobytes()

    def write(old, new, sizes, **row):
        row.update(number=len(rows), width=sizes[0][0], height=sizes[0][1],
                   largeWidth=sizes[1][0], largeHeight=sizes[1][1])
        for picture in (old, new):
            small.write(grey(picture, sizes[0]))
            large.write(grey(picture, sizes[1]))
        rows.append(row)

    for index, image in enumerate(images):
        others = [other for other in images if other is not image]
        sizes = (size_of(image, SMALL), size_of(image, LARGE))
        full = sizes[1]
        # The same view with a displacement, for each look.
        for look in LOOKS + ["plain", "all", "time"]:
            kind, by = pose(dice, 0.2)
            old, new = view(image, full), view(image, full, **by)
            if look == "crop":
                # The new picture is a crop: it shows a smaller part of the view, enlarged.
                part = dice.uniform(0.75, 0.95)
                by = {"turn": by.get("turn", 0), "zoom": by.get("zoom", 1) / part,
                      "x": by.get("x", 0), "y": by.get("y", 0)}
                new = view(image, full, **by)
            old_look = look in ("film", "border")
            old, new = (looked(old, look, dice, others), new) if old_look else (
                old, looked(new, look, dice, others))
            way = way_of(by.get("turn", 0), by.get("zoom", 1), by.get("x", 0), by.get("y", 0), full)
            write(old, new, sizes, photo=index, kind=kind, look=look, way=way, step=0, same=True,
                  turn=by.get("turn", 0), zoom=by.get("zoom", 1), x=by.get("x", 0), y=by.get("y", 0))
        # A step aside: near things move relative to far ones, at which the camera still points.
        for planes in ("ground", "plane", "thing"):
            step = dice.choice([-1, 1]) * dice.uniform(0.02, 0.1)
            near = near_plane(planes, dice)
            by = dice.choice([0, 0, dice.uniform(-0.05, 0.05)])
            new = view(image, full, x=by, shear=lambda columns, rows: step * near(columns, rows))
            look = dice.choice(["plain", "time", "jpeg"])
            new = looked(new, look, dice, others)
            aside, below = np.meshgrid(np.linspace(-0.5, 0.5, 64), np.linspace(-0.5, 0.5, 48)
                                       * full[1] / full[0])
            way = float(np.mean(np.abs(by + step * near(aside, below))))
            write(view(image, full), new, sizes, photo=index, kind="step", look=planes,
                  way=way, step=step, same=True, turn=0, zoom=1, x=by, y=0)
        # Pictures without enough information.
        for look, make in (("night", night), ("fog", fog)):
            kind, by = pose(dice, 0.1)
            write(view(image, full), make(view(image, full, **by), dice), sizes, photo=index, kind=kind,
                  look=look, way=way_of(by.get("turn", 0), by.get("zoom", 1), by.get("x", 0),
                                        by.get("y", 0), full),
                  step=0, same=True, turn=by.get("turn", 0), zoom=by.get("zoom", 1), x=by.get("x", 0),
                  y=by.get("y", 0))
        # Other views, some with a border.
        for other in dice.sample(others, min(8, len(others))):
            picture = view(other, size_of(other, LARGE))
            old = view(image, full)
            look = dice.choice(["plain", "plain", "border"])
            if look == "border":
                old, picture = border(old, dice), border(picture, dice)
            write(old, picture, sizes, photo=index, kind="other", look=look, way=None, step=0, same=False)
    for _ in range(24):
        size = (LARGE, 384)
        sizes = ((SMALL, 96), size)
        wall = repeated(size, dice)
        x = dice.uniform(-0.2, 0.2)
        write(view(wall, size), view(wall, size, x=x), sizes, photo=-1, kind="turn", look="repeated", way=abs(x),
              step=0, same=True, turn=0, zoom=1, x=x, y=0)
    names = [str(path.relative_to(source)) for path, _ in library]
    (folder / "pairs.json").write_text(json.dumps({"photos": names, "pairs": rows}))
    print(f"{len(rows)} pairs of {len(images)} photos, {sum(row['same'] for row in rows)} of the same view")


if __name__ == "__main__":
    main(*sys.argv[1:])
