import type { ModelAnnotation, ModelDimension } from '../../../content/model-annotation.js';
import {
  idOf,
  idsOf,
  idsWithin,
  Part21Instances,
  SEVERAL_TYPES,
  textOf,
  type Part21Instance,
} from './part21-instances.js';
import { datumLetter, FEATURE_KEYWORDS, StepFeatures } from './features.js';
import { readMeasure, type Measure } from './measures.js';
import { readTolerances, TOLERANCE_KEYWORDS } from './tolerances.js';

/** Most annotations that are kept of a file. Real models have hundreds. */
const MOST_ANNOTATIONS = 20_000;

const SIZES = ['DIMENSIONAL_SIZE', 'ANGULAR_SIZE', 'DIMENSIONAL_SIZE_WITH_PATH', 'DIMENSIONAL_SIZE_WITH_DATUM_FEATURE'];
const LOCATIONS = [
  'DIMENSIONAL_LOCATION',
  'DIRECTED_DIMENSIONAL_LOCATION',
  'ANGULAR_LOCATION',
  'DIMENSIONAL_LOCATION_WITH_PATH',
];
const KEYWORDS = [
  SEVERAL_TYPES,
  ...FEATURE_KEYWORDS,
  ...SIZES,
  ...LOCATIONS,
  ...TOLERANCE_KEYWORDS,
  'DIMENSIONAL_CHARACTERISTIC_REPRESENTATION',
  'PLUS_MINUS_TOLERANCE',
  'DATUM_FEATURE',
  'DATUM_TARGET',
  'PLACED_DATUM_TARGET_FEATURE',
  'DATUM',
];
/** A file with annotations contains at least one of these words. */
const SIGNS = ['DIMENSIONAL_CHARACTERISTIC', '_TOLERANCE', 'DATUM_FEATURE'];

/**
 * Dimensions, geometric tolerances and datums that a STEP file carries as data (semantic PMI: ISO 10303-47 in AP242,
 * and the parts of it in AP203 and AP214; CAx-IF Recommended Practices for PMI 4.0), in file order, each with the faces
 * that it applies to. PMI that is only drawn (presentation) is not read. Undefined when there is none.
 */
export function readStepAnnotations(bytes: Uint8Array): readonly ModelAnnotation[] | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!SIGNS.some((sign) => text.includes(sign))) return undefined;
  const instances = new Part21Instances(bytes, KEYWORDS);
  const features = new StepFeatures(instances);
  const several = instances
    .listed(SEVERAL_TYPES)
    .map((id): readonly [number, Part21Instance | undefined] => [id, instances.read(id)]);
  const found = [
    ...readDimensions(instances, features),
    ...readTolerances(instances, features, several),
    ...readDatums(instances, features, several),
  ];
  return found.length === 0 ? undefined : found.slice(0, MOST_ANNOTATIONS);
}

const MEASURES: readonly (readonly [RegExp, ModelDimension['measure']])[] = [
  [/spherical diameter/i, 'sphericalDiameter'],
  [/spherical radius/i, 'sphericalRadius'],
  [/diameter/i, 'diameter'],
  [/radius/i, 'radius'],
  [/angle|angular|inclin/i, 'angle'],
  [/curve/i, 'curveLength'],
];

function readDimensions(instances: Part21Instances, features: StepFeatures): ModelDimension[] {
  const deviations = new Map<number, Part21Instance>();
  for (const id of instances.listed('PLUS_MINUS_TOLERANCE')) {
    const [range, dimension] = instances.arguments(id, 'PLUS_MINUS_TOLERANCE');
    const values = instances.read(idOf(range));
    if (values !== undefined && idOf(dimension) !== undefined) deviations.set(idOf(dimension)!, values);
  }
  return instances.listed('DIMENSIONAL_CHARACTERISTIC_REPRESENTATION').flatMap((id): ModelDimension[] => {
    const [dimension, representation] = instances.arguments(id, 'DIMENSIONAL_CHARACTERISTIC_REPRESENTATION');
    const about = readAbout(instances.read(idOf(dimension)));
    const shown = readShown(instances, idOf(representation));
    if (about === undefined || shown === undefined) return [];
    const faces = features.facesOf(about.aspects);
    const {
      nominal: { value: nominal, unit, decimals, hasLeadingZero },
      limits,
      notes,
    } = shown;
    const isRound = about.measure !== 'length' && about.measure !== 'angle' && about.measure !== 'curveLength';
    return [
      {
        kind: 'dimension',
        name: about.name,
        measure: about.measure,
        faces,
        nominal,
        unit,
        decimals,
        hasLeadingZero,
        ...(limits && { limits }),
        count: isRound ? features.countOf(faces) : 1,
        ...readDeviations(instances, deviations.get(idOf(dimension)!)),
        isBasic: notes.has('theoretical'),
        isReference: notes.has('auxiliary'),
        isControlledRadius: notes.has('controlled radius'),
      },
    ];
  });
}

