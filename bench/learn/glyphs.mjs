// Learns `src/tables/outline-glyphs.bin`, the network that tells glyphs apart, from pictures that are drawn by code
// (bench/glyphs). Prints how many of the glyphs of fonts that it has not seen it reads. Deterministic.
//
//   npm i --no-save --prefix DIR $(list below, NAME@VERSION) && npm run bench -- learn/glyphs --fonts DIR/node_modules
//   [--samples 420] [--rounds 14]
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GLYPH_FEATURES, glyphFeatures } from '../../dist/pmi/outlines/glyph-features.js';
import { classify, decodeGlyphNetwork } from '../../dist/pmi/outlines/glyph-network.js';
import { CLASSES, glyphPictures, randomOf } from '../glyphs/glyph-pictures.mjs';
import { encodeGlyphNetwork } from '../support/write-tables.mjs';

const { values } = parseArgs({
  options: {
    fonts: { type: 'string' },
    samples: { type: 'string', default: '420' },
    rounds: { type: 'string', default: '14' },
  },
});
if (values.fonts === undefined) throw new Error('usage: npm run bench -- learn/glyphs --fonts DIR/node_modules');

/** Packages of the npm registry (SIL Open Font License 1.1) with their weights, beside the fonts of pdfjs-dist. */
const LEARNED = {
  roboto: [300, 400, 500],
  'roboto-condensed': [300, 400],
  'open-sans': [400],
  questrial: [400],
  'share-tech-mono': [400],
  dosis: [200, 300, 500],
  'didact-gothic': [400],
  nunito: [200, 400],
  inconsolata: [300, 500],
  'saira-semi-condensed': [300],
  'b612-mono': [400],
  'text-me-one': [400],
  tinos: [400],
};
const UNSEEN = { 'roboto-mono': [400], overpass: [300, 400], cousine: [400] };
const STANDARD = [
  'LiberationSans-Regular.ttf',
  'LiberationSans-Regular.ttf',
  'LiberationSans-Bold.ttf',
  'LiberationSans-Italic.ttf',
  'FoxitFixed.pfb',
];
const HIDDEN = 144;
const BATCH = 32;
const SEED = 20;

const filesOf = (packages) =>
  Object.entries(packages).flatMap(([name, weights]) =>
    weights.map((weight) => ({
      file: join(values.fonts, '@fontsource', name, 'files', `${name}-latin-${weight}-normal.woff2`),
    })),
  );
const standard = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts');
const known = readdirSync(standard);
const learned = [
  ...filesOf(LEARNED),
  ...STANDARD.filter((name) => known.includes(name)).map((name) => ({ file: join(standard, name) })),
];

const started = performance.now();
const training = samplesOf(glyphPictures(learned, SEED), Number(values.samples));
console.log(`${training.labels.length} pictures of ${CLASSES.length} classes in ${seconds()} s`);
const unseen = samplesOf(glyphPictures(filesOf(UNSEEN), SEED + 1), 40);
const network = learnNetwork(training, Number(values.rounds));
const bytes = encodeGlyphNetwork(network);
await writeFile(fileURLToPath(new URL('../../src/tables/outline-glyphs.bin', import.meta.url)), bytes);
report(decodeGlyphNetwork(bytes), unseen);
console.log(`${bytes.length} bytes, ${seconds()} s`);

function seconds() {
  return ((performance.now() - started) / 1000).toFixed(0);
}

function samplesOf(draw, count) {
  const features = [],
    labels = [];
  CLASSES.forEach((text, label) => {
    const wanted = text === '' ? 8 * count : /[0-9]|[.⌀±°R,+-]/.test(text) ? 2 * count : count;
    for (let i = 0; i < wanted; i++) {
      const picture = draw(text);
      const found = picture && glyphFeatures(picture.pixels, picture.width, picture.height, picture.place);
      if (found === undefined) continue;
      features.push(found);
      labels.push(label);
    }
  });
  return { features, labels };
}

