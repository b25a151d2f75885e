import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { EngineError, type Company, type Pmi, type PmiObject } from '../../index.js';
import { isFile } from '../disk.js';
import { findRecord } from '../find-record.js';
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
    .option('--page <n>', 'which page --overlay draws (default: the first with annotations)', pageNumber)
    .addOption(unitOption())
    .action(async (word: string, options: PmiOptions) => {
      if (!(await isFile(word))) return inLibrary(options, async ({ company }) => show(company, (await findRecord(company, word)).uid, options));
      // A library of its own, so that none has to be there and nothing is kept.
      const library = await mkdtemp(join(tmpdir(), 'shapedex-pmi-'));
      try {
        await inLibrary({ ...options, library, create: true, workers: 1 }, async ({ company }) => {
          const { uid, state, error } = await company.put(basename(word), await readFile(word), { textOnly: true });
          if (state === 'failed') throw new EngineError(error?.code ?? 'WORKER_FAILED', `${word}: ${error?.message ?? 'it could not be read'}`);
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
  if (pmi === undefined) throw new EngineError('NO_GEOMETRY', 'the file carries no dimensions: it is no drawing, and no model with annotations as data (AP242)');
  const { extractedAttributes } = await company.get(uid);
  output.emit({ ...pmi, attributes: extractedAttributes });
  if (!output.json) output.say(rendered(pmi));
  if (options.overlay === undefined) return;
  await writeFile(options.overlay, await company.pmiOverlay(uid, { page: options.page }));
  output.note(`Overlay: ${options.overlay}`);
}

const COLUMNS: readonly Column[] = [{ title: 'page' }, { title: 'type', spare: 2 }, { title: 'group', spare: 1 }, { title: 'reading', least: 20 }, { title: 'box', spare: 3 }];

function rendered({ pages }: Pmi): string {
  const rows = pages.flatMap(({ page, objects }) => objects.map((object) => [String(page), String(object.type_id), object.group, readingOf(object), object.box.join(' ')]));
  return rows.length === 0 ? 'No dimensions or annotations.' : renderTable(COLUMNS, rows);
}

function readingOf({ text, tol, mtext }: PmiObject): string {
  const parts = mtext ?? (typeof text === 'string' ? [{ text, tol }] : (text ?? []).map((each) => ({ text: each, tol: undefined })));
  return parts.map((part) => [part.text, ...(part.tol ?? [])].join(' ')).join(' / ').slice(0, 100);
}

function pageNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
