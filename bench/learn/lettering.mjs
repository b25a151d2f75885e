/**
 * Makes `src/tables/picture-glyphs.bin`: the network that reads letters and signs on pictures. Learned from letterings
 * of free fonts (packages
 * @fontsource/*, SIL Open Font License) and of single strokes (`lettering/strokes.mjs`); no file of anybody's library
 * goes in. Deterministic: the same code gives the same bytes. Seven minutes on one core. The fonts are no dependencies
 * of the project: `npm install --no-save opentype.js NAMES` puts them beside it (NODE_PATH may name another folder).
 *
 *   npm run bench -- learn/lettering [--samples 150000] [--rounds 6] [--out FILE]
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GLYPH_CLASSES } from '../../dist/pmi/pictures/glyph-classes.js';
import { GlyphNet } from '../../dist/pmi/pictures/glyph-net.js';
import { GLYPH_SIDE, normaliseGlyph } from '../../dist/pmi/pictures/glyph-picture.js';
import { Network } from '../lettering/network.mjs';
import { Samples } from '../lettering/samples.mjs';

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '150000' },
    rounds: { type: 'string', default: '6' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../../src/tables/picture-glyphs.bin', import.meta.url)),
    },
  },
});
const BATCH = 64;
const FASTEST = 0.002;
const TESTED = 12_000;
const AREA = GLYPH_SIDE * GLYPH_SIDE;

const random = seeded(20260701);
const learned = make(Number(values.samples)),
  tested = make(TESTED);
const network = new Network(random);
const rounds = Number(values.rounds),
  steps = Math.floor(learned.count / BATCH) * rounds;
const input = new Float32Array(AREA);
let done = 0;
for (let round = 0; round < rounds; round++) {
  const order = shuffled(learned.count);
  let loss = 0;
  for (let i = 0; i + BATCH <= order.length; i += BATCH) {
    for (let j = 0; j < BATCH; j++) {
      shifted(learned.pictures, order[i + j], Math.floor(random() * 3) - 1, Math.floor(random() * 3) - 1);
      network.forward(input);
      loss += network.backward(input, learned.labels[order[i + j]]);
    }
    network.step(0.5 * FASTEST * (1 + Math.cos((Math.PI * done) / steps)) + 1e-5, BATCH);
    done++;
  }
  console.log(
    `round ${round + 1}: loss ${(loss / order.length).toFixed(3)}, ${Math.round(process.cpuUsage().user / 1e6)} s`,
  );
  await writeFile(values.out, network.bytes());
}
report(new GlyphNet(network.bytes()));

function make(count) {
  const samples = new Samples(random);
  const pictures = new Uint8Array(count * AREA),
    labels = new Uint8Array(count),
    one = new Float32Array(AREA);
  for (let i = 0; i < count; i++) {
    const { picture, label } = samples.next();
    normaliseGlyph(picture, one);
    for (let j = 0; j < AREA; j++) pictures[i * AREA + j] = 255 * one[j];
    labels[i] = label;
  }
  return { count, pictures, labels };
}

function shifted(pictures, number, dx, dy) {
  input.fill(0);
  for (let y = Math.max(0, dy); y < Math.min(GLYPH_SIDE, GLYPH_SIDE + dy); y++) {
    for (let x = Math.max(0, dx); x < Math.min(GLYPH_SIDE, GLYPH_SIDE + dx); x++)
      input[y * GLYPH_SIDE + x] = pictures[number * AREA + (y - dy) * GLYPH_SIDE + x - dx] / 255;
  }
}

function report(net) {
  const wrong = new Map();
  let right = 0,
    digits = 0,
    rightDigits = 0;
  for (let i = 0; i < tested.count; i++) {
    shifted(tested.pictures, i, 0, 0);
    const scores = net.readNormalised(input);
    const best = scores.indexOf(Math.max(...scores)),
      isDigit = tested.labels[i] >= 1 && tested.labels[i] <= 10;
    digits += isDigit;
    if (best === tested.labels[i]) {
      right++;
      rightDigits += isDigit;
    } else {
      const key = `${GLYPH_CLASSES[tested.labels[i]] || 'none'} as ${GLYPH_CLASSES[best] || 'none'}`;
      wrong.set(key, (wrong.get(key) ?? 0) + 1);
    }
  }
  console.log(
    `of ${tested.count} others: ${((100 * right) / tested.count).toFixed(2)} % right, of digits ${((100 * rightDigits) / digits).toFixed(2)} %`,
  );
  console.log(
    [...wrong]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 30)
      .map(([key, times]) => `${key}: ${times}`)
      .join(', '),
  );
}

function shuffled(count) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
