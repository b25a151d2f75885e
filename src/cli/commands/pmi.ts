import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { EngineError, nameOfPmiType, PMI_TYPE, type Company, type Pmi, type PmiObject } from '../../index.js';
import { isFile } from '../disk.js';
import { checkNamed, findRecord } from '../find-record.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { unitOption, type ReadingOptions } from '../reading-options.js';
import { renderTable, type Column } from '../table.js';

interface PmiOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly overlay?: string;
  readonly page?: number;
}

/** `shapedex pmi <file|uid>`: dimensions, tolerances and annotations of a drawing. */
export function pmiCommand(): Command {
  return withLibraryOptions(new Command('pmi'))
    .description('show the dimensions, tolerances and annotations of a drawing, or of a STEP model that carries them')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .option('--overlay <file.png>', 'also draw the page with a box and its reading about each')
    .option('--page <n>', 'this page alone (default: all, and --overlay draws the first with annotations)', pageNumber)
    .addOption(unitOption())
    .action(async (word: string, options: PmiOptions) => {
      await checkNamed(word, options.library);
      if (!(await isFile(word)))
        return inLibrary(options, async ({ company }) => show(company, (await findRecord(company, word)).uid, options));
      // A temporary library: none has to exist, and nothing is kept.
      const library = await mkdtemp(join(tmpdir(), 'shapedex-pmi-'));
      try {
        await inLibrary({ ...options, library, create: true, workers: 1 }, async ({ company }) => {
          const { uid, state, error } = await company.put(basename(word), await readFile(word), { textOnly: true });
          if (state === 'failed')
            throw new EngineError(
              error?.code ?? 'WORKER_FAILED',
              `${word}: ${error?.message ?? 'it could not be read'}`,
            );
          await show(company, uid, options);
        });
      } finally {
        await rm(library, { recursive: true, force: true });
      }
    });
}

async function show(company: Company, uid: string, options: PmiOptions): Promise<void> {
  const output = openOutput(options);
  const pmi = await company.pmi(uid);
  if (pmi === undefined)
    throw new EngineError(
      'NO_GEOMETRY',
      'the file carries no dimensions: it is no drawing, and no model with annotations as data (AP242)',
    );
  const shown = pagesOf(pmi, options.page);
  const { extractedAttributes } = await company.get(uid);
  output.emit({ ...shown, attributes: extractedAttributes });
  if (!output.json) output.say(rendered(shown));
  if (options.overlay === undefined) return;
  await writeFile(options.overlay, await company.pictures.pmi(uid, { page: options.page }));
  output.note(`Overlay: ${options.overlay}`);
}

/** @throws EngineError `NO_GEOMETRY` for a page that does not exist. */
function pagesOf(pmi: Pmi, wanted: number | undefined): Pmi {
  const pages = pmi.pages.filter(({ page }) => wanted === undefined || page === wanted);
  if (wanted === undefined || pages.length > 0) return { ...pmi, pages };
  throw new EngineError(
    'NO_GEOMETRY',
    `there is no page ${wanted} with line work; there is ${pmi.pages.length === 1 ? 'page' : 'pages'} ${pmi.pages.map(({ page }) => page).join(', ')}`,
  );
}

const PAGE: Column = { title: 'page', spare: 3 };
const COLUMNS: readonly Column[] = [
  { title: 'type', spare: 2 },
  { title: 'group', spare: 1 },
  { title: 'reading', least: 20 },
];
const BOX: Column = { title: 'box', spare: 4 };

/** Leaves out signs, which are part of their control frames, and the page number of models, which have no pages. */
function rendered({ pages }: Pmi): string {
  const isPlaced = pages.some(({ widthPx }) => widthPx > 0),
    isLong = pages.length > 1;
  const rows = pages.flatMap(({ page, objects }) => {
    const hasFrame = objects.some(({ typeId: type }) => type === PMI_TYPE.controlFrame);
    return objects
      .filter((object) => !(hasFrame && isSign(object)))
      .map((object) => [
        ...(isLong ? [String(page)] : []),
        nameOfPmiType(object.typeId),
        object.group,
        readingOf(object),
        ...(isPlaced ? [object.box.join(' ')] : []),
      ]);
  });
  return rows.length === 0
    ? 'No dimensions or annotations.'
    : renderTable([...(isLong ? [PAGE] : []), ...COLUMNS, ...(isPlaced ? [BOX] : [])], rows);
}

function isSign({ typeId: type }: PmiObject): boolean {
  return type === PMI_TYPE.diameterSymbol || (type >= PMI_TYPE.parallel && type <= PMI_TYPE.position);
}

function readingOf({ parts }: PmiObject): string {
  return parts
    .map(({ text, tolerance = [] }) => [text, ...tolerance].join(' '))
    .join(' / ')
    .slice(0, 100);
}

function pageNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
