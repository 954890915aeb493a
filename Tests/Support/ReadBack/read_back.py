"""Reads an exported file with other programs' parsers, and writes what they find.

Usage: read_back.py READER FILE ANSWER

READER is csv or json (Python's modules, also for GeoJSON), xml (Python's ElementTree), gpxpy, or ogr (GDAL's ogr2ogr). ANSWER
becomes a JSON array of objects with the members latitude, longitude, name, time (to the second, as written, without its
offset) and note, all of them strings, in the order of the file. Exit status 3: the reader is not installed.
"""
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

MISSING = 3
GPX = '{http://www.topografix.com/GPX/1/1}'
KML = '{http://www.opengis.net/kml/2.2}'


def place(latitude, longitude, name, time='', note=''):
    """A place with numbers in one form: seven decimals."""
    moment = re.match(r'(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)', str(time or ''))
    return {
        'latitude': f'{float(latitude):.7f}', 'longitude': f'{float(longitude):.7f}',
        'name': name or '', 'time': '-'.join(moment.group(1, 2, 3)) + 'T' + moment.group(4) if moment else '',
        'note': note or ''}


def from_table(row):
    """A place from a line of one of the tables, of spots or of places."""
    if 'photoCount' in row:
        return place(row['latitude'], row['longitude'], row['id'], row['firstCaptured'], row.get('placeNotes'))
    return place(row['latitude'], row['longitude'], row['name'].removeprefix("'"), row['created'])


def from_members(members, latitude, longitude):
    """A place from the members of a JSON object or of a GeoJSON feature's properties."""
    if 'photoCount' in members:
        notes = members.get('place', {}).get('notes', [])
        name, time = members['id'], members.get('firstCaptured')
    else:
        notes = members.get('notes', [])
        name, time = members.get('name'), members.get('created', members.get('time'))
    return place(latitude, longitude, name, time, '\n'.join(note['text'] for note in notes))


def read_csv(path):
    with open(path, encoding='utf-8', newline='') as file:
        return [from_table(row) for row in csv.DictReader(file, strict=True)]


def read_json(path):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    if isinstance(document, list):
        return [from_members(row, row['latitude'], row['longitude']) for row in document]
    places = []
    for feature in document['features']:
        longitude, latitude = feature['geometry']['coordinates'][:2]
        places.append(from_members(feature['properties'], latitude, longitude))
    return places


def read_xml(path):
    root = tree.parse(path).getroot()
    if root.tag == GPX + 'gpx':
        return [
            place(point.get('lat'), point.get('lon'), point.findtext(GPX + 'name'),
                  point.findtext(GPX + 'time'), point.findtext(GPX + 'desc'))
            for kind in ('wpt', 'trkpt') for point in root.iter(GPX + kind)]
    places = []
    for mark in root.iter(KML + 'Placemark'):
        longitude, latitude = mark.findtext(f'{KML}Point/{KML}coordinates').split(',')
        time = mark.findtext(f'{KML}TimeSpan/{KML}begin') or mark.findtext(f'{KML}TimeStamp/{KML}when')
        places.append(place(
            latitude, longitude, mark.findtext(KML + 'name'), time, mark.findtext(KML + 'description')))
    return places


def read_gpxpy(path):
    try:
        import gpxpy
    except ImportError:
        sys.exit(MISSING)
    with open(path, encoding='utf-8') as file:
        document = gpxpy.parse(file)
    points = list(document.waypoints)
    for track in document.tracks:
        for segment in track.segments:
            points += segment.points
    return [place(point.latitude, point.longitude, point.name, point.time, getattr(point, 'description', ''))
            for point in points]


def read_ogr(path):
    if not shutil.which('ogr2ogr'):
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder) / 'tables'
        options = []
        if path.endswith('.csv'):
            options = ['-oo', 'X_POSSIBLE_NAMES=longitude', '-oo', 'Y_POSSIBLE_NAMES=latitude']
        layers = []
        if path.endswith('.gpx'):
            with open(path, encoding='utf-8') as file:
                layers = ['track_points' if '<trk>' in file.read() else 'waypoints']
        subprocess.run(
            ['ogr2ogr', '-f', 'CSV', str(tables), path, *layers, '-lco', 'GEOMETRY=AS_XY', *options],
            check=True, stdout=subprocess.DEVNULL)
        places = []
        for table in sorted(tables.iterdir()):
            with open(table, encoding='utf-8', newline='') as file:
                places += [from_ogr(row) for row in csv.DictReader(file)]
    return places


def from_ogr(row):
    """A place from a line that ogr2ogr wrote, whose fields depend on the format that it read."""
    fields = {name.lower(): value for name, value in row.items()}
    if 'photocount' in fields:
        name, note = fields['id'], fields.get('placenotes')
    else:
        name = (fields.get('name') or '').removeprefix("'")
        note = fields.get('desc') or fields.get('description')
    times = ('firstcaptured', 'created', 'time', 'begin', 'timestamp')
    time = next((fields[name] for name in times if fields.get(name)), '')
    return place(fields['y'], fields['x'], name, time, note)


def main():
    reader, path, answer = sys.argv[1:4]
    readers = {'csv': read_csv, 'json': read_json, 'xml': read_xml, 'gpxpy': read_gpxpy, 'ogr': read_ogr}
    places = readers[reader](path)
    pathlib.Path(answer).write_text(json.dumps(places, ensure_ascii=False), encoding='utf-8')


main()
