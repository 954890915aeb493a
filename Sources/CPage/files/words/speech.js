// Turns a table of words into sentences, and numbers, distances and dates into what people read, in
// one language. Pure.

const dayMilliseconds = 86_400_000;

// A format of `Intl` takes milliseconds to make, and few are needed before the first picture.
function onceNeeded(make) {
  let made;
  return () => made ??= make();
}

/**
 * A language: `say` fills in the texts of a table, the rest writes values.
 *
 * - `table`: texts by name; `locale`: for numbers, dates and plurals, as `Intl` takes it.
 */
export function speech(table, locale) {
  const { NumberFormat, PluralRules, DateTimeFormat, RelativeTimeFormat, ListFormat } = Intl;
  const format = (Format, options) => onceNeeded(() => new Format(locale, options));
  const digits = (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count });
  const numbers = format(NumberFormat);
  const tenths = format(NumberFormat, digits(1));
  const plurals = format(PluralRules);
  const civilDay = format(DateTimeFormat, { dateStyle: "long", timeZone: "UTC" });
  const localDay = format(DateTimeFormat, { dateStyle: "full" });
  const clock = format(DateTimeFormat, { hour: "2-digit", minute: "2-digit" });
  const spans = format(RelativeTimeFormat, { numeric: "always" });
  const days = format(RelativeTimeFormat, { numeric: "auto" });
  const names = format(ListFormat, { type: "conjunction" });

  /** The text of a name, with values for its `{names}`; a `count` chooses the plural. */
  function say(name, values = {}) {
    const entry = table[name];
    if (entry === undefined) throw new RangeError(`no words for ${name}`);
    const text = typeof entry === "string" ? entry
      : entry[plurals().select(values.count)] ?? entry.other;
    return text.replace(/\{(\w+)\}/g, (_, key) => {
      const value = values[key];
      return typeof value === "number" ? numbers().format(value) : String(value ?? "");
    });
  }

  /** The text of the name `prefix.key`, or of `prefix.other` where there is none. */
  const sayKind = (prefix, key) =>
    say(`${prefix}.${key}` in table ? `${prefix}.${key}` : `${prefix}.other`);

  /**
   * A distance: steps of 5 m below 100 m, of 10 m below a kilometre, then tenths, then kilometres.
   */
  function distance(meters) {
    const five = Math.round(meters / 5) * 5;
    if (five < 100) return say("unit.meters", { value: five });
    const ten = Math.round(meters / 10) * 10;
    if (ten < 1000) return say("unit.meters", { value: ten });
    const kilometers = meters / 1000;
    const value = kilometers < 9.95 ? tenths().format(kilometers) : Math.round(kilometers);
    return say("unit.kilometers", { value });
  }

  /** A round length, as on the scale bar. */
  const length = (meters) => meters >= 1000
    ? say("unit.kilometers", { value: meters / 1000 })
    : say("unit.meters", { value: meters });

  /** The nearest of eight points of the compass. */
  const direction = (degrees) => say(`compass.${((Math.round(degrees / 45) % 8) + 8) % 8}`);

  /** How to walk: `95 m south-east`. */
  const walk = (meters, degrees) =>
    say("walk", { distance: distance(meters), direction: direction(degrees) });

  const angles = [];
  /** An angle of latitude (`axis` 0) or longitude (1), to so many digits, with its letter. */
  function angle(degrees, axis, count) {
    const letters = [["north", "south"], ["east", "west"]][axis];
    angles[count] ??= new NumberFormat(locale, digits(count));
    const letter = say(`letter.${letters[degrees < 0 ? 1 : 0]}`);
    return say("degrees", { value: angles[count].format(Math.abs(degrees)), letter });
  }

  /** A position: `48.85837° N, 2.29448° E`. */
  const coordinates = ({ latitude, longitude }) => say("coordinates", {
    latitude: angle(latitude, 0, 5), longitude: angle(longitude, 1, 5),
  });

  /** What a spot, or an item of the map, is called: its title, its place, or where it is. */
  const place = (spot) => spot.title || spot.place?.name || coordinates(spot);

  /** The year of a time of capture, as a text; null for none. */
  const year = (captured) => captured?.slice(0, 4) ?? null;

  /** The years of a spot: `2008–2021`. */
  function years({ firstCaptured, lastCaptured }) {
    const [from, to] = [year(firstCaptured), year(lastCaptured)];
    if (!from) return say("date.none");
    return from === to ? from : say("date.span", { from, to });
  }

  /** The day of a time of capture, by the clock of the camera. */
  function day(captured) {
    const date = captured ? new Date(captured.slice(0, 10)) : null;
    return date && !Number.isNaN(date.getTime()) ? civilDay().format(date) : say("date.none");
  }

  /** How long ago a time of capture is. */
  function ago(captured, now) {
    const passed = captured ? (now - new Date(captured)) / dayMilliseconds : NaN;
    if (Number.isNaN(passed)) return say("date.none");
    if (passed < 1.5) return days().format(-Math.max(0, Math.round(passed)), "day");
    if (passed < 45) return spans().format(-Math.round(passed), "day");
    if (passed < 600) return spans().format(-Math.round(passed / 30.44), "month");
    return spans().format(-Math.round(passed / 365.25), "year");
  }

  /** A number of photos on a badge: `950`, `1.2k`, `12k`. */
  function badge(count) {
    if (count < 1000) return numbers().format(count);
    const value = count < 9950 ? tenths().format(count / 1000) : Math.round(count / 1000);
    return say("unit.thousands", { value });
  }

  return {
    locale, say, sayKind, distance, length, direction, walk, angle, coordinates, place, year, years,
    day, ago, badge,
    number: (value) => numbers().format(value),
    photos: (count) => say("count.photos", { count }),
    spots: (count) => say("count.spots", { count }),
    places: (count) => say("count.places", { count }),
    notes: (count) => say("count.notes", { count }),
    /** The day of an instant, where the browser is. */
    localDay: (time) => localDay().format(new Date(time)),
    /** The kind of a place of one's own; the server's own word for none is the page's. */
    kind: (kind) => (!kind || kind === "place" ? say("places.kind") : kind),
    /** The time of day of an instant, where the browser is. */
    clock: (time) => clock().format(new Date(time)),
    /** Names as a list: `a, b and c`. */
    list: (texts) => names().format(texts),
  };
}
