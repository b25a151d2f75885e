import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { EngineError, type Company, type FileFeatures } from '../../index.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { checkNamed, checkUnit, findRecord, isFile } from '../named.js';
import { unitOption, type ReadingOptions } from '../options.js';
import { openOutput } from '../output.js';
import { renderTable, type Column } from '../table.js';

/** Pixels a side. */
const PICTURE_SIZE = 1_024;

type Feature = NonNullable<FileFeatures['features']>[number];

interface FeaturesOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly picture?: string;
}

/** `shapedex features <file|uid>`: what a machinist would name of a part. */
export function featuresCommand(): Command {
  return withLibraryOptions(new Command('features'))
    .description('show the holes, pockets, bends and other features of a part, with the numbers of their faces')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .addOption(unitOption())
    .option('--picture <file.png>', 'also draw the part with the faces of its features in orange')
    .action(async (word: string, options: FeaturesOptions) => {
      await checkNamed(word, options.library);
      await checkUnit(word, options.unit);
      if (!(await isFile(word)))
        return inLibrary(options, async ({ company }) => show(company, (await findRecord(company, word)).uid, options));
      await withFileOnDisk(word, { unit: options.unit }, (company, { uid }) => show(company, uid, options));
    });
}

async function show(company: Company, uid: string, options: FeaturesOptions): Promise<void> {
  const output = openOutput(options);
  const found = await company.features(uid);
  if (found === undefined)
    throw new EngineError('NO_GEOMETRY', 'the file is no single part: no model, or an assembly of several components');
  output.emit(found);
  if (!output.json) output.say(rendered(found));
  if (options.picture === undefined) return;
  const faces = [...new Set((found.features ?? []).flatMap((feature) => feature.faces))].filter((face) => face >= 0);
  if (faces.length === 0) output.note('Picture: none, because the part has no features.');
  else {
    await writeFile(
      options.picture,
      await company.pictures.faces(uid, faces, { size: PICTURE_SIZE, background: 'white' }),
    );
    output.note(`Picture: ${options.picture}`);
  }
}

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'feature', least: 16 },
  { title: 'size, mm', least: 16 },
  { title: 'pattern', spare: 1 },
  { title: 'faces', least: 12, spare: 2 },
];

function rendered({ shape, wallMm, faces, features }: FileFeatures): string {
  const wall = wallMm === null ? '' : ` of ${wallMm} mm`;
  const head = `${faces} faces${shape === null ? '' : `, ${shape}${wall}`}`;
  if (features === null) return `${head}; the surface is open, so holes cannot be told from pins.`;
  if (features.length === 0) return `${head}; no features.`;
  const rows = features.map((feature) => [
    String(feature.count),
    nameOf(feature),
    sizeOf(feature),
    patternOf(feature),
    feature.faces.join(' '),
  ]);
  return `${head}\n\n${renderTable(COLUMNS, rows)}`;
}

function nameOf({ kind, form, isThrough, isInternal, sunk }: Feature): string {
  if (kind === 'teeth' || kind === 'thread') return isInternal ? `internal ${kind}` : kind;
  const way = kind !== 'hole' || isThrough === undefined ? '' : isThrough ? 'through ' : 'blind ';
  return `${sunk === undefined ? '' : `${sunk} `}${way}${form === undefined || form === 'flat' ? '' : `${form} `}${kind}`;
}

function sizeOf(feature: Feature): string {
  const { kind, diameterMm, sunkDiameterMm, radiusMm, moduleMm, pitchMm, widthMm, depthMm } = feature;
  const down = kind === 'teeth' || kind === 'rib' ? 'high' : kind === 'thread' ? 'long' : 'deep';
  return [
    ...(moduleMm === undefined ? [] : [`module ${moduleMm}`]),
    ...(diameterMm === undefined ? [] : [`⌀${diameterMm}`]),
    ...(sunkDiameterMm === undefined ? [] : [`mouth ⌀${sunkDiameterMm}`]),
    ...(radiusMm === undefined ? [] : [`R${radiusMm}`]),
    ...(pitchMm === undefined ? [] : [`pitch ${pitchMm}`]),
    ...(widthMm === undefined ? [] : [`${widthMm} ${kind === 'rib' ? 'thick' : 'wide'}`]),
    ...(depthMm === undefined ? [] : [`${depthMm} ${down}`]),
  ].join(', ');
}

function patternOf({ pattern }: Feature): string {
  if (pattern === undefined) return '';
  if (pattern.kind === 'circle') return `circle of ⌀${pattern.diameterMm}`;
  if (pattern.kind === 'row') return `row, ${pattern.pitchMm} apart`;
  return `${pattern.columns} × ${pattern.rows}, ${pattern.pitchMm.join(' and ')} apart`;
}
