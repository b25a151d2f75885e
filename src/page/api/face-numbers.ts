/** Most faces that are looked for, and lit in pictures: their numbers must fit the address of a request. */
export const MOST_FACES = 1_000;

const LIST = /^\d{1,7}(-\d{1,7})?(,\d{1,7}(-\d{1,7})?)*$/;

/** Numbers of faces as text, rising: `3,4,7-9`; '' for none. */
export function facesText(faces: readonly number[]): string {
  const rising = [...new Set(faces)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0, to = 0; from < rising.length; from = to) {
    for (to = from + 1; to < rising.length && rising[to] === rising[to - 1] + 1; to++);
    parts.push(to - from > 2 ? `${rising[from]}-${rising[to - 1]}` : rising.slice(from, to).join());
  }
  return parts.join();
}

/** The numbers that a text lists, at most {@link MOST_FACES}; none of an invalid one. */
export function facesOf(text: string): number[] {
  if (!LIST.test(text)) return [];
  const faces: number[] = [];
  for (const part of text.split(',')) {
    const [first, last = first] = part.split('-').map(Number);
    for (let face = first; face <= last && faces.length < MOST_FACES; face++) faces.push(face);
  }
  return faces;
}
