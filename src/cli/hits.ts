import { becauseText, SEARCH_LIMITS, type SearchHit, type SearchResult } from '../index.js';
import { boxSize, count, oneLine, plural, volume } from './format.js';
import { paintFor, type Paint } from './output.js';
import { renderTable, type Column } from './table.js';

/** A column of the table of hits. */
interface HitColumn extends Column {
  readonly cell: (hit: SearchHit, place: number) => string;
}

const PLACE: HitColumn = { title: '#', align: 'right', cell: (_, place) => count(place) };
const FILE: HitColumn = { title: 'File', keep: 'end', least: 24, cell: fileAndPart };
const KIND: HitColumn = { title: 'Kind', spare: 3, cell: ({ kind }) => kind };
const SCORE: HitColumn = { title: 'Score', align: 'right', spare: 2, cell: ({ score }) => score.toFixed(4) };
const SIZES: readonly HitColumn[] = [
  { title: 'Smallest box, mm', align: 'right', spare: 5, cell: ({ bboxSizeMm }) => boxSize(bboxSizeMm) },
  { title: 'Volume', align: 'right', spare: 4, cell: ({ volumeMm3 }) => volume(volumeMm3) },
];
const BECAUSE: HitColumn = { title: 'Because', keep: 'start', least: 30, spare: 6, cell: reasons };
const BY_SHAPE: readonly HitColumn[] = [
  PLACE,
  { title: 'Similar', align: 'right', cell: ({ similarity }) => `${similarity!.toFixed(1)} %` },
  { title: 'Match', spare: 1, cell: ({ matchClass }) => matchClass! },
  SCORE,
  FILE,
  ...SIZES,
  BECAUSE,
];
/** Columns for a search for a shape inside others. */
const BY_HELD: readonly HitColumn[] = [
  PLACE,
  { title: 'Held', align: 'right', cell: ({ coverage }) => `${(100 * coverage!).toFixed(1)} %` },
  { title: 'Where', least: 16, cell: whereHeld },
  SCORE,
  FILE,
  ...SIZES,
  BECAUSE,
];
/** Columns for results in which drawings or images take part. */
const BY_VIEWS: readonly HitColumn[] = [
  ...BY_SHAPE.slice(0, 3),
  { title: 'Matched', spare: 3, cell: matchedView },
  SCORE,
  KIND,
  FILE,
  ...SIZES,
  BECAUSE,
];
const FOUND: HitColumn = { title: 'Found', keep: 'start', least: 30, cell: foundText };
const BY_WORDS: readonly HitColumn[] = [PLACE, SCORE, KIND, FILE, FOUND];
const BY_ATTRIBUTES: readonly HitColumn[] = [PLACE, KIND, FILE, FOUND, ...SIZES];
const BY_PATH: readonly HitColumn[] = [PLACE, KIND, FILE, ...SIZES];

const FAR_LINE = '-- less similar --';

/** Of several inputs: the number, from 1, of the one that the hit is nearest to. */
const LIKE: HitColumn = { title: 'Like', align: 'right', cell: ({ input }) => `query ${input! + 1}` };

/** Explains the columns of a search by shape. */
export const HITS_LEGEND =
  'Similar: 100 % is the same shape. Score: the distance behind it, 0 is the same. ' +
  'Match: the same part (identical), its mirror image, a scaled copy, or similar. ' +
  'Held, with --contains: the share of the shape that the file holds.';

/**
 * A ranked table: the inputs in the first rows if there are any, then the hits, nearest first.
 * @param names of the inputs
 */
