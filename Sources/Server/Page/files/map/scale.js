// Round steps for the scale bar, the range rings and the graticule. Pure.

const [foot, mile] = [0.3048, 1609.344];
const round = (powers) => [1, 2, 5].flatMap((n) => powers.map((k) => n * k)).sort((a, b) => a - b);
const barLengths = {
  metric: round([1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
  imperial: [
    ...[5, 10, 20, 50, 100, 200, 500, 1000, 2000].map((n) => n * foot),
    ...[0.5, ...round([1, 10, 100, 1000])].map((n) => n * mile),
  ],
};
const ringRadii = {
  metric: [25, 50, 100, 250, 500, 1e3, 2500, 5e3, 1e4, 25e3, 5e4, 1e5, 25e4, 5e5],
  imperial: [
    ...[100, 200, 500, 1000].map((n) => n * foot),
    ...[0.5, 1, 2.5, 5, 10, 25, 50, 100, 250].map((n) => n * mile),
  ],
};
const gridSteps = [
  30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5,
];

/** The longest length in metres, round in some units, that fits into `maximumPixels`. */
export const barMeters = (metersPerPixel, units = "metric", maximumPixels = 110) =>
  barLengths[units].findLast((length) => length / metersPerPixel <= maximumPixels)
    ?? barLengths[units][0];

/** The radii in metres of at most four rings, neither too close to each other nor out of view. */
export const ringMeters = (metersPerPixel, diagonalPixels, units = "metric") =>
  ringRadii[units].filter((radius) => {
    const pixels = radius / metersPerPixel;
    return pixels >= 46 && pixels <= diagonalPixels * 0.8;
  }).slice(0, 4);

/** The degrees between two lines of the graticule, more than 120 pixels apart where possible. */
export const gridDegrees = (degreesPerPixel) =>
  gridSteps.findLast((step) => step / degreesPerPixel > 120) ?? gridSteps[0];

/** The number of decimals that the labels of a graticule need. */
export const gridDigits = (step) => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