/** The name and kind of a measurement, and the shape aspects that it applies to. */
function readAbout(
  types: Part21Instance | undefined,
): { name: string; measure: ModelDimension['measure']; aspects: number[] } | undefined {
  if (types === undefined) return undefined;
  const size = SIZES.find((keyword) => types.has(keyword));
  const values = size === undefined ? undefined : (types.get('DIMENSIONAL_SIZE') ?? types.get(size));
  if (size !== undefined && values !== undefined) {
    const name = textOf(values[1]);
    return {
      name,
      measure: measureOf(name, size.startsWith('ANGULAR')),
      aspects: [idOf(values[0])].filter((id) => id !== undefined),
    };
  }
  const location = LOCATIONS.find((keyword) => types.has(keyword));
  const related =
    location === undefined
      ? undefined
      : (types.get('SHAPE_ASPECT_RELATIONSHIP') ?? types.get('DIMENSIONAL_LOCATION') ?? types.get(location));
  if (location === undefined || related === undefined) return undefined;
  const name = textOf(related[0]);
  return {
    name,
    measure: measureOf(name, location.startsWith('ANGULAR')),
    aspects: [idOf(related[2]), idOf(related[3])].filter((id) => id !== undefined),
  };
}

function measureOf(name: string, isAngular: boolean): ModelDimension['measure'] {
  return isAngular ? 'angle' : (MEASURES.find(([pattern]) => pattern.test(name))?.[1] ?? 'length');
}

/** A dimension's representation: its nominal value or limits, and its notes in lower case. */
function readShown(
  instances: Part21Instances,
  id: number | undefined,
): { nominal: Measure; limits?: { lower: number; upper: number }; notes: ReadonlySet<string> } | undefined {
  const types = instances.read(id);
  const items = types?.get('SHAPE_DIMENSION_REPRESENTATION') ?? types?.get('REPRESENTATION') ?? [];
  const measures = new Map<string, Measure>();
  const notes = new Set<string>();
  for (const item of idsOf(items[1])) {
    const measure = readMeasure(instances, item);
    if (measure !== undefined) measures.set(measure.name, measure);
    for (const note of notesOf(instances, item)) notes.add(note);
  }
  const upper = measures.get('upper limit'),
    lower = measures.get('lower limit');
  const nominal =
    measures.get('nominal value') ??
    measures.get('') ??
    [...measures.values()].find(({ name }) => !/limit/.test(name)) ??
    upper ??
    lower;
  if (nominal === undefined) return undefined;
  return {
    nominal,
    notes,
    ...(upper !== undefined && lower !== undefined && { limits: { lower: lower.value, upper: upper.value } }),
  };
}

/** Notes in a descriptive item, or in the items of a compound item. */
function notesOf(instances: Part21Instances, id: number): string[] {
  const types = instances.read(id);
  const said = types?.get('DESCRIPTIVE_REPRESENTATION_ITEM');
  if (said !== undefined) return [textOf(said[1]).toLowerCase()];
  const [, held] = types?.get('COMPOUND_REPRESENTATION_ITEM') ?? [];
  return idsWithin(held).flatMap((item) => {
    const words = instances.read(item)?.get('DESCRIPTIVE_REPRESENTATION_ITEM');
    return words === undefined ? [] : [textOf(words[1]).toLowerCase()];
  });
}

function readDeviations(
  instances: Part21Instances,
  types: Part21Instance | undefined,
): Pick<ModelDimension, 'deviations' | 'fit'> {
  const fit = types?.get('LIMITS_AND_FITS');
  if (fit !== undefined) return { fit: `${textOf(fit[0])}${textOf(fit[2]).replace(/^IT/i, '')}` };
  const range = types?.get('TOLERANCE_VALUE');
  if (range === undefined) return {};
  const [lower, upper] = range.map((value) => readMeasure(instances, idOf(value))?.value);
  return lower === undefined || upper === undefined ? {} : { deviations: { lower, upper } };
}

function readDatums(
  instances: Part21Instances,
  features: StepFeatures,
  several: readonly (readonly [number, Part21Instance | undefined])[],
): ModelAnnotation[] {
  const all = ['DATUM_FEATURE', 'DATUM_TARGET', 'PLACED_DATUM_TARGET_FEATURE'].flatMap((keyword) =>
    instances.listed(keyword),
  );
  for (const [id, types] of several)
    if (types?.has('DATUM_FEATURE') === true || types?.has('DATUM_TARGET') === true) all.push(id);
  return all
    .sort((a, b) => a - b)
    .flatMap((id): ModelAnnotation[] => {
      const types = instances.read(id);
      if (types === undefined) return [];
      const aspect =
        types.get('SHAPE_ASPECT') ??
        types.get('DATUM_FEATURE') ??
        types.get('DATUM_TARGET') ??
        types.get('PLACED_DATUM_TARGET_FEATURE') ??
        [];
      const target = types.get('DATUM_TARGET') ?? types.get('PLACED_DATUM_TARGET_FEATURE');
      const letter =
        features
          .partsOf(id)
          .map((part) => datumLetter(instances, part))
          .find((found) => found !== '') ?? '';
      const name = textOf(aspect[0]);
      if (target !== undefined)
        return letter === ''
          ? []
          : [{ kind: 'datumTarget', name, label: `${letter}${textOf(target.at(-1))}`, faces: features.facesOf([id]) }];
      return letter === '' ? [] : [{ kind: 'datum', name, label: letter, faces: features.facesOf([id]) }];
    });
}
