// Pictures that show too little to be compared: damaged ones, which decoders fill with one color,
// and photos without detail. Few edges match by chance, and perfectly so where two pictures were
// cut off at the same height. Pure.

// The gradient, in Sobel's units, below which a pixel is plain: less than the noise of any photo
// that is not overexposed, underexposed or filled in.
const plainGradient = 0.25;
// The maximum share of plain pixels. Of 392 photos of views the plainest, a plaza at night, has
// 0.38 (Benchmarks/README.md).
const mostPlain = 0.55;
// The gradient from which a pixel belongs to an edge: that of paper and sensors.
const edgeGradient = 4;
// The minimum share of pixels with edges. Of these photos, the one with the fewest has 0.27.
const leastEdges = 0.02;

/**
 * Whether most of a picture is plain, or hardly any of it has edges.
 *
 * - `field`: its edges; see `fieldOf`.
 * - `mask`: 0 outside the picture, for example on the border of a print.
 */
export function isBlank({ width, height, gradients }, mask) {
  let [count, plain, edges] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (mask && !mask[at]) continue;
      count++;
      if (gradients[at] < plainGradient) plain++;
      if (gradients[at] >= edgeGradient) edges++;
    }
  }
  return plain > mostPlain * count || edges < leastEdges * count;
}
