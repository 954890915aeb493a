#!/usr/bin/env python3
"""Makes glyphs.bin, the outlines of letters in the program.

    pip install fonttools==4.68.0
    FONTS=/usr/share/fonts/truetype/dejavu
    python3 Sources/System/CGlyphs/make-glyphs.py $FONTS/DejaVuSansCondensed-Bold.ttf

Source: DejaVu Sans Condensed Bold 2.37 (https://dejavu-fonts.github.io), from Debian's package
fonts-dejavu-extra. The same font results in the same file.

The file; all numbers are little-endian, i16 signed:

    8 bytes   "glyphs 1"
    u16 × 4   units per em; ascent; descent below the baseline; cap height
    u32 × 4   numbers of characters (c), glyphs (g) and kerning pairs (k); length of the outlines
    u16 × c   the characters, in order
    u16 × c   the glyph of each
    u16 × g   the advance of each glyph
    u32 × g   the offset of its outline
    u32 × k   kerning pairs of glyphs in order: left << 16 | right
    i16 × k   the kerning: the amount added to the advance between them
    outlines: u8 n: 0 for an empty glyph; 1–127 for n contours; from 128 for n − 128 components
        a contour: its number of points; a bit per point, lowest first, set if it is on the curve;
            the differences from point to point, x and y alternately, starting at 0, 0 in each glyph
        a component: u16 its glyph, i16 × 2 its offset
        numbers in contours are in groups of 7 bits, lowest first, bit 7 set if another follows;
            differences have their sign in bit 0

Contours are TrueType's: between two points off the curve there is an implied one on it, at their
midpoint. y points up.
"""
import pathlib
import struct
import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

# Latin, Greek and Cyrillic with their extensions, and the punctuation of names and captions.
RANGES = [
    (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x24F), (0x2B0, 0x2DD), (0x370, 0x3FF), (0x400, 0x482), (0x48A, 0x52F),
    (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x209C), (0x20A0, 0x20C0),
    (0x2100, 0x214F), (0x2190, 0x2193), (0x2212, 0x2212),
]
# The minimum kerning that is visible; smaller amounts are omitted.
LEAST_KERN = 24


def number(value):
    """Encodes a number in groups of seven bits."""
    groups = []
    while True:
        groups.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if value == 0:
            return bytes(groups)


def way(value):
    """Encodes a signed number, with its sign in bit 0."""
    return number(value << 1 if value >= 0 else -value << 1 | 1)


def is_plain(glyph):
    """Whether a composite glyph only moves its components."""
    return all(
        not hasattr(part, "transform") and hasattr(part, "x") and part.glyphName for part in glyph.components)


def simple(font, name):
    """A glyph with the contours of its components."""
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
