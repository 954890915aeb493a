"""Creates an album of drawn photos of one place over the years, and a camera's view of it.

Needs Pillow.
"""

import io
import math
import random

from PIL import Image, ImageDraw, ImageFilter, ImageOps

SIZE = (1200, 900)
PLACE = (43.46843, 11.88155)


def scene(seed, scale=1.4):
    """Draws a town, larger than a photo, so that a displaced camera still sees all of its view."""
    dice = random.Random(seed)
    width, height = (round(side * scale) for side in SIZE)
    image = Image.new("RGB", (width, height), (188, 205, 220))
    draw = ImageDraw.Draw(image)
    tone = lambda: tuple(dice.randint(30, 225) for _ in range(3))
    for _ in range(70):
        x, y = dice.uniform(0, width), dice.uniform(0.1, 0.7) * height
        w, h = dice.uniform(0.03, 0.14) * width, dice.uniform(0.05, 0.3) * height
        draw.rectangle((x, y, x + w, y + h), fill=tone())
        for _ in range(dice.randint(0, 6)):
            p, q = x + dice.uniform(0, w), y + dice.uniform(0, h)
            draw.rectangle((p, q, p + w / 8, q + h / 8), fill=tone())
    draw.rectangle((0, 0.75 * height, width, height), fill=(150, 96, 84))
    for _ in range(60):
        x, y = dice.uniform(0, width), dice.uniform(0.7, 1) * height
        radius = dice.uniform(0.005, 0.03) * width
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tone())
    return image.filter(ImageFilter.GaussianBlur(1.2))


def seen(image, size=SIZE, x=0.0, y=0.0, turn=0.0, zoom=1.0):
    """The center of a scene in a camera: rotated by degrees, zoomed, and shifted by widths."""
    angle = math.radians(turn)
    scale = SIZE[0] / size[0] / zoom
    a, b = math.cos(angle) * scale, math.sin(angle) * scale
    across, below = size[0] / 2 + x * size[0], size[1] / 2 + y * size[0]
    middle = (image.width / 2, image.height / 2)
    return image.transform(size, Image.AFFINE, (
        a, b, middle[0] - a * across - b * below, -b, a, middle[1] + b * across - a * below), Image.BICUBIC)


def write(folder, name, image, taken, favorite=False, place=PLACE, heading=None, caption=None):
    """Writes a photo with a time and a position in its EXIF metadata."""
    exif = Image.Exif()
    if caption:
        exif[0x010E] = caption
    exif[0x8769] = {0x9003: taken.replace("-", ":"), 0x9011: "+00:00"}
    degrees = lambda value: (abs(value), 0.0, 0.0)
    gps = {1: "N", 2: degrees(place[0]), 3: "E", 4: degrees(place[1])}
    if heading is not None:
        gps |= {16: "T", 17: float(heading)}
    exif[0x8825] = gps
    if favorite:
        exif[0x4746] = 5
    folder.mkdir(parents=True, exist_ok=True)
    image.save(folder / name, "JPEG", quality=90, exif=exif)


def make_album(folder):
    """Writes four photos of a spot: three of one view in different light, and one of another view.

    The cover is the photo of 2008.
    """
    town = scene(1)
    write(folder / "Arezzo", "1994.jpg", ImageOps.grayscale(seen(town, x=0.02)).convert("RGB"), "1994-08-14 11:00:00")
    write(folder / "Arezzo", "2008.jpg", seen(town), "2008-10-22 12:00:00", favorite=True, heading=135)
    write(folder / "Arezzo", "2016.jpg", seen(scene(9)), "2016-05-01 12:00:00")
    light = seen(town, x=-0.03, turn=1.5).point(lambda value: int(255 * (value / 255) ** 0.8))
    write(folder / "Arezzo", "2024.jpg", light, "2024-04-20 13:00:00")
    return folder


def camera_file(path, image):
    """Writes the video of Chromium's fake camera: motion JPEG with the same frame twice."""
    frame = io.BytesIO()
    image.save(frame, "JPEG", quality=92)
    path.write_bytes(frame.getvalue() * 2)
    return path
