#!/usr/bin/env python3
"""Makes glyphs.bin, the outlines of letters that lie in the program.

    pip install fonttools==4.68.0
    python3 Sources/CGlyphs/make-glyphs.py /usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf

Source: DejaVu Sans Condensed Bold 2.37 (https://dejavu-fonts.github.io), as Debian's package fonts-dejavu-extra carries
it. The same font gives the same file.

The file, all numbers little-endian, i16 signed:

    8 bytes   "glyphs 1"
    u16 × 4   units an em; ascent; descent below the base line; height of capitals
    u32 × 4   how many characters (c), glyphs (g), kerned pairs (k); how long the outlines are
    u16 × c   the characters, in order
    u16 × c   the glyph of each
    u16 × g   the advance of each glyph
    u32 × g   where its outline begins
    u32 × k   pairs of glyphs in order: left << 16 | right
    i16 × k   what is added to the advance between them
    outlines: u8 n: 0 for an empty glyph; up to 127 for n contours; from 128 on for n − 128 other glyphs
        a contour: its number of points; a bit for each, the low ones first, set where it is on the curve; the way from
        point to point, x and y in turns, from 0, 0 at the beginning of the glyph
        another glyph: u16 its number, i16 × 2 where it is moved
        numbers of contours are in groups of 7 bits, the low ones first, bit 7 set where another follows; ways have
        their sign in bit 0

Contours are TrueType's: between two points off the curve lies one on it, in the middle. y goes up.
"""
import pathlib
import struct
import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

# Latin, Greek and Cyrillic with their extensions, and what names and captions are punctuated with.
RANGES = [
    (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x24F), (0x2B0, 0x2DD), (0x370, 0x3FF), (0x400, 0x482), (0x48A, 0x52F),
    (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x209C), (0x20A0, 0x20C0),
    (0x2100, 0x214F), (0x2190, 0x2193), (0x2212, 0x2212),
]
# Pairs are kerned where it is seen.
LEAST_KERN = 24


def number(value):
    """A number in groups of seven bits."""
    groups = []
    while True:
        groups.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if value == 0:
            return bytes(groups)


def way(value):
    """A signed number."""
    return number(value << 1 if value >= 0 else -value << 1 | 1)


def is_plain(glyph):
    """Whether a glyph of others only moves them."""
    return all(
        not hasattr(part, "transform") and hasattr(part, "x") and part.glyphName for part in glyph.components)


def simple(font, name):
    """A glyph with the contours of the ones it is made of."""
    glyphs = font.getGlyphSet()
    record = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(record)
    pen = TTGlyphPen(None)
    record.replay(pen)
    return pen.glyph()


def main():
    font = TTFont(sys.argv[1])
    characters = {code: name for code, name in font.getBestCmap().items()
                  if any(first <= code <= last for first, last in RANGES)}
    outlines = font["glyf"]
    names = sorted(set(characters.values()), key=font.getGlyphID)
    for name in names:
        glyph = outlines[name]
        if glyph.isComposite() and is_plain(glyph):
            names += [part.glyphName for part in glyph.components if part.glyphName not in names]
    place = {name: index for index, name in enumerate(names)}

    data, starts = bytearray(), []
    for name in names:
        starts.append(len(data))
        glyph = outlines[name]
        if glyph.isComposite() and is_plain(glyph):
            data.append(128 + len(glyph.components))
            for part in glyph.components:
                data += struct.pack("<Hhh", place[part.glyphName], part.x, part.y)
            continue
        if glyph.isComposite():
            glyph = simple(font, name)
        points, ends, flags = glyph.getCoordinates(outlines)
        data.append(len(ends))
        first, at = 0, (0, 0)
        for end in ends:
            count = end + 1 - first
            data += number(count)
            bits = sum((flags[first + index] & 1) << index for index in range(count))
            data += bits.to_bytes((count + 7) // 8, "little")
            for x, y in points[first:end + 1]:
                data += way(x - at[0]) + way(y - at[1])
                at = (x, y)
            first = end + 1

    pairs = {}
    for table in font["kern"].kernTables:
        for (left, right), amount in table.kernTable.items():
            if left in place and right in place and abs(amount) >= LEAST_KERN:
                pairs.setdefault(place[left] << 16 | place[right], amount)
    kerned = sorted(pairs)
    codes = sorted(characters)
    pack = lambda form, numbers: struct.pack(f"<{len(numbers)}{form}", *numbers)
    file = b"".join([
        b"glyphs 1",
        pack("H", [font["head"].unitsPerEm, font["hhea"].ascent, -font["hhea"].descent, outlines["H"].yMax]),
        pack("I", [len(codes), len(names), len(kerned), len(data)]),
        pack("H", codes), pack("H", [place[characters[code]] for code in codes]),
        pack("H", [font["hmtx"][name][0] for name in names]), pack("I", starts),
        pack("I", kerned), pack("h", [pairs[pair] for pair in kerned]), bytes(data),
    ])
    pathlib.Path(__file__).with_name("glyphs.bin").write_bytes(file)
    print(f"{len(codes)} characters, {len(names)} glyphs, {len(kerned)} kerned pairs, {len(file)} bytes")


main()
