// The Fourier transform of square complex fields, whose side is a power of two.

/**
 * Transforms fields of one size in place.
 *
 * Butterflies combine whole rows, and the output is not reordered: forward decimates in frequency,
 * and backward decimates in time, which takes forward's output order. Products of two spectra need
 * no order. A transform along rows is one along the columns of the transposed field.
 */
export class Fourier {
  #size;
  #cosines;
  #sines;

  /** Creates the transforms of fields with `size` × `size` values; `size` is a power of two. */
  constructor(size) {
    this.#size = size;
    const angles = Array.from({ length: size / 2 }, (_, index) => (2 * Math.PI * index) / size);
    this.#cosines = Float64Array.from(angles, Math.cos);
    this.#sines = Float64Array.from(angles, Math.sin);
  }

  /** Transforms a field to its spectrum, in the order described above. */
  forward(re, im) {
    this.#decimateInFrequency(re, im);
    transpose(re, this.#size);
    transpose(im, this.#size);
    this.#decimateInFrequency(re, im);
  }

  /** Transforms a spectrum to its field, multiplied by the number of its values. */
  backward(re, im) {
    this.#decimateInTime(re, im);
    transpose(re, this.#size);
    transpose(im, this.#size);
    this.#decimateInTime(re, im);
  }

  #decimateInFrequency(re, im) {
    const size = this.#size;
    for (let half = size / 2; half >= 1; half /= 2) {
      for (let row = 0; row < size; row++) {
        if (row & half) continue;
        const factor = ((row % half) * size) / (2 * half);
        const cosine = this.#cosines[factor];
        const sine = this.#sines[factor];
        for (let a = row * size, b = a + half * size, end = a + size; a < end; a++, b++) {
          const differenceRe = re[a] - re[b];
          const differenceIm = im[a] - im[b];
          re[a] += re[b];
          im[a] += im[b];
          re[b] = differenceRe * cosine + differenceIm * sine;
          im[b] = differenceIm * cosine - differenceRe * sine;
        }
      }
    }
  }

  #decimateInTime(re, im) {
    const size = this.#size;
    for (let half = 1; half < size; half *= 2) {
      for (let row = 0; row < size; row++) {
        if (row & half) continue;
        const factor = ((row % half) * size) / (2 * half);
        const cosine = this.#cosines[factor];
        const sine = this.#sines[factor];
        for (let a = row * size, b = a + half * size, end = a + size; a < end; a++, b++) {
          const turnedRe = re[b] * cosine - im[b] * sine;
          const turnedIm = im[b] * cosine + re[b] * sine;
          re[b] = re[a] - turnedRe;
          im[b] = im[a] - turnedIm;
          re[a] += turnedRe;
          im[a] += turnedIm;
        }
      }
    }
  }
}

function transpose(values, size) {
  for (let y = 1; y < size; y++) {
    for (let x = 0; x < y; x++) {
      const a = y * size + x;
      const b = x * size + y;
      const value = values[a];
      values[a] = values[b];
      values[b] = value;
    }
  }
}
