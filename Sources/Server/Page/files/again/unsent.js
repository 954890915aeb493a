// New photos that the server has not received yet. They are stored in the browser until then, so
// that they survive a lost connection, closing the page and switching off the phone.

const database = "photospots";
const table = "unsent";
const lockName = "photospots.unsent";
const clockSeconds = 90;
const minuteMilliseconds = 60_000;

/**
 * Whether a recreation listed by the server is a stored one whose response was lost. Pure.
 *
 * - `kept`: `{ photo, spot, score, time, sentAt }`: the capture time as written by `wallTime`, and
 *   the time of sending in milliseconds, null if unsent.
 */
export function isSameRecreation(listed, kept) {
  // The server may know the old photo by another id.
  const isOf = listed.photo === kept.photo || (kept.spot && listed.spot === kept.spot);
  if (!kept.sentAt || !isOf) return false;
  const isSameScore = kept.score == null ? listed.score == null
    : Math.abs((listed.score ?? -1) - kept.score) < 0.0006;
  if (!isSameScore) return false;
  if (kept.time) return Math.abs(Date.parse(listed.time) - Date.parse(kept.time)) < 1000;
  return Date.parse(listed.time) >= kept.sentAt - 1000 * clockSeconds;
}

/** A time in seconds with the local offset (RFC 3339). Pure. */
export function wallTime(date, offsetMinutes = -date.getTimezoneOffset()) {
  const wall = new Date(date.getTime() + offsetMinutes * minuteMilliseconds);
  const digits = (number) => String(number).padStart(2, "0");
  const ahead = Math.abs(offsetMinutes);
  const offset = `${digits(Math.floor(ahead / 60))}:${digits(ahead % 60)}`;
  return `${wall.toISOString().slice(0, 19)}${offsetMinutes < 0 ? "-" : "+"}${offset}`;
}

/** Sends a stored photo once, even if an earlier response was lost. */
export async function sendOnce(client, kept, note) {
  if (kept.sentAt) {
    const { items } = await client.get("recreations", { limit: 50 });
    const known = items.find((listed) => isSameRecreation(listed, kept));
    if (known) return known;
  }
  await note({ ...kept, sentAt: Date.now() });
  const values = {
    photo: kept.photo, spot: kept.spot, name: kept.name, score: kept.score?.toFixed(3),
    time: kept.time,
  };
  const query = Object.entries(values).filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return client.send("POST", `recreations?${query}`, { body: kept.jpeg });
}

/** Whether to retry after a problem: the server was unreachable, or failed temporarily. */
export const isForLater = ({ status, slug }) =>
  status === 0 || status === 401 || slug === "no-token" || status === 429 || status >= 500;

/** The stored photos. */
export class Unsent {
  #open = null;

  /**
   * Stores a photo; returns its key, by which it is sent.
   *
   * - `photo`: the old photo's id; `spot` and `name`: by which it is found if its file changes;
   *   `latitude` and `longitude`: where it was taken; `score`: from 0 to 1, or null; `time`: the
   *   capture time as written by `wallTime`; `jpeg`: the file.
   */
  keep(kept) {
    return this.#do("readwrite", (photos) => photos.add({ ...kept, sentAt: null }));
  }

  /** A stored photo. */
  get(key) {
    return this.#do("readonly", (photos) => photos.get(key));
  }

  /** Changes a stored photo, for example the old one that it belongs to. */
  async change(key, changes) {
    const kept = await this.get(key);
    return this.#do("readwrite", (photos) => photos.put({ ...kept, ...changes }, key));
  }

  /** The keys of all stored photos, oldest first. */
  keys() {
    return this.#do("readonly", (photos) => photos.getAllKeys());
  }

  /** Forgets a photo. */
  forget(key) {
    return this.#do("readwrite", (photos) => photos.delete(key));
  }

  /**
   * Sends a photo, and removes it once the server has it; a rejected one is kept. Windows send one
   * at a time. Null if another window has sent it.
   */
  send(client, key) {
    return alone(async () => {
      const kept = await this.get(key);
      if (!kept) return null;
      const note = (changed) => this.#do("readwrite", (photos) => photos.put(changed, key));
      const recreation = await sendOnce(client, kept, note);
      await this.forget(key);
      return recreation;
    });
  }

  async #do(mode, work) {
    this.#open ??= opened();
    const photos = (await this.#open).transaction(table, mode).objectStore(table);
    return settled(work(photos));
  }
}

// One window at a time, if the browser supports locks.
const alone = (work) =>
  globalThis.navigator?.locks ? navigator.locks.request(lockName, work) : work();

function opened() {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(table, { autoIncrement: true });
  return settled(request);
}

const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
