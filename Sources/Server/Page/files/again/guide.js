// The guidance of the camera view: the score, and one movement at a time. Pure.

const pauseMilliseconds = 700;
/** The score from which a photo is good. */
export const good = 75;

/** Returns one movement at a time, long enough to be read. */
export class Guide {
  #said = null;
  #since = -Infinity;

  /**
   * Returns the guidance at a time: `{ score, isGood, move, way, isLittle }`; `score` is from 0 to
   * 100, or null if unknown.
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
 * Texts on where to stand and how to hold the camera: the way to the old position, the direction
 * of view, and the lens.
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

/**
 * The reason for a missing live camera: `insecure`, `refused` or `none`, from a browser's error.
 */
export function obstacleOf(error) {
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "refused";
  return error.name === "InsecureError" ? "insecure" : "none";
}

/**
 * The direction in which a device points, in degrees from north, from an orientation event; null
 * if unknown.
 */
export function compassOf({ webkitCompassHeading, absolute, alpha, beta }) {
  if (webkitCompassHeading >= 0) return webkitCompassHeading;
  if (!absolute || alpha == null) return null;
  // A device held upright points in the direction of its back.
  return (360 - alpha + (Math.abs(beta ?? 0) > 135 ? 180 : 0)) % 360;
}
