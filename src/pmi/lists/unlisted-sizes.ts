import { addTo } from '../../content/groups.js';
import type { Property } from '../../content/text.js';
import { plainSigns } from '../dimension-text.js';
import { inspectionList, type InspectionRow } from '../inspection.js';
import { isRepeated, PMI_TYPE, sentenceOf, type Pmi, type PmiObject } from '../pmi.js';
import { sizesIn } from '../sizes/callouts.js';

/** Most cells of tables that are read as sizes. */
const MOST_CELLS = 2_000;

/** What is on a drawing's sheets and in no row of the inspector's list. */
export interface UnlistedSizes {
  /** Texts of dimensions, and of leaders with a figure, that no list goes through. */
  readonly sizes: readonly string[];
  /** Cells of tables with a size that has a sign or a tolerance. */
  readonly cells: readonly string[];
}

/**
 * Sizes that were found and have no row in the inspector's list, so that nobody takes that list for complete.
 * @param attributes those of the file, as `inspectionList` has them.
 */
export function unlistedSizes(pmi: Pmi, attributes: readonly Pick<Property, 'name' | 'value'>[]): UnlistedSizes {
  const listed = new Map<string, InspectionRow[]>();
  const keyOf = (page: number, id: number): string => `${page} ${id}`;
  for (const row of inspectionList(pmi, attributes)) addTo(listed, keyOf(row.page, row.id), row);
  // Values of the title block: a cap nut that is called `Capnut M8` has its size in no list.
  const values = new Set((pmi.fields ?? []).map(({ value }) => value));
  const sizes: string[] = [];
  const cells: string[] = [];
  for (const { page, objects } of pmi.pages) {
    for (const object of objects) {
      if (isRepeated(object, pmi.pages)) continue;
      const rows = listed.get(keyOf(page, object.id)) ?? [];
      if (object.typeId === PMI_TYPE.table)
        cells.push(...cellsWithSizes(object, rows).filter((cell) => !values.has(cell)));
      else if (object.group === 'Measurement' && rows.length === 0 && /\d/.test(sentenceOf(object)))
        sizes.push(sentenceOf(object));
    }
  }
  return { sizes, cells };
}

function cellsWithSizes({ parts }: PmiObject, rows: readonly InspectionRow[]): string[] {
  return parts.slice(0, MOST_CELLS).flatMap(({ text }) => {
    const readings = sizesIn(text);
    const plain = plainSigns(text);
    // `C1`, `R2` may be names in a table.
    const isMarked =
      !/^[A-Z]\d{1,2}$/.test(plain.replace(/^M(?=\d)/, '')) &&
      readings.some(({ kind, toleranceTexts }) => kind !== 'length' || toleranceTexts.length > 0);
    return isMarked && !rows.some(({ reading }) => plain.includes(reading) || reading.includes(plain)) ? [text] : [];
  });
}
