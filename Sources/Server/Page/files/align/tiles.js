// The shifts of a picture's parts relative to another picture, and the similarity that fits them.
// Pure.

const across = 6;
const down = 6;
// Every second pixel of every second row is compared; fields are smooth.
const stride = 2;

/** The tiles of a field: `{ x, y, points }`, with their centers relative to the picture's. */
export function tilesOf({ width, height }) {
  const tiles = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const [left, right] = [edge(column, across, width), edge(column + 1, across, width)];
      const [top, bottom] = [edge(row, down, height), edge(row + 1, down, height)];
      tiles.push({
        left, right, top, bottom,
        x: (left + right - 1) / 2 - (width - 1) / 2, y: (top + bottom - 1) / 2 - (height - 1) / 2,
      });
    }
  }
  return tiles;
}

const edge = (index, count, length) => Math.round((index * length) / count);

/**
 * The shift of each tile of a field in another: `{ x, y, alike, weight, peak, mean }`.
 *
 * - `reach`: the maximum shifts tried, `{ x, y }` in pixels.
 *
 * `alike` is the likeness without a shift, `peak` that with the best shift, both between −1 and 1.
 * `weight` is the distinctness of the best shift times the tile's information.
 */
export function shiftsOf(tiles, field, seen, reach) {
  const columns = 2 * reach.x + 1;
  const likeness = new Float64Array(columns * (2 * reach.y + 1));
  return tiles.map((tile) => {
    const { own, other, energy } = compare(tile, field, seen, reach, likeness);
    let [best, sum] = [0, 0];
    for (let index = 0; index < likeness.length; index++) {
      likeness[index] /= energy;
      sum += likeness[index];
      if (likeness[index] > likeness[best]) best = index;
    }
    const [column, row] = [best % columns, Math.floor(best / columns)];
    const middle = reach.y * columns + reach.x;
    const isInside = column > 0 && column < columns - 1 && row > 0 && row < 2 * reach.y;
    const mean = sum / likeness.length;
    const peak = likeness[best];
    const top = (step) => isInside
      ? vertex(likeness[best - step], peak, likeness[best + step]) : 0;
    return {
      x: column - reach.x + top(1), y: row - reach.y + top(columns),
      alike: likeness[middle], peak, mean, energy, own, other,
      weight: isInside ? Math.max(0, peak - mean) * energy : 0,
    };
  });
}

// Computes the likeness of a tile for each shift; returns the energy for normalization.
function compare({ left, right, top, bottom }, field, seen, reach, likeness) {
  const { width, height, u, v, du, dv } = field;
  const { u: seenU, v: seenV, du: seenDu, dv: seenDv } = seen;
  const columns = 2 * reach.x + 1;
  let own = 0;
  let other = 0;
  likeness.fill(0);
  for (let y = top; y < bottom; y += stride) {
    for (let x = left + ((y / stride) & 1); x < right; x += stride) {
      const at = y * width + x;
      other += seenU[at] * seenU[at] + seenV[at] * seenV[at];
      const strength = u[at] * u[at] + v[at] * v[at];
      if (strength < 0.01) continue;
      own += strength;
      const one = u[at];
      const two = v[at];
      const three = du[at];
      const four = dv[at];
      const fromX = Math.max(-reach.x, -x);
      const toX = Math.min(reach.x, width - 1 - x);
      const toY = Math.min(reach.y, height - 1 - y);
      for (let byY = Math.max(-reach.y, -y); byY <= toY; byY++) {
        let to = at + byY * width + fromX;
        let index = (byY + reach.y) * columns + fromX + reach.x;
        for (let byX = fromX; byX <= toX; byX++, to++, index++) {
          likeness[index] += one * seenU[to] + two * seenV[to]
            + three * seenDu[to] + four * seenDv[to];
        }
      }
    }
  }
  return { own, other, energy: 2 * Math.sqrt(own * other) + 1 };
}

// The vertex of the parabola through three values, relative to the middle one.
function vertex(before, top, after) {
  const bend = before - 2 * top + after;
  return Math.abs(bend) < 1e-12 ? 0 : (0.5 * (before - after)) / bend;
}

/**
 * The similarity that maps tiles to their found positions, and the remaining sideways shear: lower
 * things in the picture are nearer, and move more when the camera moves sideways.
 *
 * Outliers count little (Tukey's weights). Null if too few tiles have information.
 *
 * - `hasShear`: whether to fit a shear.
 */
export function commonShift(tiles, shifts, { hasShear = false, rounds = 4, reach = 6 } = {}) {
  let weights = shifts.map(({ weight }) => weight);
  let fit = null;
  for (let round = 0; round < rounds; round++) {
    fit = leastSquares(tiles, shifts, weights, hasShear);
    if (!fit) return null;
    const width = Math.max(1.2, reach * 0.5 ** round);
    weights = shifts.map((shift, index) => {
      const [x, y] = residual(fit, tiles[index], shift);
      const share = (x * x + y * y) / (width * width);
      return share < 1 ? shift.weight * (1 - share) ** 2 : 0;
    });
  }
  return { ...fit, weights };
}

/** The remaining shift of a tile after a fit. */
export function residual({ x, y, s, r, k }, tile, shift) {
  return [
    shift.x - (x + s * tile.x - r * tile.y + k * tile.y),
    shift.y - (y + s * tile.y + r * tile.x),
  ];
}

// Solves for the shift (x, y), the growth s, the turn r, and the shear k.
function leastSquares(tiles, shifts, weights, hasShear) {
  const count = hasShear ? 5 : 4;
  const normal = Array.from({ length: count }, () => new Float64Array(count + 1));
  tiles.forEach(({ x, y }, index) => {
    const weight = weights[index];
    if (weight <= 0) return;
    add(normal, [1, 0, x, -y, y], shifts[index].x, weight);
    add(normal, [0, 1, y, x, 0], shifts[index].y, weight);
  });
  // A small regularization, so that few tiles do not rotate or bend the fit.
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let index = 2; index < count; index++) normal[index][index] += 8 * total;
  const solved = total > 1e-9 ? solve(normal) : null;
  if (!solved) return null;
  const [x, y, s, r, k = 0] = solved;
  return { x, y, s, r, k };
}

function add(normal, row, value, weight) {
  for (let i = 0; i < normal.length; i++) {
    for (let j = 0; j < normal.length; j++) normal[i][j] += weight * row[i] * row[j];
    normal[i][normal.length] += weight * row[i] * value;
  }
}

// Gaussian elimination with pivoting; null if the equations are singular.
function solve(normal) {
  const count = normal.length;
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let row = column + 1; row < count; row++) {
      if (Math.abs(normal[row][column]) > Math.abs(normal[pivot][column])) pivot = row;
    }
    if (Math.abs(normal[pivot][column]) < 1e-12) return null;
    [normal[column], normal[pivot]] = [normal[pivot], normal[column]];
    for (let row = 0; row < count; row++) {
      if (row === column) continue;
      const factor = normal[row][column] / normal[column][column];
      for (let at = column; at <= count; at++) normal[row][at] -= factor * normal[column][at];
    }
  }
  return normal.map((row, index) => row[count] / row[index]);
}
