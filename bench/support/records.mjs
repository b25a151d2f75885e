/**
 * A generated library of text records of any size, for benches of search by words: texts of drawings with realistic
 * names and attributes. Words follow Zipf's law over an invented vocabulary of 50 000, so the commonest are in every
 * record, like "the", and half of the vocabulary is in few records. A record depends only on its number and the seed.
 */
import { mulberry32 } from '../parts/reference/kit.mjs';

const VOCABULARY = 50_000;
const SYLLABLES =
  'ba be bi bo ca ce co da de di fa fe ga ge ha he ka la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve wa xe yo za'.split(
    ' ',
  );
const MATERIALS = [
  'Steel 1.4301',
  'Steel S235JR',
  'Aluminium 6061-T6',
  'Brass CuZn39Pb3',
  'PA6-GF30',
  'POM-C',
  'Titanium Grade 5',
  'Cast iron EN-GJL-250',
];
const FINISHES = ['anodised', 'zinc plated', 'passivated', 'black oxide', 'powder coated RAL 7035', 'ground', 'none'];
const STATES = ['released', 'in work', 'obsolete', 'prototype'];

export class Records {
  #words;
  #cumulative;

  constructor(seed = 1) {
    const random = mulberry32(seed);
    const words = new Set();
    while (words.size < VOCABULARY) {
      // The commonest words are short.
      const syllables = 1 + Math.floor(3 * random()) + (words.size > 500 ? 1 : 0);
      const word = Array.from({ length: syllables }, () => SYLLABLES[Math.floor(SYLLABLES.length * random())]).join('');
      words.add(random() < 0.5 ? word : word + 'nrstl'[Math.floor(5 * random())]);
    }
    this.#words = [...words];
    this.#cumulative = new Float64Array(VOCABULARY);
    let sum = 0;
    for (let i = 0; i < VOCABULARY; i++) this.#cumulative[i] = sum += 1 / (i + 1);
  }

  /** A random word, with the frequency that it has in texts. */
  word(random) {
    const wanted = random() * this.#cumulative[VOCABULARY - 1];
    let low = 0;
    for (let high = VOCABULARY - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#cumulative[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return this.#words[low];
  }

  /** A random word of the vocabulary, without the 100 commonest. */
  rareWord(random) {
    return this.#words[100 + Math.floor((VOCABULARY - 100) * random())];
  }

  /** Path, attributes and text (about 200 words, 90 to 450) of a record. */
  record(number) {
    const random = mulberry32(0x9e3779b9 ^ number);
    const words = (count) => Array.from({ length: count }, () => this.word(random));
    const pick = (list) => list[Math.floor(list.length * random())];
    const partNumber = `${pick(['AB', 'KX', 'MTR', 'Z', 'DIN'])}-${100 + Math.floor(900 * random())}/${Math.floor(10_000 * random())}`;
    const length = Math.round(200 * Math.exp((random() + random() + random() - 1.5) * 0.8));
    const number1 = () => (400 * random()).toFixed(Math.floor(3 * random()));
    const lines = [];
    for (let left = length; left > 0; left -= 10) lines.push(words(Math.min(10, left)).join(' '));
    // Dimensions and a part number, as drawings have them.
    lines.splice(
      Math.floor(lines.length / 2),
      0,
      `${number1()} x ${number1()} mm, M${pick([3, 4, 5, 6, 8, 10, 12])}, ${partNumber}`,
    );
    return {
      path: `project ${Math.floor(300 * random())}/${this.rareWord(random)}/${partNumber.replace('/', '_')} ${this.word(random)} ${number}.txt`,
      partNumber,
      attributes: [
        { name: 'PartNumber', unit: '', value: partNumber },
        { name: 'Description', unit: '', value: words(4).join(' ') },
        { name: 'Material', unit: '', value: pick(MATERIALS) },
        { name: 'Finish', unit: '', value: pick(FINISHES) },
        { name: 'Supplier', unit: '', value: `${this.rareWord(mulberry32(Math.floor(200 * random())))} Ltd` },
        { name: 'State', unit: '', value: pick(STATES) },
        { name: 'Revision', unit: '', value: 'ABCDEF'[Math.floor(6 * random())] },
        { name: 'Length', unit: 'mm', value: number1() },
        { name: 'Weight', unit: 'g', value: number1() },
        { name: 'Project', unit: '', value: `P${1000 + Math.floor(300 * random())}` },
      ],
      text: lines.join('\n'),
    };
  }
}
