import { Command } from 'commander';
import { EngineError, type Company, type FileFeatures } from '../../index.js';
import { UsageError } from '../exit.js';
import { faceNumbersText } from '../face-numbers.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { oneLine } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { checkNamed, checkUnit, findRecord, isFile } from '../named.js';
import { unitOption, type ReadingOptions } from '../options.js';
import { openOutput } from '../output.js';
import { writeOutput } from '../output-files.js';
import { renderTable, type Column } from '../table.js';

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Most parts of an assembly that are shown. */
const MOST_PARTS = 200;
/** Longest list of faces within the table; longer ones stand below it. */
const FACES_WIDTH = 24;
/** Faces that have an axis, and how far the axes of one hole are apart at most. */
const ROUND: ReadonlySet<string> = new Set(['cylinder', 'cone']);
const SAME_AXIS_MM = 0.01;
/** Pixels a side. */
const PICTURE_SIZE = 1_024;

type ModelFace = NonNullable<Awaited<ReturnType<Company['faces']>>>[number];
type Feature = NonNullable<FileFeatures['features']>[number];

interface FeaturesOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly picture?: string;
  readonly each?: boolean;
}

/** `shapedex features <file|uid>`: what a machinist would name of a part. */
export function featuresCommand(): Command {
  return withLibraryOptions(new Command('features'))
    .description('show the holes, pockets, bends and other features of a part, with the numbers of their faces')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .addOption(unitOption())
    .option('--each', 'also list the faces of each single one of equal features, to search for one')
    .option('--picture <file.png>', 'also draw the part with the faces of its features in orange')
    .addHelpText(
      'after',
      `
Of an assembly, the features of each of its parts; of one in the library, its components must
be indexed (shapedex assembly FILE --index). Equal features are one line. Faces are numbered as
--faces of search takes them; those of a hole are its walls, not a flat bottom.`,
    )
    .action(async (word: string, options: FeaturesOptions) => {
      await checkNamed(word, options.library);
      await checkUnit([word], options.unit);
      if (!(await isFile(word)))
        return inLibrary(options, async ({ company }) => {
          const component = UID.test(word) ? await company.assemblies.component(word) : undefined;
          await show(company, component?.uid ?? (await findRecord(company, word)).uid, options);
        });
      await withFileOnDisk(word, { unit: options.unit }, async (company, { uid, path }) => {
        if ((await company.assembly(uid)) !== undefined && (await company.features(uid)) === undefined)
          await company.assemblies.indexComponents(uid);
        await show(company, uid, options, path);
      });
    });
}

async function show(company: Company, uid: string, options: FeaturesOptions, name = uid): Promise<void> {
  const output = openOutput(options);
  const found = await company.features(uid);
  if (found === undefined) return showParts(company, uid, options, name);
  const each = options.each === true ? singles(found.features ?? [], (await company.faces(uid)) ?? []) : undefined;
  output.emit(each === undefined ? found : { ...found, features: withSingles(found.features, each) });
  if (!output.json) output.say([rendered(found), ...(each === undefined ? [] : [singleLines(each)])].join('\n\n'));
  if (options.picture === undefined) return;
  const faces = [...new Set((found.features ?? []).flatMap((feature) => feature.faces))].filter((face) => face >= 0);
  if (faces.length === 0) output.note('Picture: none, because the part has no features.');
  else {
    const picture = await company.pictures.faces(uid, faces, { size: PICTURE_SIZE, background: 'white' });
    await writeOutput(output, 'Picture', options.picture, picture);
  }
}

/** The parts of an assembly, each with its features. @throws EngineError `NO_GEOMETRY` that says what to do. */
async function showParts(company: Company, uid: string, options: FeaturesOptions, name: string): Promise<void> {
  const output = openOutput(options);
  if ((await company.assembly(uid)) === undefined)
    throw new EngineError('NO_GEOMETRY', `${name} is no model with faces, so it has no features`);
  const parts = (await company.components(uid)).filter(({ isAssembly }) => !isAssembly);
  if (parts.length === 0)
    throw new EngineError(
      'NO_GEOMETRY',
      `${name} is an assembly whose components are not indexed: "shapedex assembly ${name} --index" does it`,
    );
  if (options.picture !== undefined)
    throw new UsageError('--picture draws one part: give the uid of a component, which --json of this command lists');
  const told = await Promise.all(
    parts.slice(0, MOST_PARTS).map(async ({ uid: part, number, name: called, occurrences }) => ({
      uid: part,
      number,
      name: called,
      occurrences,
      features: (await company.features(part)) ?? null,
      faces: options.each === true ? ((await company.faces(part)) ?? []) : undefined,
    })),
  );
  const parted = told.map(({ features, faces, ...part }) => ({
    ...part,
    features:
      features === null || faces === undefined
        ? features
        : { ...features, features: withSingles(features.features, singles(features.features ?? [], faces)) },
  }));
  output.emit({ parts: parted, total: parts.length });
  if (output.json) return;
  const texts = told.map(({ name: called, number, occurrences, features, faces }) => {
    const each =
      faces === undefined || features?.features == null ? [] : [singleLines(singles(features.features, faces))];
    const head = `${occurrences} × ${oneLine(called) || `part ${number}`}`;
    return [`${head}: ${features === null ? 'no features are known.' : rendered(features)}`, ...each]
      .filter((text) => text !== '')
      .join('\n\n');
  });
  if (parts.length > told.length) texts.push(`and ${parts.length - told.length} more parts; --json lists as many.`);
  output.say(texts.join('\n\n'));
}

