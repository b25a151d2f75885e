// Learns the network of src/pmi/pictures/glyph-net.ts: the same layers, with gradients (cross entropy, Adam). Plain
// numbers in a fixed order.
import { GLYPH_LAYERS, GLYPH_SHAPES } from '../../dist/pmi/pictures/glyph-net.js';
import { encodeGlyphNet } from '../support/write-tables.mjs';
import { GLYPH_CLASSES } from '../../dist/pmi/pictures/glyph-classes.js';
import { GLYPH_SIDE } from '../../dist/pmi/pictures/glyph-picture.js';

const { first: FIRST, second: SECOND, hidden: HIDDEN } = GLYPH_LAYERS;
const CLASSES = GLYPH_CLASSES.length;
const A = GLYPH_SIDE - 2,
  A2 = A / 2,
  B = A2 - 2,
  B2 = B / 2;
const SMOOTH = 0.03;

export class Network {
  constructor(random) {
    this.layers = GLYPH_SHAPES.map(([rows, columns]) => {
      const scale = Math.sqrt(2 / columns);
      return {
        rows,
        columns,
        w: Float32Array.from({ length: rows * columns }, () => scale * normal(random)),
        b: new Float32Array(rows),
        gw: new Float32Array(rows * columns),
        gb: new Float32Array(rows),
        mw: new Float32Array(rows * columns),
        vw: new Float32Array(rows * columns),
        mb: new Float32Array(rows),
        vb: new Float32Array(rows),
      };
    });
    this.steps = 0;
    this.one = {
      out: new Float32Array(FIRST * A2 * A2),
      from: new Int32Array(FIRST * A2 * A2),
      grad: new Float32Array(FIRST * A2 * A2),
    };
    this.two = {
      out: new Float32Array(SECOND * B2 * B2),
      from: new Int32Array(SECOND * B2 * B2),
      grad: new Float32Array(SECOND * B2 * B2),
    };
    this.hidden = new Float32Array(HIDDEN);
    this.hiddenGrad = new Float32Array(HIDDEN);
    this.scores = new Float32Array(CLASSES);
  }

  /** Log probabilities are left in `scores`. */
  forward(input) {
    const [one, two, three, four] = this.layers;
    convolve(input, GLYPH_SIDE, 1, one, this.one);
    convolve(this.one.out, A2, FIRST, two, this.two);
    full(this.two.out, three, this.hidden);
    for (let i = 0; i < HIDDEN; i++) if (this.hidden[i] < 0) this.hidden[i] = 0;
    full(this.hidden, four, this.scores);
    let most = -Infinity,
      sum = 0;
    for (const score of this.scores) most = Math.max(most, score);
    for (const score of this.scores) sum += Math.exp(score - most);
    const less = most + Math.log(sum);
    for (let i = 0; i < CLASSES; i++) this.scores[i] -= less;
  }

  /** Adds gradients of one sample after `forward`. @returns the loss. */
  backward(input, wanted) {
    const [one, two, three, four] = this.layers;
    const grad = new Float32Array(CLASSES);
    for (let i = 0; i < CLASSES; i++)
      grad[i] = Math.exp(this.scores[i]) - (i === wanted ? 1 - SMOOTH : SMOOTH / (CLASSES - 1));
    this.hiddenGrad.fill(0);
    fullBack(this.hidden, four, grad, this.hiddenGrad);
    for (let i = 0; i < HIDDEN; i++) if (this.hidden[i] <= 0) this.hiddenGrad[i] = 0;
    this.two.grad.fill(0);
    fullBack(this.two.out, three, this.hiddenGrad, this.two.grad);
    this.one.grad.fill(0);
    convolveBack(this.one.out, A2, FIRST, two, this.two, this.one.grad);
    convolveBack(input, GLYPH_SIDE, 1, one, this.one, undefined);
    return -this.scores[wanted];
  }

