// Navigation between pins by arrow keys. Pure.

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest point in the direction of an arrow key, or undefined if there is none.
 *
 * Sideways distance costs more than distance ahead, so that a row is followed before the next one.
 *
 * - `points`: objects with `x` and `y` in pixels; `from` may be one of them.
 */
export function nearestThatWay(points, from, key) {
  const way = ways[key];
  if (!way) return undefined;
  let [best, least] = [undefined, Infinity];
  for (const point of points) {
    const [across, down] = [point.x - from.x, point.y - from.y];
    const ahead = across * way[0] + down * way[1];
    const aside = Math.abs(across * way[1]) + Math.abs(down * way[0]);
    const cost = ahead + 2.5 * aside;
    if (point !== from && ahead > 4 && cost < least) [best, least] = [point, cost];
  }
  return best;
}
