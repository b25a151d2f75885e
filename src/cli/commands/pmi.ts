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
import { UsageError } from '../exit.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { pmiCompareCommand } from './pmi-compare.js';
import { checkUnit, isFile, checkNamed, findRecord } from '../named.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { noteOddities, openOutput } from '../output.js';
import { writeOutput } from '../output-files.js';
import { noDimensions } from '../no-dimensions.js';
import { numberFrom, pdfDrawingsOption, unitOption, type ReadingOptions } from '../options.js';
import { renderTable, type Column } from '../table.js';

interface PmiOptions extends LibraryOptions, Pick<ReadingOptions, 'unit' | 'pdfDrawings'> {
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
      "also write an inspector's list: sizes with their deviations, fits and general tolerances resolved; no notes",
    )
    .option('--xlsx <file>', 'the same list as a workbook')
    .addOption(unitOption())
    .addOption(pdfDrawingsOption())
    .addCommand(pmiCompareCommand())
    .action(async (word: string, options: PmiOptions) => {
      await checkNamed(word, options.library);
      await checkUnit([word], options.unit);
      const { unit, pdfDrawings } = options;
      if (!(await isFile(word)) && pdfDrawings === true)
        throw new UsageError(
          '--pdf-drawings reads a file on disk; of a library it is given to index, reindex or serve',
        );
      if (!(await isFile(word)))
        return inLibrary(options, async ({ company }) => show(company, (await findRecord(company, word)).uid, options));
      await withFileOnDisk(word, { unit, pdfDrawings, textOnly: true }, (company, { uid }) =>
        show(company, uid, options),
      );
    });
}

async function show(company: Company, uid: string, options: PmiOptions): Promise<void> {
  const output = openOutput(options);
  const pmi = await company.pmi(uid);
  if (pmi === undefined) throw new EngineError('NO_GEOMETRY', noDimensions(await company.get(uid)));
  const shown = pagesOf(pmi, options.page);
  const { extractedAttributes, warnings } = await company.get(uid);
  output.emit({ ...shown, attributes: extractedAttributes, warnings });
  noteOddities(output, warnings);
  if (!output.json) output.say(rendered(shown));
  const rows = inspectionList(shown, attributesOfTexts(extractedAttributes));
  if (options.csv !== undefined) await writeOutput(output, 'CSV', options.csv, inspectionCsv(rows));
  if (options.xlsx !== undefined) await writeOutput(output, 'XLSX', options.xlsx, inspectionXlsx(rows));
  if (options.overlay === undefined) return;
  await writeOutput(output, 'Overlay', options.overlay, await company.pictures.pmi(uid, { page: options.page }));
}

/** @throws EngineError `NO_GEOMETRY` for a page that does not exist. */
function pagesOf(pmi: Pmi, wanted: number | undefined): Pmi {
  const pages = pmi.pages.filter(({ page }) => wanted === undefined || page === wanted);
  const fields = pmi.fields?.filter(({ page }) => wanted === undefined || page === wanted);
  if (wanted === undefined || pages.length > 0) return { ...pmi, pages, ...(fields !== undefined && { fields }) };
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
const SURE: Column = { title: 'sure', align: 'right' };
/** Readings that are at least this likely right are listed without a figure. */
const LEAST_SURE = 0.95;

type TitleField = NonNullable<Pmi['fields']>[number];

/** Leaves out signs, which are part of their control frames, and the page number of models, which have no pages. */
function rendered({ pages, fields = [] }: Pmi): string {
  const isPlaced = pages.some(({ widthPx }) => widthPx > 0),
    isLong = pages.length > 1;
  const objectRows = pages.flatMap(({ page, objects }) => {
    const hasFrame = objects.some(({ typeId: type }) => type === PMI_TYPE.controlFrame);
    return objects
      .filter((object) => !(hasFrame && isSign(object)))
      .map((object) => ({
        page,
        cells: [nameOfPmiType(object.typeId), object.group, readingOf(object)],
        sure: sureness(object),
        box: object.box.join(' '),
      }));
  });
  const noteRows = pages.flatMap(({ page, notes = [] }) =>
    notes.map(({ text, box, confidence }) => ({
      page,
      cells: ['note', 'text', text],
      sure: sureness({ ...(confidence !== undefined && { confidence }) }),
      box: box.join(' '),
    })),
  );
  const rows = [...objectRows, ...fields.map(fieldRow), ...noteRows];
  if (rows.length === 0) return 'No dimensions or annotations.';
  const isDoubtful = rows.some(({ sure }) => sure !== '');
  return renderTable(
    [...(isLong ? [PAGE] : []), ...COLUMNS, ...(isDoubtful ? [SURE] : []), ...(isPlaced ? [BOX] : [])],
    rows.map(({ page, cells, sure, box }) => [
      ...(isLong ? [String(page)] : []),
      ...cells,
      ...(isDoubtful ? [sure] : []),
      ...(isPlaced ? [box] : []),
    ]),
  );
}

function fieldRow({ name, value, page, confidence }: TitleField): {
  page: number;
  cells: string[];
  sure: string;
  box: string;
} {
  return { page, cells: [name, 'title block', value], sure: sureness({ confidence }), box: '' };
}

/** How sure a doubtful reading is: `62 %`; nothing for others. */
function sureness({ confidence }: Pick<PmiObject, 'confidence'>): string {
  return confidence === undefined || confidence >= LEAST_SURE ? '' : `${Math.round(100 * confidence)} %`;
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
