// The page's state of alerts: one list without duplicates, and the texts of each. Pure.

/** The distance in metres within which a person counts as at a spot. */
export const hereMeters = 12;

/**
 * Merges alerts into the known ones, each once, latest first: `{ alerts, fresh }`, where `fresh`
 * are the new ones.
 */
export function merged(known, incoming) {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = [];
  for (const alert of incoming) {
    if (ids.has(alert.id)) continue;
    ids.add(alert.id);
    fresh.push(alert);
  }
  const byTime = (a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0);
  // A repeated alert may have more data, such as deliveries.
  const told = new Map(incoming.map((alert) => [alert.id, alert]));
  const alerts = [...known.map((alert) => told.get(alert.id) ?? alert), ...fresh].sort(byTime);
  return { alerts, fresh };
}

/**
 * The description of an alert's spot: its photos and years; for one's own place without photos,
 * its kind and notes.
 */
export function about({ photoCount, ownPlace, ...spot }, { photos, years, kind, notes }) {
  if (photoCount > 0 || !ownPlace) return [photos(photoCount), years(spot)];
  return ownPlace.notes > 0 ? [kind(ownPlace.kind), notes(ownPlace.notes)] : [kind(ownPlace.kind)];
}

/** The special features of an alert in words: an anniversary, many years. */
export function remarks({ memory }, { say }) {
  if (!memory) return [];
  const { anniversaryYears, anniversaryDaysAway, yearCount } = memory;
  const texts = [];
  if (anniversaryYears && anniversaryDaysAway <= 6) {
    const name = anniversaryDaysAway === 0 ? "alerts.today" : "alerts.thisWeek";
    texts.push(say(name, { count: anniversaryYears }));
  }
  if (yearCount > 2) texts.push(say("count.years", { count: yearCount }));
  return texts;
}

/**
 * The outcome of an alert: `[{ text, isDone }]`, one per receiver, or the rule that suppressed it.
 * Standard output is left out, since it is not a receiver for people.
 */
export function outcomes({ decision, kind, deliveries = [] }, { say, sayKind }) {
  if (kind !== "notified") return [{ text: sayKind("reason", decision), isDone: false }];
  return deliveries.filter(({ notifier }) => notifier !== "stdout").map(({ notifier, result }) => {
    const isDone = result === "delivered";
    const name = isDone ? "alerts.sent"
      : result === "pending" ? "alerts.waiting" : "alerts.failed";
    return { text: say(name, { receiver: notifier }), isDone };
  });
}

/** Alerts by day: `[{ day, alerts }]`, in their order; `dayOf` names the day of a time. */
export function byDay(alerts, dayOf) {
  const days = new Map();
  for (const alert of alerts) {
    const day = dayOf(alert.time);
    days.set(day, [...(days.get(day) ?? []), alert]);
  }
  return [...days].map(([day, those]) => ({ day, alerts: those }));
}
