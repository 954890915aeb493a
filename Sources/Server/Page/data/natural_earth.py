"""Reads the polygons of countries from Debian's package r-cran-rnaturalearthdata, without R.

The package has Natural Earth (naturalearthdata.com, public domain) as an R "lazy-load database": an
index of offsets (`.rdx`), and compressed, serialized objects (`.rdb`), which PyPI's rdata reads.
"""

import bz2
import gzip
import lzma
import pathlib
import subprocess
import tempfile
import zlib

import rdata

PACKAGE = "r-cran-rnaturalearthdata"
DATABASE = "usr/lib/R/site-library/rnaturalearthdata/data/Rdata"


def download(folder):
    """Downloads and unpacks the package into a folder, without installing it."""
    subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, check=True, capture_output=True)
    package = next(pathlib.Path(folder).glob(f"{PACKAGE}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)


def countries(*names):
    """The closed rings of each data set by name: lists of (longitude, latitude)."""
    with tempfile.TemporaryDirectory() as folder:
        download(folder)
        database = pathlib.Path(folder) / DATABASE
        index = rdata.conversion.convert(
            rdata.parser.parse_data(gzip.decompress(database.with_suffix(".rdx").read_bytes())))
        objects = database.with_suffix(".rdb").read_bytes()
        return {name: list(rings(load(objects, *map(int, index["variables"][name]))))
                for name in names}


def load(objects, offset, length):
    """Reads an object of the database: its size (big endian), compression letter and bytes."""
    chunk = objects[offset:offset + length]
    size, method, packed = int.from_bytes(chunk[:4], "big"), chunk[4:5], chunk[5:]
    if method == b"Z":
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 27}]
        raw = lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=filters).decompress(packed)
    elif method == b"2":
        raw = bz2.decompress(packed)
    else:
        raw = zlib.decompress(chunk[4:])
    return rdata.parser.parse_data(raw[:size]).object


def rings(countries_object):
    """All rings of a SpatialPolygonsDataFrame (package sp), both outlines and holes."""
    for country in slots(countries_object)["polygons"].value:
        for polygon in slots(country)["Polygons"].value:
            coordinates = slots(polygon)["coords"].value
            half = len(coordinates) // 2
            yield list(zip(coordinates[:half].tolist(), coordinates[half:].tolist()))


def slots(one):
    """The slots of an S4 object, which R stores as a linked list of attributes."""
    found, pair = {}, one.attributes
    while pair is not None and pair.info.type.name != "NILVALUE":
        tag = pair.tag.referenced_object or pair.tag
        found[tag.value.value.decode()] = pair.value[0]
        pair = pair.value[1]
    return found
