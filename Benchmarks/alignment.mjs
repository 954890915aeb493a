// Measures the page's alignment with old views, compared with ORB and RANSAC, by pairs of pictures
// with known displacements, made from real photos.
//
//   PHOTOSPOTS_CORPUS=FOLDER [PYTHON=python3] node Benchmarks/alignment.mjs [PAIRS]
//
// FOLDER contains `photos`. PAIRS is a folder with existing pairs; by default they are made in a
// temporary folder. Python needs Pillow, numpy and opencv-python-headless, only for this benchmark.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advice } from "../Sources/Server/Page/files/align/advice.js";
import { Aligner } from "../Sources/Server/Page/files/align/aligner.js";

const python = process.env.PYTHON ?? "python3";
const corpus = process.env.PHOTOSPOTS_CORPUS;
const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), "alignment-"));
const script = (name) => new URL(`Alignment/${name}`, import.meta.url).pathname;
const blind = new Set(["night", "fog", "repeated"]);

function main() {
  if (!existsSync(join(folder, "pairs.json"))) {
    if (!corpus) throw new Error("Set PHOTOSPOTS_CORPUS to a folder that has photos.");
    run("pairs.py", join(corpus, "photos"), folder);
  }
  if (!existsSync(join(folder, "orb.json"))) run("orb.py", folder);
  const { pairs, photos } = read("pairs.json");
  const { rows, times } = aligned(pairs);
  const orb = read("orb.json").map((row, index) => ({ ...named(pairs[index]), ...orbScore(row) }));
  const same = pairs.filter((pair) => pair.same).length;
  console.log(`${pairs.length} pairs of ${photos.length} photos, ${same} of the same view\n`);
  table([["", "align", "ORB + RANSAC"], ...measures.map(([name, measure]) =>
    [name, measure(rows), measure(orb)])]);
  console.log();
  table([["look", "pairs", "locked", "right place", "cannot tell", "ORB locked"], ...looks(rows, orb)]);
  console.log();
  table([["milliseconds", "median", "p90"], ...Object.entries(times).map(([name, values]) =>
    [name, quantile(values, 0.5).toFixed(1), quantile(values, 0.9).toFixed(1)])]);
  hold(rows);
}

// Ends with an error if the alignment misses a limit.
function hold(rows) {
  for (const [name, measure, { least = -Infinity, most = Infinity } = {}] of measures) {
    const value = parseFloat(measure(rows));
    if (value >= least && value <= most) continue;
    console.error(`${name}: ${value}, not ${least > -Infinity ? `at least ${least}` : `at most ${most}`}`);
    process.exitCode = 1;
  }
}

function run(name, ...parameters) {
  execFileSync(python, ["-W", "ignore", script(name), ...parameters], { stdio: "inherit" });
}

function read(name) {
  return JSON.parse(readFileSync(join(folder, name)));
}

function aligned(pairs) {
  const pixels = readFileSync(join(folder, "small.bin"));
  const times = { "a new view": [], "first lock": [], held: [] };
  let at = 0;
  const rows = pairs.map((pair) => {
    const [old, now] = [0, 1].map(() => {
      const count = pair.width * pair.height;
      at += count;
      return {
        width: pair.width, height: pair.height,
        values: Float32Array.from(pixels.subarray(at - count, at)),
      };
    });
    const aligner = timed(times["a new view"], () => new Aligner(old));
    const found = timed(times["first lock"], () => aligner.align(now));
    if (found.isLocked) timed(times.held, () => aligner.align(now, { isTracking: true }));
    return { ...found, ...named(pair), found };
  });
  // The first runs include the compilation.
  for (const values of Object.values(times)) values.splice(0, 30);
  return { rows, times };
}

// A pair with its known values renamed, since the found values have the same names.
const named = ({ way, turn, zoom, step, ...pair }) =>
  ({ ...pair, trueWay: way, trueTurn: turn, trueZoom: zoom, trueStep: step });

function timed(times, work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  return result;
}

// ORB's score is the same function of the displacement, if enough features agree.
function orbScore({ inliers, way }) {
  const isLocked = inliers >= 12 && way !== null;
  return { isLocked, score: isLocked ? Math.exp(-way / 0.07) : 0, off: way };
}

