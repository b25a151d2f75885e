/** Exact BM25 over all records of a bench. */
import { termsOf } from '../../dist/words/terms.js';
import { FIELD_WEIGHTS } from '../../dist/words/file-terms.js';

/**
 * Returns a function that compares a ranking with the exact one: share of the best `fileIds.length` that it contains,
 * and how much lower its scores are.
 */
export function exactRanking(store, records, count) {
  const numbers = new Map();
  const numberOf = (term) => numbers.get(term) ?? (numbers.set(term, numbers.size), numbers.size - 1);
  const lengths = new Uint32Array(count);
  const postings = [];
  for (let i = 0; i < count; i++) {
    const { path, attributes } = store.rooms.words.terms.labels(i + 1);
    const weights = new Map();
    const add = (text, weight) => {
      for (const { term } of termsOf(text)) {
        lengths[i]++;
        const number = numberOf(term);
        weights.set(number, (weights.get(number) ?? 0) + weight);
      }
    };
    add(path, FIELD_WEIGHTS.name);
    for (const { value } of attributes) add(value, FIELD_WEIGHTS.attribute);
    add(records.record(i).text, FIELD_WEIGHTS.text);
    for (const [number, weight] of weights) (postings[number] ??= []).push(i, weight);
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / count;
  return (words, fileIds) => {
    const lists = [...new Set(words)].map((word) => new Map(pairs(postings[numbers.get(word)] ?? [])));
    const scores = new Map();
    for (const [file] of lists[0]) {
      if (!lists.every((list) => list.has(file))) continue;
      scores.set(
        file,
        lists.reduce((sum, list) => {
          const w = list.get(file);
          return (
            sum +
            (Math.log(1 + (count - list.size + 0.5) / (list.size + 0.5)) * w * 2.2) /
              (w + 1.2 * (0.25 + (0.75 * lengths[file]) / average))
          );
        }, 0),
      );
    }
    const best = [...scores.values()].sort((a, b) => b - a).slice(0, Math.max(1, fileIds.length));
    const worst = best.at(-1) ?? 0;
    const found = fileIds.map((id) => scores.get(id - 1) ?? 0);
    const sum = (list) => list.reduce((total, value) => total + value, 0);
    return {
      share: found.filter((score) => score >= worst - 1e-9).length / best.length,
      loss: 1 - sum(found) / sum(best),
    };
  };
}

function* pairs(list) {
  for (let i = 0; i < list.length; i += 2) yield [list[i], list[i + 1]];
}