  /** One step of Adam with the gradients of `count` samples. */
  step(rate, count) {
    const t = ++this.steps;
    const a = (rate * Math.sqrt(1 - 0.999 ** t)) / (1 - 0.9 ** t);
    for (const { w, b, gw, gb, mw, vw, mb, vb } of this.layers) {
      adam(w, gw, mw, vw, a, count, 1e-5 * rate);
      adam(b, gb, mb, vb, a, count, 0);
    }
  }

  /** The bytes that glyph-net.ts reads: weights as whole numbers of 8 bits, a scale for each row. */
  bytes() {
    return encodeGlyphNet(this.layers.map(({ w, b }) => ({ weights: w, bias: b })));
  }
}

function convolve(from, side, channels, { rows, w, b }, { out, from: taken }) {
  const half = (side - 2) / 2,
    area = side * side;
  for (let k = 0; k < rows; k++) {
    for (let y = 0; y < half; y++) {
      for (let x = 0; x < half; x++) {
        let a = b[k],
          bb = a,
          c = a,
          d = a;
        for (let channel = 0; channel < channels; channel++) {
          const base = (k * channels + channel) * 9;
          for (let j = 0; j < 3; j++) {
            const at = channel * area + (2 * y + j) * side + 2 * x,
              v = base + 3 * j;
            const w0 = w[v],
              w1 = w[v + 1],
              w2 = w[v + 2];
            const p1 = from[at + 1],
              p2 = from[at + 2];
            a += w0 * from[at] + w1 * p1 + w2 * p2;
            bb += w0 * p1 + w1 * p2 + w2 * from[at + 3];
            const q = at + side,
              q1 = from[q + 1],
              q2 = from[q + 2];
            c += w0 * from[q] + w1 * q1 + w2 * q2;
            d += w0 * q1 + w1 * q2 + w2 * from[q + 3];
          }
        }
        let most = a,
          which = 0;
        if (bb > most) [most, which] = [bb, 1];
        if (c > most) [most, which] = [c, side];
        if (d > most) [most, which] = [d, side + 1];
        const o = (k * half + y) * half + x;
        out[o] = Math.max(most, 0);
        taken[o] = most > 0 ? 2 * y * side + 2 * x + which : -1;
      }
    }
  }
}

function convolveBack(from, side, channels, { rows, w, gw, gb }, { grad, from: taken }, into) {
  const half = (side - 2) / 2,
    area = side * side;
  for (let k = 0; k < rows; k++) {
    for (let o = k * half * half; o < (k + 1) * half * half; o++) {
      const g = grad[o];
      if (g === 0 || taken[o] < 0) continue;
      gb[k] += g;
      for (let channel = 0; channel < channels; channel++) {
        const base = (k * channels + channel) * 9;
        for (let j = 0; j < 3; j++) {
          const at = channel * area + taken[o] + j * side,
            v = base + 3 * j;
          gw[v] += g * from[at];
          gw[v + 1] += g * from[at + 1];
          gw[v + 2] += g * from[at + 2];
          if (into !== undefined) {
            into[at] += g * w[v];
            into[at + 1] += g * w[v + 1];
            into[at + 2] += g * w[v + 2];
          }
        }
      }
    }
  }
}

function full(from, { rows, columns, w, b }, into) {
  for (let row = 0; row < rows; row++) {
    let sum = b[row];
    for (let i = 0, at = row * columns; i < columns; i++, at++) sum += w[at] * from[i];
    into[row] = sum;
  }
}

function fullBack(from, { rows, columns, w, gw, gb }, grad, into) {
  for (let row = 0; row < rows; row++) {
    const g = grad[row];
    if (g === 0) continue;
    gb[row] += g;
    for (let i = 0, at = row * columns; i < columns; i++, at++) {
      gw[at] += g * from[i];
      into[i] += g * w[at];
    }
  }
}

function adam(w, g, m, v, rate, count, decay) {
  for (let i = 0; i < w.length; i++) {
    const d = g[i] / count;
    m[i] = 0.9 * m[i] + 0.1 * d;
    v[i] = 0.999 * v[i] + 0.001 * d * d;
    w[i] -= (rate * m[i]) / (Math.sqrt(v[i]) + 1e-8) + decay * w[i];
    g[i] = 0;
  }
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
