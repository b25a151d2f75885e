import { InvalidArgumentError } from 'commander';

/** Most numbers that a text may stand for. */
const MOST_NUMBERS = 10_000;

/**
 * Numbers of faces as `--faces` takes them: `3-7,12`, rising, each once; those below 0 (of no face in the file) left
 * out.
 */
export function faceNumbersText(faces: readonly number[]): string {
  const numbers = [...new Set(faces)].filter((face) => face >= 0).sort((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** The numbers of such a text. @throws InvalidArgumentError */
export function readFaceNumbers(text: string): number[] {
  const wrong = () =>
    new InvalidArgumentError('It must be numbers of faces from 0 and ranges of them, such as 3-7,12.');
  const numbers = text.split(/[,\s]+/).flatMap((piece) => {
    const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(piece) ?? [];
    if (first === undefined || Number(last) < Number(first)) throw wrong();
    const count = Number(last) - Number(first) + 1;
    if (count > MOST_NUMBERS) throw wrong();
    return Array.from({ length: count }, (_, i) => Number(first) + i);
  });
  if (numbers.length > MOST_NUMBERS) throw wrong();
  return [...new Set(numbers)];
}
