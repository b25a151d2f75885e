import { EngineError } from '../errors.js';
import type { Pmi, PmiObject, PmiPage, TolerancedText } from './pmi.js';

/** The JSON of PMI as the catalogue keeps it: {@link Pmi}, without what else the caller holds. */
export function storedPmi({ version, pages, fields }: Pmi): string {
  return JSON.stringify({ version, pages, ...(fields !== undefined && { fields }) });
}

/**
 * PMI from what its stored JSON says. Libraries that were written before December 2026 hold other names, which are read
 * here, so that no file has to be indexed again.
 * @throws EngineError `LIBRARY_DAMAGED` where it has neither form.
 */
export function parsePmi(stored: Pmi | EarlierPmi): Pmi {
  const { pages } = stored as { readonly pages?: unknown };
  if (!isListOf(pages, isPage)) throw new EngineError('LIBRARY_DAMAGED', DAMAGED);
  if (!('BEVersion' in stored)) return stored;
  return { version: Number(stored.BEVersion), pages: stored.pages.map(pageOf) };
}

const DAMAGED =
  'the catalogue is damaged: the PMI of a file has no pages of annotations; put the file again to have it read anew';

type Fields = Readonly<Record<string, unknown>>;

function isListOf(value: unknown, isOne: (each: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && isOne(each));
}

function isPage({ page, objects }: Fields): boolean {
  return typeof page === 'number' && isListOf(objects, isObject);
}

/** In the form of today, or in that of earlier libraries. */
function isObject({ box, parts, type_id: earlierType }: Fields): boolean {
  const areTexts = isListOf(parts, ({ text }) => typeof text === 'string');
  return Array.isArray(box) && (areTexts || (parts === undefined && typeof earlierType === 'number'));
}

/** The form of earlier libraries. */
export interface EarlierPmi {
  readonly BEVersion: string;
  readonly pages: readonly {
    readonly page: number;
    readonly ImageSize: readonly [width: number, height: number];
    readonly objects: readonly EarlierObject[];
  }[];
}

/** Its words are one text with its tolerance, several texts without one, or several of which some have one. */
interface EarlierObject extends Omit<PmiObject, 'typeId' | 'id' | 'parts'> {
  readonly type_id: PmiObject['typeId'];
  readonly _id: number;
  readonly text?: string | readonly string[];
  readonly tol?: readonly string[];
  readonly mtext?: readonly EarlierText[];
}

interface EarlierText {
  readonly text: string;
  readonly tol?: readonly string[];
}

function pageOf({ page, ImageSize: [widthPx, heightPx], objects }: EarlierPmi['pages'][number]): PmiPage {
  return { page, widthPx, heightPx, objects: objects.map(objectOf) };
}

function objectOf({ type_id: typeId, _id: id, group, box, faces, text, tol, mtext }: EarlierObject): PmiObject {
  const texts =
    mtext ?? (typeof text === 'string' ? [{ text, tol }] : (text ?? []).map((each): EarlierText => ({ text: each })));
  return { typeId, id, group, box, parts: texts.map(partOf), ...(faces !== undefined && { faces }) };
}

function partOf({ text, tol }: EarlierText): TolerancedText {
  return tol === undefined ? { text } : { text, tolerance: tol };
}
