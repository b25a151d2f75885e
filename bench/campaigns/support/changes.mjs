/** The ways in which a mutant differs from the sound file that it was. */
import { mulberry32 } from '../../parts/reference/kit.mjs';

const CHANGES = { bits, splice, cut, numbers, nesting };

/** Mutant `number`: a file of the corpus in turn, changed as seed and number say. */
export function mutantOf(corpus, seed, number) {
  const random = mulberry32(seed * 1_000_003 + number);
  const [extension, sound] = corpus[number % corpus.length];
  const names = Object.keys(CHANGES);
  const change = names[Math.floor(random() * names.length)];
  return { name: `mutant-${number}.${extension}`, bytes: CHANGES[change](sound, random), change };
}

function bits(bytes, random) {
  const copy = Buffer.from(bytes);
  for (let flips = 1 + Math.floor(8 * random()); flips > 0 && copy.length > 0; flips--)
    copy[Math.floor(random() * copy.length)] ^= 1 << Math.floor(8 * random());
  return copy;
}

function splice(bytes, random) {
  const copy = Buffer.from(bytes);
  const from = Math.floor(random() * copy.length);
  copy.copyWithin(Math.floor(random() * copy.length), from, from + 1 + Math.floor(2_000 * random()));
  return copy;
}

function cut(bytes, random) {
  return Buffer.from(bytes.subarray(0, 1 + Math.floor(random() * bytes.length)));
}

const NUMBERS = ['0', '-1', '1e308', '4294967295', '2147483648', 'NaN', '0.0000001', '99999999999999999999'];

/** In text: words of digits; elsewhere: four bytes at a time. */
function numbers(bytes, random) {
  const text = bytes.toString('latin1');
  if (!text.includes('\0')) {
    const share = 10 ** (-3 * random());
    const changed = text.replace(/\d+(\.\d+)?/g, (word) =>
      random() < share ? NUMBERS[Math.floor(random() * NUMBERS.length)] : word,
    );
    return Buffer.from(changed, 'latin1');
  }
  const copy = Buffer.from(bytes);
  for (let count = 1 + Math.floor(4 * random()); count > 0 && copy.length > 4; count--) {
    const value = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000][Math.floor(6 * random())];
    const at = Math.floor(random() * (copy.length - 4));
    if (random() < 0.5) copy.writeUInt32LE(value, at);
    else copy.writeUInt32BE(value, at);
  }
  return copy;
}

/** A part of the file, repeated in its own middle. */
function nesting(bytes, random) {
  const from = Math.floor(random() * bytes.length);
  const part = bytes.subarray(from, from + 1 + Math.floor(200 * random()));
  const times = 1 + Math.floor(2 ** (10 * random()));
  return Buffer.concat([bytes.subarray(0, from), ...new Array(times).fill(part), bytes.subarray(from)]);
}
