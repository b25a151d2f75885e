import { Command } from 'commander';
import {
  attributesOfTexts,
  comparePmi,
  EngineError,
  pmiComparisonCsv,
  type Company,
  type FileRecord,
  type PmiComparison,
} from '../../index.js';
import { UsageError } from '../exit.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { checkNamed, findRecord, isFile } from '../named.js';
import { noDimensions } from '../no-dimensions.js';
import type { ReadingOptions } from '../options.js';
import { noteOddities, openOutput } from '../output.js';
import { writeOutput } from '../output-files.js';
import { renderTable, type Column } from '../table.js';

type ComparedSide = Parameters<typeof comparePmi>[0];
interface ReadSide extends ComparedSide, Pick<FileRecord, 'warnings'> {
  readonly lines: Awaited<ReturnType<Company['drawnLines']>>;
  /** Whether they are those of the side before it. */
  readonly like: PmiComparison['lines'];
}
type ComparedRow = PmiComparison['rows'][number];

/** Options of `pmi` that say nothing of a comparison, and which commander takes after `compare` too. */
const OF_ONE_FILE = ['overlay', 'page', 'xlsx', 'unit'] as const;

interface CompareOptions extends LibraryOptions, Pick<ReadingOptions, 'pdfDrawings'> {
  readonly csv?: string;
}

/** `shapedex pmi compare <first> <second>`: what two files of the same part say about it. */
export function pmiCompareCommand(): Command {
  return withLibraryOptions(new Command('compare'))
    .description(
      'compare what two files of a part say about it: a drawing and a STEP model with annotations (AP242), or two drawings',
    )
    .argument('<first>', 'a file on disk, or the UID or path of a file in the library')
    .argument('<second>', 'the other one')
    .option('--csv <file>', 'also write the list')
    .action(async (first: string, second: string, _own: object, command: Command) => {
      // `pmi` has options of the same names, and commander gives them to the outer command.
      const options = command.optsWithGlobals<CompareOptions>();
      for (const name of OF_ONE_FILE)
        if (command.parent?.getOptionValue(name) !== undefined)
          throw new UsageError(`--${name} is for the dimensions of one file: pmi compare does not take it`);
      const sides: ReadSide[] = [];
      for (const word of [first, second]) sides.push(await sideOf(word, options, sides.at(0)));
      const comparison = comparePmi(sides[0], sides[1], sides[1].like);
      const output = openOutput(options);
      output.emit(comparison);
      [first, second].forEach((word, i) => noteOddities(output, sides[i].warnings, word));
      if (!output.json) output.say(rendered(comparison));
      if (options.csv === undefined) return;
      await writeOutput(output, 'CSV', options.csv, pmiComparisonCsv(comparison));
    });
}

async function sideOf(word: string, options: CompareOptions, before?: ReadSide): Promise<ReadSide> {
  await checkNamed(word, options.library);
  if (await isFile(word))
    // The lines of a drawing are asked, and the holes of a model.
    return withFileOnDisk(word, { pdfDrawings: options.pdfDrawings }, (company, { uid }) =>
      read(company, { uid, word }, before),
    );
  return inLibrary(options, async ({ company }) =>
    read(company, { uid: (await findRecord(company, word)).uid, word }, before),
  );
}

/** @throws EngineError `NO_GEOMETRY` for a file without annotations. */
async function read(
  company: Company,
  { uid, word }: { readonly uid: string; readonly word: string },
  before: ReadSide | undefined,
): Promise<ReadSide> {
  const pmi = await company.pmi(uid);
  if (pmi !== undefined) {
    const { extractedAttributes, warnings } = await company.get(uid);
    const lines = await company.drawnLines(uid),
      like = await company.compareLines(uid, before?.lines);
    const features = (await company.features(uid))?.features ?? [];
    const holes = features.filter(({ kind }) => kind === 'hole');
    return { pmi, attributes: attributesOfTexts(extractedAttributes), warnings, lines, like, holes };
  }
  throw new EngineError('NO_GEOMETRY', noDimensions(await company.get(uid), word));
}

const COLUMNS: readonly Column[] = [
  { title: 'status' },
  { title: 'kind', spare: 1 },
  { title: 'first', least: 14 },
  { title: 'second', least: 14 },
  { title: 'differences', least: 14 },
];

function rendered({ counts, rows, note }: PmiComparison): string {
  const { agrees, contradicts, first, second, unsure } = counts;
  const summary =
    `${agrees} agree, ${contradicts} contradict, ${first} in the first alone, ${second} in the second alone` +
    (unsure > 0 ? `, ${unsure} are to be checked: read unsurely` : '');
  const told = `${summary}\n${note}`;
  return rows.length === 0 ? told : `${renderTable(COLUMNS, rows.map(cellsOf))}\n\n${told}`;
}

function cellsOf({ status, first, second, differences, oneOf }: ComparedRow): string[] {
  return [
    status === 'first' || status === 'second' ? `${status} alone` : status,
    (first ?? second)!.kind,
    first?.reading ?? '',
    second?.reading ?? '',
    [
      ...differences.map((each) => `${each.what}: ${each.first} / ${each.second}`),
      ...(oneOf === undefined ? [] : [`one of ${oneOf} alike`]),
    ].join('; '),
  ];
}
