import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  attributesOfTexts,
  EngineError,
  inspectionCsv,
  inspectionList,
  inspectionXlsx,
  nameOfPmiType,
  PMI_TYPE,
  type Company,
  type Pmi,
  type PmiObject,
} from '../../index.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { pmiCompareCommand } from './pmi-compare.js';
import { checkUnit, isFile, checkNamed, findRecord } from '../named.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { numberFrom, unitOption, type ReadingOptions } from '../options.js';
import { renderTable, type Column } from '../table.js';

interface PmiOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly overlay?: string;
  readonly page?: number;
  readonly csv?: string;
  readonly xlsx?: string;
}

/** `shapedex pmi <file|uid>`: dimensions, tolerances and annotations of a drawing. */
export function pmiCommand(): Command {
  return withLibraryOptions(new Command('pmi'))
    .description('show the dimensions, tolerances and annotations of a drawing, or of a STEP model that carries them')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .option('--overlay <file.png>', 'also draw the page with a box and its reading about each')
    .option(
      '--page <n>',
      'this page alone (default: all, and --overlay draws the first with annotations)',
      numberFrom(1, 999_999),
    )
    .option(
      '--csv <file>',
      "also write an inspector's list: sizes with their deviations, fits and general tolerances resolved",
    )
    .option('--xlsx <file>', 'the same list as a workbook')
    .addOption(unitOption())
    .addCommand(pmiCompareCommand())
    .action(async (word: string, options: PmiOptions) => {
      await checkNamed(word, options.library);
      await checkUnit(word, options.unit);
      if (!(await isFile(word)))
        return inLibrary(options, async ({ company }) => show(company, (await findRecord(company, word)).uid, options));
      await withFileOnDisk(word, { unit: options.unit, textOnly: true }, (company, { uid }) =>
        show(company, uid, options),
      );
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
  const rows = inspectionList(shown, attributesOfTexts(extractedAttributes));
  if (options.csv !== undefined) {
    await writeFile(options.csv, inspectionCsv(rows));
    output.note(`CSV: ${options.csv}`);
  }
  if (options.xlsx !== undefined) {
    await writeFile(options.xlsx, inspectionXlsx(rows));
    output.note(`XLSX: ${options.xlsx}`);
  }
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
    `page ${wanted} has no line work; pages with line work: ${pmi.pages.map(({ page }) => page).join(', ') || 'none'}`,
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