export function renderHits(
  result: SearchResult,
  { names, offset }: { readonly names: readonly string[]; readonly offset: number },
): string {
  const { hits, inputs, total, facets, warnings = [] } = result;
  const nothing = ['No file matches.', ...warnings].join(' ');
  if (hits.length === 0 && inputs.length === 0) return nothing;
  const paint = paintFor(process.stdout);
  const byViews =
    inputs.some(({ kind }) => kind !== 'ThreeD') || hits.some(({ shapeMatch }) => shapeMatch !== undefined);
  const isHeld = hits.some(({ coverage }) => coverage !== undefined);
  const isOfMany = inputs.length > 1;
  const columns =
    inputs.length > 0
      ? isHeld
        ? BY_HELD
        : [PLACE, ...(isOfMany ? [LIKE] : []), ...(byViews ? BY_VIEWS : BY_SHAPE).slice(1)]
      : hits.some(({ score }) => score > 0)
        ? BY_WORDS
        : hits.some(({ textHighlights }) => textHighlights.length > 0)
          ? BY_ATTRIBUTES
          : BY_PATH;
  const rows = hits.map((hit, index) => columns.map(({ cell }) => cell(hit, offset + index + 1)));
  const far = isHeld
    ? -1
    : hits.findIndex(({ similarity }) => similarity !== null && similarity < SEARCH_LIMITS.lessSimilarBelow);
  if (far >= 0)
    rows.splice(
      far,
      0,
      columns.map((column) => (column === FILE ? FAR_LINE : '')),
    );
  const query = inputs.map((input, i) => [
    ...(isOfMany ? ['', ''] : ['']),
    '',
    isOfMany ? `query ${i + 1}` : 'query',
    '',
    ...(byViews && !isHeld ? ['', input.kind] : []),
    names[i] ?? '',
    boxSize(input.bboxSizeMm),
    volume(input.volumeMm3),
    '',
  ]);
  const table = renderTable(columns, [...query, ...rows], {
    title: paint.dim,
    cell: (cell, row) =>
      row < query.length ? paint.bold(cell) : cell === FAR_LINE ? paint.dim(cell) : paintMatch(cell, paint),
  });
  const kinds = Object.entries(facets?.kinds ?? {})
    .filter(([, files]) => files > 0)
    .map(([kind, files]) => `${kind} ${count(files)}`);
  const shown =
    hits.length === 0
      ? total === 0
        ? nothing
        : `No more: ${plural(total, 'file')} in all.`
      : `${offset + 1} to ${offset + hits.length} of ${plural(total, 'file')}.`;
  return `${table}\n\n${shown}${kinds.length > 1 ? ` ${kinds.join(', ')}.` : ''}`;
}

/** The path; for a component also its name and its number of occurrences. */
function fileAndPart({ path, component }: SearchHit): string {
  return component === undefined
    ? path
    : `${path} › ${oneLine(component.name) || '(no name)'}, ${component.occurrences} ×`;
}

/** How often a file holds the shape that was looked for, and on how many faces. */
function whereHeld({ occurrences = 1, faces = [], mirrored = false }: SearchHit): string {
  const times = occurrences > 1 ? `${count(occurrences)} times` : 'once';
  const on = faces.length === 0 ? '' : `, on ${plural(faces.length, 'face')}`;
  return `${times}${on}${mirrored ? '; more of its mirror image' : ''}`;
}

/** Why the hit was found. */
function reasons({ because }: SearchHit): string {
  return because.map(becauseText).join('; ');
}

/** The number, from 1, of the hit's shape that is nearest to the query's. */
function matchedView({ shapeMatch }: SearchHit): string {
  if (shapeMatch === undefined) return 'surface';
  const { page, shapelet } = shapeMatch;
  return page === null ? `view ${shapelet + 1}` : `page ${page}, view ${shapelet + 1}`;
}

/** Most UTF-16 units of a snippet that are shown before its first match. */
const LEAD = 24;

/** The first match in a hit's text, and every match in its attributes. */
function foundText({ textHighlights }: SearchHit): string {
  const [first] = textHighlights;
  if (first === undefined) return '';
  const shown = first.field === 'attribute' ? textHighlights.filter(({ field }) => field === 'attribute') : [first];
  const page = first.page === null || first.page === 1 ? '' : `p. ${first.page}: `;
  return page + shown.map((highlight) => fromFirstPlace(highlight).replace(/\s+/gu, ' ').trim()).join('; ');
}

/** Cuts the text that stands far before the first match, because the column is narrow. */
function fromFirstPlace({ field, snippet, ranges: [first] }: SearchHit['textHighlights'][number]): string {
  if (field !== 'text' || first === undefined || first.start <= LEAD) return snippet;
  const space = snippet.indexOf(' ', first.start - LEAD);
  return `…${snippet.slice(space >= 0 && space < first.start ? space + 1 : first.start)}`;
}

function paintMatch(cell: string, paint: Paint): string {
  if (cell === 'identical') return paint.green(cell);
  return cell === 'mirrored' || cell === 'scaled' ? paint.yellow(cell) : cell;
}
