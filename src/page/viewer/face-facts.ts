import { readFaces, type WireFace } from '../api/endpoints.js';
import { figure, lengthText } from '../common/figures.js';

/** The faces of a model by number; equal placements have the same. */
export type FaceFacts = ReadonlyMap<number, WireFace>;

/** Models whose faces are kept. */
const MOST_KEPT = 4;
const kept = new Map<string, Promise<FaceFacts>>();

/** Loads the faces of a model, once. @throws ApiError. */
export function faceFacts(uid: string): Promise<FaceFacts> {
  const known = kept.get(uid);
  if (known !== undefined) return known;
  const loading = readFaces(uid).then(
    (faces) => new Map((faces ?? []).filter(({ number }) => number >= 0).map((face) => [face.number, face])),
  );
  kept.set(uid, loading);
  loading.catch(() => kept.delete(uid));
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return loading;
}

/** These faces and all that follow them without an edge that a hand would feel. */
export function withTangent(facts: FaceFacts, faces: readonly number[]): number[] {
  const found = new Set(faces);
  // A set also goes through what is added meanwhile.
  for (const face of found)
    for (const { number, edge } of facts.get(face)?.neighbours ?? [])
      if (edge === 'smooth' && number >= 0) found.add(number);
  return [...found];
}

/** What faces are: `2 planes, 1 hollow cylinder ⌀ 8 mm`. */
export function factsText(facts: FaceFacts, faces: readonly number[]): string {
  const counts = new Map<string, number>();
  for (const number of faces) {
    const face = facts.get(number);
    const words = face === undefined ? 'face' : wordsOf(face);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(
    ([words, count]) => `${count} ${count === 1 ? words : words.replace(/^[a-z ]+[a-z]/, plural)}`,
  );
  return parts.length > MOST_TOLD ? `${parts.slice(0, MOST_TOLD).join(', ')} and others` : parts.join(', ');
}

const MOST_TOLD = 4;

function wordsOf({ kind, isHollow, radiusMm, tubeRadiusMm, halfAngleRad }: WireFace): string {
  const side = isHollow ? 'hollow ' : '';
  if (kind === 'plane') return 'plane';
  if (kind === 'free') return 'free face';
  if (kind === 'cone') return `${side}cone of ${figure((360 * halfAngleRad) / Math.PI)}°`;
  const tube = kind === 'torus' ? `, tube radius ${lengthText(tubeRadiusMm)}` : '';
  return `${side}${kind} ⌀ ${lengthText(2 * radiusMm)}${tube}`;
}

function plural(words: string): string {
  return words.endsWith('torus') ? `${words} faces` : words.replace(/( of)?$/, (end) => `s${end}`);
}