// The measures, with the minimum or the maximum required of the alignment.
const measures = [
  ["rank correlation of score and way", (rows) =>
    spearman(seeable(rows).map(({ score }) => score ?? 0), seeable(rows).map((row) => -wayOf(row))), { least: 0.95 }],
  ["the same without steps aside", (rows) => {
    const those = seeable(rows).filter(({ kind }) => kind !== "step");
    return spearman(those.map(({ score }) => score ?? 0), those.map((row) => -wayOf(row)));
  }, { least: 0.96 }],
  ["AUC: < 2 % away against > 6 % away", (rows) =>
    auc(seeable(rows).filter((row) => wayOf(row) < 0.02), seeable(rows).filter((row) => wayOf(row) > 0.06)), { least: 0.99 }],
  ["AUC: < 2 % away against other views", (rows) =>
    auc(seeable(rows).filter((row) => wayOf(row) < 0.02), rows.filter((row) => !row.same)), { least: 0.995 }],
  ["locked, same view", (rows) => share(seeable(rows), ({ isLocked }) => isLocked), { least: 96 }],
  ["false locks, other views", (rows) =>
    share(rows.filter((row) => !row.same), ({ isLocked }) => isLocked), { most: 0.7 }],
  ["false locks, all", (rows) => share(rows, (row) => row.isLocked
    && (!row.same || (row.kind !== "step" && Math.abs(row.off - wayOf(row)) > 0.05))), { most: 0.7 }],
  ["other views with a score of 25 or more", (rows) =>
    share(rows.filter((row) => !row.same), ({ score }) => score >= 0.25), { most: 0.5 }],
  ["error of the way where locked, median; p90", (rows) => [0.5, 0.9].map((at) =>
    `${(100 * quantile(seeable(rows).filter(({ isLocked, kind }) => isLocked && kind !== "step")
      .map((row) => Math.abs(row.off - wayOf(row))), at)).toFixed(2)} %`).join("; ")],
  ["advice right, one movement", (rows) => share(rows.filter(isSingle), isAdviceRight), { least: 96 }],
  ["advice right, a step aside", (rows) => share(rows.filter((row) => row.found
    && row.kind === "step" && Math.abs(row.trueStep) > 0.03 && row.isLocked), isStepRight), { least: 90 }],
];

const wayOf = ({ trueWay }) => trueWay;
const seeable = (rows) => rows.filter(({ same, look }) => same && !blind.has(look));

const isSingle = (row) => row.found?.isLocked && row.same && !blind.has(row.look)
  && row.look !== "crop" && ["turn", "roll", "zoom"].includes(row.kind) && row.trueWay > 0.03;

function isAdviceRight(row) {
  const { move } = advice(row.found);
  if (row.kind === "roll") return move === (row.trueTurn > 0 ? "rollRight" : "rollLeft");
  if (row.kind === "zoom") return move === (row.trueZoom > 1 ? "stepBack" : "stepCloser");
  const isAside = Math.abs(row.x) > Math.abs(row.y);
  // If both are nearly equal, either direction is correct.
  if (Math.abs(Math.abs(row.x) - Math.abs(row.y)) < 0.01) return /^(?:turn|tilt)/.test(move);
  return move === (isAside ? (row.x > 0 ? "turnRight" : "turnLeft") : row.y > 0 ? "tiltDown" : "tiltUp");
}

const isStepRight = (row) =>
  advice({ ...row.found, dx: 0, dy: 0 }).move === (row.trueStep > 0 ? "stepRight" : "stepLeft");

function looks(rows, orb) {
  const names = [...new Set(rows.filter(({ same }) => same).map(nameOf))];
  return [...names, "other views"].map((name) => {
    const those = rows.filter((row) => nameOf(row) === name);
    const isRight = (row) => row.kind === "step"
      || Math.hypot(row.dx - row.x, row.dy - row.y) < 0.02;
    return [
      name, those.length, share(those, ({ isLocked }) => isLocked),
      name === "other views" ? "" : share(those.filter(({ isLocked }) => isLocked), isRight),
      share(those, ({ reason }) => reason !== null),
      share(orb.filter((row) => nameOf(row) === name), ({ isLocked }) => isLocked),
    ];
  });
}

const nameOf = ({ same, kind, look }) =>
  (same ? (kind === "step" ? `a step aside, ${look}` : look) : "other views");

function share(rows, test) {
  return rows.length === 0 ? "–" : percent(rows.filter(test).length / rows.length);
}

function percent(value) {
  return `${(100 * value).toFixed(1)} %`;
}

function quantile(values, at) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? NaN;
}

function ranks(values) {
  const order = values.map((value, index) => [value, index]).sort(([a], [b]) => a - b);
  const ranked = [];
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && order[to][0] === order[from][0]) to++;
    for (let index = from; index < to; index++) ranked[order[index][1]] = (from + to - 1) / 2;
    from = to;
  }
  return ranked;
}

function spearman(values, others) {
  const [a, b] = [ranks(values), ranks(others)];
  const mean = (a.length - 1) / 2;
  let [together, one, other] = [0, 0, 0];
  a.forEach((rank, index) => {
    together += (rank - mean) * (b[index] - mean);
    one += (rank - mean) ** 2;
    other += (b[index] - mean) ** 2;
  });
  return (together / Math.sqrt(one * other)).toFixed(3);
}

// The probability that one of `good` scores more than one of `bad`; ties count half.
function auc(good, bad) {
  let wins = 0;
  for (const { score: one } of good) {
    for (const { score: other } of bad) {
      wins += (one ?? 0) > (other ?? 0) ? 1 : (one ?? 0) === (other ?? 0) ? 0.5 : 0;
    }
  }
  return (wins / (good.length * bad.length)).toFixed(3);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(row.map((cell, column) => column === 0
      ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column])).join("  "));
  }
}

try {
  main();
} finally {
  if (!given) rmSync(folder, { recursive: true });
}
