// Formats texts, numbers, distances and dates in one language. Pure.

const dayMilliseconds = 86_400_000;

/** Whether a distance is shown as 0 m, so that it has no direction. */
export const isHere = (meters) => Math.round(meters / 5) === 0;

/** The regions that measure distances in miles (Unicode CLDR, `measurementSystem` US). */
const milesRegions = ["US", "LR", "MM"];
const metersOfFoot = 0.3048;
const metersOfMile = 1609.344;

/** The units of the first of some locales that names its region: `metric` or `imperial`. Pure. */
export function unitsOf(locales) {
  const region = locales.map((one) => /[-_]([A-Z]{2})\b/.exec(one)?.[1]).find(Boolean);
  return milesRegions.includes(region) ? "imperial" : "metric";
}

// Formatters of `Intl` take milliseconds to create, and few are needed at the start.
function onceNeeded(make) {
  let made;
  return () => made ??= make();
}

/** The whole days, months and years from the day of one date to that of another. */
function elapsed(from, to) {
  const day = (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const months = (to.getFullYear() - from.getFullYear()) * 12 + to.getMonth() - from.getMonth()
    - (to.getDate() < from.getDate() ? 1 : 0);
  return {
    days: Math.round((day(to) - day(from)) / dayMilliseconds),
    months, years: Math.floor(months / 12),
  };
}

/**
 * The formatters of a language: `say` for the texts of a table, the others for values.
 *
 * - `table`: texts by name; `locale`: a locale for `Intl`, for numbers, dates and plurals;
 *  `units`: those of distances, `metric` or `imperial`.
 */
export function speech(table, locale, units = "metric") {
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
  const months = format(DateTimeFormat, { month: "long", timeZone: "UTC" });
  const monthsOfYear = format(DateTimeFormat, { month: "long", year: "numeric", timeZone: "UTC" });
  const names = format(ListFormat, { type: "conjunction" });

  /** The text of a name, with its `{names}` replaced by values; `count` selects the plural. */
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

  /** Whether the table has a name. */
  const has = (name) => name in table;

  /** The text of the name `prefix.key`, or of `prefix.other` if the table lacks it. */
  const sayKind = (prefix, key) =>
    say(`${prefix}.${key}` in table ? `${prefix}.${key}` : `${prefix}.other`);

  /** Changes the units of distances. */
  const measureIn = (next) => units = next;

  function imperial(meters) {
    const ten = Math.round(meters / metersOfFoot / 10) * 10;
    if (ten < 1000) return say("unit.feet", { value: ten });
    const miles = meters / metersOfMile;
    const value = miles < 9.95 ? tenths().format(miles) : Math.round(miles);
    return say("unit.miles", { value });
  }

  /**
   * A distance, rounded: to 5 m below 100 m, to 10 m below 1 km, to 100 m below 10 km, to 1 km; or
   * to 10 ft below 1000 ft, to tenths of a mile below 10 mi, to 1 mi.
   */
  function distance(meters) {
    if (units === "imperial") return imperial(meters);
    const five = Math.round(meters / 5) * 5;
    if (five < 100) return say("unit.meters", { value: five });
    const ten = Math.round(meters / 10) * 10;
    if (ten < 1000) return say("unit.meters", { value: ten });
    const kilometers = meters / 1000;
    const value = kilometers < 9.95 ? tenths().format(kilometers) : Math.round(kilometers);
    return say("unit.kilometers", { value });
  }

  /** A round length, for example of the scale bar. */
  function length(meters) {
    if (units === "imperial") {
      const feet = meters / metersOfFoot;
      const step = feet < 100 ? 1 : 10;
      if (feet < 2640) return say("unit.feet", { value: Math.round(feet / step) * step });
      return say("unit.miles", { value: Math.round((meters / metersOfMile) * 100) / 100 });
    }
    return meters >= 1000 ? say("unit.kilometers", { value: meters / 1000 })
      : say("unit.meters", { value: meters });
  }

  /** The nearest of eight compass directions. */
  const direction = (degrees) => say(`compass.${((Math.round(degrees / 45) % 8) + 8) % 8}`);

  /** A distance to walk; `here` instead of 0 m. */
  const away = (meters) => (isHere(meters) ? say("walk.here") : distance(meters));

  /** A distance and a direction: `95 m south-east`; `here` instead of 0 m, which has none. */
  const walk = (meters, degrees) => (isHere(meters) ? say("walk.here")
    : say("walk", { distance: distance(meters), direction: direction(degrees) }));

  const angles = [];
  /** A latitude (`axis` 0) or longitude (1) in degrees, with `count` decimals and its letter. */
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

  /**
   * The name of a spot or an item of the map: its title, its place's name, or its position; in a
   * list with what tells it apart from others of its title.
   */
  const place = (spot) => {
    const name = spot.title || spot.place?.name || coordinates(spot);
    return spot.distinction ? distinct(name, spot.distinction) : name;
  };

  function distinct(name, { by, town, distance: meters, bearing, first, last, number }) {
    if (by === "number") return say("distinct.number", { name, number: String(number) });
    return say("distinct.name", { name, what: {
      town: () => town,
      way: () => (town ? say("distinct.of", { way: walk(meters, bearing), town })
        : walk(meters, bearing)),
      years: () => (first === last ? String(first)
        : say("years.short", { from: String(first), to: String(last) })),
    }[by]() });
  }

  /** The year of a capture time, as a text; null if there is none. */
  const year = (captured) => captured?.slice(0, 4) ?? null;

  /** The range of a spot's years by the cameras' clocks: `2008–2021`. */
  function years({ firstCaptured, lastCaptured }) {
    // Clocks with and without an offset may be in another order than the instants.
    const [from, to] = [year(firstCaptured), year(lastCaptured)].sort();
    if (!from) return say("date.none");
    return from === to ? from : say("date.span", { from, to });
  }

  const lasting = {};
  /** A duration in its largest whole unit: `1 day`, `24 hours`, `5 years`. */
  function duration(seconds) {
    const [unit, length] = [["year", 31_557_600], ["day", 86_400], ["hour", 3600], ["minute", 60]]
      .find(([, size]) => seconds >= size && seconds % size === 0) ?? ["second", 1];
    lasting[unit] ??= new NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
    return lasting[unit].format(seconds / length);
  }

  /** About how long something still takes, in seconds or minutes. */
  const timeLeft = (seconds) => say("progress.left", {
    time: seconds < 90 ? say("unit.seconds", { value: Math.max(1, Math.round(seconds)) })
      : say("unit.minutes", { value: Math.round(seconds / 60) }),
  });

  /** The name of a month, 1 to 12. */
  const month = (number) => months().format(Date.UTC(2000, number - 1, 1));

  /** Years, or the month of a year: `2013`, `2010 – 2013`, `May 2013`. */
  function when({ from, to, month: number }) {
    if (number) return monthsOfYear().format(Date.UTC(from, number - 1, 1));
    return from === to ? String(from)
      : say("years.short", { from: String(from), to: String(to) });
  }

  /** The date of a capture time, by the camera's clock. */
  function day(captured) {
    const date = captured ? new Date(captured.slice(0, 10)) : null;
    return date && !Number.isNaN(date.getTime()) ? civilDay().format(date) : say("date.none");
  }

  /** The whole days, months or years since a capture time: `3 months ago`. */
  function ago(captured, now) {
    const date = captured ? new Date(captured) : null;
    if (!date || Number.isNaN(date.getTime())) return say("date.none");
    const passed = elapsed(date, now);
    if (passed.days < 2) return days().format(-Math.max(0, passed.days), "day");
    if (passed.days < 45) return spans().format(-passed.days, "day");
    return passed.years < 2 ? spans().format(-passed.months, "month")
      : spans().format(-passed.years, "year");
  }

  /** A number of photos on a badge: `950`, `1.2k`, `12k`. */
  function badge(count) {
    if (count < 1000) return numbers().format(count);
    const value = count < 9950 ? tenths().format(count / 1000) : Math.round(count / 1000);
    return say("unit.thousands", { value });
  }

  return {
    locale, say, has, sayKind, measureIn, month, when, duration, distance, length, direction, away, walk, angle, coordinates, place,
    year, years, timeLeft,
    day, ago, badge,
    /** The units of distances, `metric` or `imperial`. */
    get units() {
      return units;
    },
    number: (value) => numbers().format(value),
    photos: (count) => say("count.photos", { count }),
    spots: (count) => say("count.spots", { count }),
    places: (count) => say("count.places", { count }),
    notes: (count) => say("count.notes", { count }),
    /** The date of an instant, in the browser's time zone. */
    localDay: (time) => localDay().format(new Date(time)),
    /** The kind of an own place; the default one is translated. */
    kind: (kind) => (!kind || kind === "place" ? say("places.kind") : kind),
    /** The time of day of an instant, in the browser's time zone. */
    clock: (time) => clock().format(new Date(time)),
    /** Names as a list: `a, b and c`. */
    list: (texts) => names().format(texts),
  };
}