/**
 * Of each feature, the faces of each single one: those that meet, or go about one axis. One list where their number
 * does not fit the count, as of fillets that run into each other.
 */
function singles(features: readonly Feature[], faces: readonly ModelFace[]): readonly (readonly number[])[][] {
  const known = new Map(faces.map((face) => [face.number, face]));
  return features.map((feature) => {
    const left = new Set(feature.faces.filter((face) => face >= 0));
    const groups: number[][] = [];
    for (const first of left) {
      left.delete(first);
      const group = [first];
      // The list grows while it is walked.
      for (const number of group)
        for (const next of left)
          if (belong(known.get(number), known.get(next))) {
            left.delete(next);
            group.push(next);
          }
      groups.push(group.sort((a, b) => a - b));
    }
    return groups.length === feature.count ? groups : [[...feature.faces]];
  });
}

/** Whether two faces meet, or go about one axis as a hole and its wider mouth do. */
function belong(a: ModelFace | undefined, b: ModelFace | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.neighbours.some(({ number }) => number === b.number)) return true;
  if (!ROUND.has(a.kind) || !ROUND.has(b.kind)) return false;
  const [x, y, z] = [0, 1, 2].map((i) => b.origin[i] - a.origin[i]);
  const [u, v, w] = a.axis;
  const apart = Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u);
  return apart < SAME_AXIS_MM && Math.abs(u * b.axis[0] + v * b.axis[1] + w * b.axis[2]) > 1 - 1e-6;
}

function withSingles(features: FileFeatures['features'], each: readonly (readonly number[])[][]): object[] | null {
  return features?.map((feature, i) => ({ ...feature, each: each[i] })) ?? null;
}

/** Lines of the features of which there are several. */
function singleLines(each: readonly (readonly number[])[][]): string {
  return each
    .flatMap((groups, i) =>
      groups.length > 1 ? [`Each of line ${i + 1}: ${groups.map(faceNumbersText).join('  ')}`] : [],
    )
    .join('\n');
}

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'feature', least: 16 },
  { title: 'size, mm', least: 16 },
  { title: 'pattern', spare: 1 },
  { title: 'faces', least: FACES_WIDTH },
];

function rendered({ shape, wallMm, faces, features }: FileFeatures): string {
  const wall = wallMm === null ? '' : ` of ${wallMm} mm`;
  const head = `${faces} faces${shape === null ? '' : `, ${shape}${wall}`}`;
  if (features === null)
    return `${head}; the surface is open and does not say which side is out, so holes cannot be told from pins.`;
  if (features.length === 0) return `${head}; no features.`;
  const rows = features.map((feature) => [
    String(feature.count),
    nameOf(feature),
    sizeOf(feature),
    patternOf(feature),
    faceNumbersText(feature.faces),
  ]);
  // A list that a column cuts off is of no use for --faces.
  const whole = rows.flatMap(([, name, , , faces], i) =>
    faces.length > FACES_WIDTH ? [`Faces of line ${i + 1} (${name}): ${faces}`] : [],
  );
  return [head, renderTable(COLUMNS, rows), ...(whole.length === 0 ? [] : [whole.join('\n')])].join('\n\n');
}

function nameOf({ kind, form, isThrough, isInternal, sunk }: Feature): string {
  if (kind === 'teeth' || kind === 'thread') return isInternal ? `internal ${kind}` : kind;
  const way = kind !== 'hole' || isThrough === undefined ? '' : isThrough ? 'through ' : 'blind ';
  return `${sunk === undefined ? '' : `${sunk} `}${way}${form === undefined || form === 'flat' ? '' : `${form} `}${kind}`;
}

/** Its sizes in mm: `⌀8, mouth ⌀16, 5 deep, 20 deep in all`. */
export function sizeOf(feature: Feature): string {
  const { kind, diameterMm, sunkDiameterMm, sunkDepthMm, radiusMm, moduleMm, pitchMm, widthMm, lengthMm, depthMm } =
    feature;
  // Of a hole with a mouth it is the depth of both together.
  const deep = sunkDiameterMm === undefined ? 'deep' : 'deep in all';
  const down = kind === 'teeth' || kind === 'rib' ? 'high' : kind === 'thread' ? 'long' : deep;
  return [
    ...(moduleMm === undefined ? [] : [`module ${moduleMm}`]),
    ...(diameterMm === undefined ? [] : [`⌀${diameterMm}`]),
    ...(sunkDiameterMm === undefined ? [] : [`mouth ⌀${sunkDiameterMm}`]),
    ...(sunkDepthMm === undefined ? [] : [`${sunkDepthMm} deep`]),
    ...(radiusMm === undefined ? [] : [`R${radiusMm}`]),
    ...(pitchMm === undefined ? [] : [`pitch ${pitchMm}`]),
    ...(widthMm === undefined ? [] : [`${widthMm} ${kind === 'rib' ? 'thick' : 'wide'}`]),
    ...(lengthMm === undefined ? [] : [`${lengthMm} long`]),
    ...(depthMm === undefined ? [] : [`${depthMm} ${down}`]),
  ].join(', ');
}

function patternOf({ pattern }: Feature): string {
  if (pattern === undefined) return '';
  if (pattern.kind === 'circle') return `circle of ⌀${pattern.diameterMm}`;
  if (pattern.kind === 'row') return `row, ${pattern.pitchMm} apart`;
  return `${pattern.columns} × ${pattern.rows}, ${pattern.pitchMm.join(' and ')} apart`;
}
