// What the camera view says while it is held: the score, and one movement at a time. Pure.

const pauseMilliseconds = 700;
/** From this score on the photo is good. */
export const good = 75;

/** Says one movement at a time, and keeps it for a while, so that it can be read. */
export class Guide {
  #said = null;
  #since = -Infinity;

  /**
   * What is said at a time: `{ score, isGood, move, way, isLittle }`; `score` is from 0 to 100, or
   * null where it cannot be told.
   */
  next({ found, advice, milliseconds }) {
    if (!this.#said || milliseconds - this.#since >= pauseMilliseconds) {
      const { move, isLittle } = this.#said ?? {};
      const isAnother = advice.move !== move || advice.isLittle !== isLittle;
      if (isAnother) this.#since = milliseconds;
      this.#said = isAnother ? advice : this.#said;
    }
    const score = found.score === null ? null : Math.round(100 * found.score);
    return { score, isGood: score !== null && score >= good, ...this.#said };
  }
}

/**
 * Where to stand and how to hold the camera, as texts: the way to where it was, the direction in
 * which it looked, its lens.
 *
 * - `way`: `{ meters, degrees }` from the live position, or null.
 */
export function facts({ heading, focalLength35mm }, way, hereMeters, { say, walk, direction }) {
  return [
    way && (way.meters < hereMeters ? say("again.standing")
      : say("again.stand", { walk: walk(way.meters, way.degrees) })),
    heading != null && say("again.face", { direction: direction(heading) }),
    focalLength35mm && say("unit.lens", { value: Math.round(focalLength35mm) }),
  ].filter(Boolean);
}

/** Why there is no live camera: `insecure`, `refused` or `none`, of what a browser throws. */
export function obstacleOf(error) {
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "refused";
  return error.name === "InsecureError" ? "insecure" : "none";
}

/**
 * The direction in which a device looks, in degrees from north, of an event of its orientation;
 * null where it does not know.
 */
export function compassOf({ webkitCompassHeading, absolute, alpha, beta }) {
  if (webkitCompassHeading >= 0) return webkitCompassHeading;
  if (!absolute || alpha == null) return null;
  // Held upright before the eyes, it looks through its back.
  return (360 - alpha + (Math.abs(beta ?? 0) > 135 ? 180 : 0)) % 360;
}