/** One hidden layer of rectified units; Adam (Kingma and Ba 2015) on batches, the rate falling to nothing. */
function learnNetwork({ features, labels }, rounds) {
  const random = randomOf(SEED);
  const gauss = (size) => size * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const count = CLASSES.length;
  const hidden = Float64Array.from({ length: HIDDEN * GLYPH_FEATURES }, () => gauss(Math.sqrt(2 / GLYPH_FEATURES)));
  const output = Float64Array.from({ length: count * HIDDEN }, () => gauss(Math.sqrt(1 / HIDDEN)));
  const hiddenBias = new Float32Array(HIDDEN),
    outputBias = new Float32Array(count);
  const parameters = [hidden, hiddenBias, output, outputBias].map((values) => ({
    values,
    slope: new Float64Array(values.length),
    mean: new Float32Array(values.length),
    square: new Float32Array(values.length),
  }));
  const [dHidden, dHiddenBias, dOutput, dOutputBias] = parameters.map(({ slope }) => slope);
  const order = Uint32Array.from(labels, (_, i) => i);
  const steps = Math.ceil(labels.length / BATCH) * rounds;
  const units = new Float64Array(HIDDEN),
    errors = new Float64Array(HIDDEN),
    shares = new Float64Array(count);
  // Features are mostly zero: only the others are gone through.
  const places = new Uint16Array(GLYPH_FEATURES),
    input = new Float64Array(GLYPH_FEATURES);
  let step = 0;
  for (let round = 0; round < rounds; round++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    let loss = 0;
    for (let from = 0; from < order.length; from += BATCH) {
      for (const { slope } of parameters) slope.fill(0);
      const batch = order.subarray(from, from + BATCH);
      for (const at of batch) {
        const label = labels[at];
        let filled = 0;
        features[at].forEach((value, i) => {
          if (value === 0) return;
          places[filled] = i;
          input[filled++] = value;
        });
        for (let unit = 0; unit < HIDDEN; unit++) {
          let sum = hiddenBias[unit];
          const row = unit * GLYPH_FEATURES;
          for (let i = 0; i < filled; i++) sum += hidden[row + places[i]] * input[i];
          units[unit] = Math.max(sum, 0);
        }
        let most = -Infinity,
          total = 0;
        for (let each = 0; each < count; each++) {
          let sum = outputBias[each];
          for (let unit = 0; unit < HIDDEN; unit++) sum += output[each * HIDDEN + unit] * units[unit];
          shares[each] = sum;
          if (sum > most) most = sum;
        }
        for (let each = 0; each < count; each++) total += shares[each] = Math.exp(shares[each] - most);
        loss -= Math.log(shares[label] / total + 1e-12);
        errors.fill(0);
        for (let each = 0; each < count; each++) {
          const error = shares[each] / total - (each === label ? 1 : 0);
          if (Math.abs(error) < 1e-3) continue;
          dOutputBias[each] += error;
          for (let unit = 0; unit < HIDDEN; unit++) {
            dOutput[each * HIDDEN + unit] += error * units[unit];
            errors[unit] += error * output[each * HIDDEN + unit];
          }
        }
        for (let unit = 0; unit < HIDDEN; unit++) {
          if (units[unit] === 0) continue;
          dHiddenBias[unit] += errors[unit];
          const row = unit * GLYPH_FEATURES,
            error = errors[unit];
          for (let i = 0; i < filled; i++) dHidden[row + places[i]] += error * input[i];
        }
      }
      step++;
      const rate = (0.001 * (1 - step / (steps + 1)) * Math.sqrt(1 - 0.999 ** step)) / (1 - 0.9 ** step);
      for (const { values: weights, slope, mean, square } of parameters) {
        for (let i = 0; i < weights.length; i++) {
          const each = slope[i] / batch.length;
          mean[i] = 0.9 * mean[i] + 0.1 * each;
          square[i] = 0.999 * square[i] + 0.001 * each * each;
          weights[i] -= rate * (mean[i] / (Math.sqrt(square[i]) + 1e-8) + 1e-4 * weights[i]);
        }
      }
    }
    console.log(`round ${round + 1}: loss ${(loss / order.length).toFixed(3)}, ${seconds()} s`);
  }
  return {
    classes: CLASSES,
    hidden: { weights: Float32Array.from(hidden), bias: hiddenBias },
    output: { weights: Float32Array.from(output), bias: outputBias },
  };
}

function report(learnedNetwork, { features, labels }) {
  const wrong = new Map();
  let right = 0,
    two = 0,
    digits = 0,
    digitsRight = 0;
  features.forEach((each, i) => {
    const shares = classify(learnedNetwork, each);
    const best = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 2);
    const isRight = best[0] === labels[i];
    if (isRight) right++;
    else
      wrong.set(
        `${CLASSES[labels[i]]}>${CLASSES[best[0]]}`,
        (wrong.get(`${CLASSES[labels[i]]}>${CLASSES[best[0]]}`) ?? 0) + 1,
      );
    if (best.includes(labels[i])) two++;
    if (/[0-9]/.test(CLASSES[labels[i]])) {
      digits++;
      if (isRight) digitsRight++;
    }
  });
  console.log(
    `fonts not seen: ${(right / labels.length).toFixed(4)} of ${labels.length} read, among the first two ${(two / labels.length).toFixed(4)}; digits ${(digitsRight / digits).toFixed(4)} of ${digits}`,
  );
  console.log(
    `most often: ${[...wrong]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 40)
      .map(([pair, times]) => `${pair} ${times}`)
      .join(', ')}`,
  );
}
