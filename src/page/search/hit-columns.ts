import { signal } from '@preact/signals';
import type { WireHit } from '../api/endpoints.js';
import { areaText, boxText, momentText, volumeText } from '../common/figures.js';
import { readUnit, readValue, sentenceInUnits } from '../common/in-units.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { labelOf, readAttribute } from '../common/attribute-text.js';

/** A column of the list of hits. */
export interface HitColumn {
  /** Of an attribute: its name and unit behind an `@`. */
  readonly id: string;
  readonly title: string;
  /** CSS width, px. */
  readonly width: number;
  readonly text: (hit: WireHit) => string;
}

/** Most attributes that can be columns. */
const MOST_ATTRIBUTES = 12;
const STORED = 'shapedex.columns';

const MEASURES: readonly HitColumn[] = [
  { id: 'kind', title: 'Kind', width: 80, text: ({ kind }) => KIND_NAMES[kind].one },
  {
    id: 'size',
    title: 'Size',
    width: 184,
    text: ({ bboxSizeMm }) => (bboxSizeMm === null ? '' : boxText(bboxSizeMm)),
  },
  {
    id: 'volume',
    title: 'Volume',
    width: 96,
    text: ({ volumeMm3 }) => (volumeMm3 === null ? '' : volumeText(volumeMm3)),
  },
  {
    id: 'surface',
    title: 'Surface',
    width: 96,
    text: ({ surfaceAreaMm2 }) => (surfaceAreaMm2 === null ? '' : areaText(surfaceAreaMm2)),
  },
  {
    id: 'why',
    title: 'Why',
    width: 260,
    text: ({ because }) => because.map(({ text }) => sentenceInUnits(text)).join('; '),
  },
  { id: 'added', title: 'Added', width: 136, text: ({ addedAt }) => momentText(addedAt) },
];

/** The columns that are shown, by id; kept in local storage. */
export const shownColumns = signal<readonly string[]>(readShown());

/** Shows a column, or hides it. */
export function showColumn(id: string, isShown: boolean): void {
  const others = shownColumns.value.filter((other) => other !== id);
  shownColumns.value = isShown ? [...others, id] : others;
  localStorage.setItem(STORED, JSON.stringify(shownColumns.value));
}

/** The columns that these hits can have: measures, and the attributes that most of them have. */
export function columnsOf(hits: readonly (WireHit | undefined)[]): readonly HitColumn[] {
  const counts = new Map<string, number>();
  for (const hit of hits)
    for (const text of hit?.attributes ?? []) {
      const label = labelOf(readAttribute(text));
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  const attributes = [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, MOST_ATTRIBUTES)
    .map(([label]): HitColumn => {
      const { name, unit } = readAttribute(`${label}=`);
      const read = readUnit(unit);
      return {
        id: `@${label}`,
        title: labelOf({ name, unit: read.unit }),
        width: 128,
        text: ({ attributes: texts }) =>
          texts
            .map(readAttribute)
            .filter((attribute) => labelOf(attribute) === label)
            .flatMap(({ values }) => values.map((value) => readValue(value, read)))
            .join(', '),
      };
    });
  return [...MEASURES, ...attributes];
}

function readShown(): readonly string[] {
  const first = ['size', 'volume', 'why', '@Material'];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : first;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return first;
  }
}
