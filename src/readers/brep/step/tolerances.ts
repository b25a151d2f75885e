import type {
  Characteristic,
  ControlRow,
  DatumReference,
  ModelTolerance,
  ToleranceModifier,
} from '../../../content/model-annotation.js';
import {
  idOf,
  idsOf,
  idsWithin,
  isList,
  textOf,
  wordOf,
  type Part21Instance,
  type Part21Instances,
  type Part21Value,
} from './part21-instances.js';
import { datumLetter, type StepFeatures } from './features.js';
import { readMeasure } from './measures.js';

const CHARACTERISTICS: Readonly<Record<string, Characteristic>> = {
  PARALLELISM_TOLERANCE: 'parallelism',
  FLATNESS_TOLERANCE: 'flatness',
  PERPENDICULARITY_TOLERANCE: 'perpendicularity',
  STRAIGHTNESS_TOLERANCE: 'straightness',
  LINE_PROFILE_TOLERANCE: 'lineProfile',
  SURFACE_PROFILE_TOLERANCE: 'surfaceProfile',
  ANGULARITY_TOLERANCE: 'angularity',
  CYLINDRICITY_TOLERANCE: 'cylindricity',
  ROUNDNESS_TOLERANCE: 'roundness',
  CIRCULAR_RUNOUT_TOLERANCE: 'circularRunout',
  SYMMETRY_TOLERANCE: 'symmetry',
  CONCENTRICITY_TOLERANCE: 'concentricity',
  COAXIALITY_TOLERANCE: 'concentricity',
  TOTAL_RUNOUT_TOLERANCE: 'totalRunout',
  POSITION_TOLERANCE: 'position',
};

const MODIFIERS: Readonly<Record<string, ToleranceModifier>> = {
  MAXIMUM_MATERIAL_REQUIREMENT: 'maximumMaterial',
  MAXIMUM_MATERIAL_CONDITION: 'maximumMaterial',
  LEAST_MATERIAL_REQUIREMENT: 'leastMaterial',
  LEAST_MATERIAL_CONDITION: 'leastMaterial',
  RECIPROCITY_REQUIREMENT: 'reciprocity',
  FREE_STATE: 'freeState',
  TANGENT_PLANE: 'tangentPlane',
  STATISTICAL_TOLERANCE: 'statistical',
  COMMON_ZONE: 'commonZone',
  TRANSLATION: 'translation',
};

/** Types of instances that make up geometric tolerances. */
export const TOLERANCE_KEYWORDS: readonly string[] = [
  ...Object.keys(CHARACTERISTICS),
  'TOLERANCE_ZONE',
  'PROJECTED_ZONE_DEFINITION',
  'GEOMETRIC_TOLERANCE_RELATIONSHIP',
];

/** Most rows of a control frame, and most datums of a row. */
const MOST_ROWS = 8;
const MOST_DATUMS = 8;

/** Reads feature control frames, in file order. several: the complex instances of the file, by number. */
export function readTolerances(
  instances: Part21Instances,
  features: StepFeatures,
  several: readonly (readonly [number, Part21Instance | undefined])[],
): ModelTolerance[] {
  const zones = readZones(instances);
  const found = new Map<number, ModelTolerance>();
  const read = (id: number, types: Part21Instance | undefined): void => {
    const tolerance = types && readTolerance(instances, features, types, zones.get(id));
    if (tolerance !== undefined) found.set(id, tolerance);
  };
  for (const keyword of Object.keys(CHARACTERISTICS))
    for (const id of instances.listed(keyword)) read(id, instances.read(id));
  for (const [id, types] of several) if (types?.has('GEOMETRIC_TOLERANCE') === true) read(id, types);
  // Rows of one frame are related as `composite` (one symbol for both rows) or `simultaneity`.
  for (const id of instances.listed('GEOMETRIC_TOLERANCE_RELATIONSHIP')) {
    const [name, , upper, lower] = instances.arguments(id, 'GEOMETRIC_TOLERANCE_RELATIONSHIP');
    const first = found.get(idOf(upper) ?? -1),
      second = found.get(idOf(lower) ?? -1);
    if (
      !/composite|stack/i.test(textOf(name)) ||
      first === undefined ||
      second === undefined ||
      first === second ||
      first.rows.length >= MOST_ROWS
    )
      continue;
    found.set(idOf(upper)!, { ...first, rows: [...first.rows, ...second.rows] });
    found.delete(idOf(lower)!);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, tolerance]) => tolerance);
}

/** What a tolerance zone adds to its tolerances. */
interface Zone {
  readonly form: ControlRow['zone'];
  readonly projected?: number;
}

function readZones(instances: Part21Instances): Map<number, Zone> {
  const projections = new Map<number, number>();
  for (const id of instances.listed('PROJECTED_ZONE_DEFINITION')) {
    const [zone, , , length] = instances.arguments(id, 'PROJECTED_ZONE_DEFINITION');
    const value = readMeasure(instances, idOf(length))?.value;
    if (idOf(zone) !== undefined && value !== undefined) projections.set(idOf(zone)!, value);
  }
  const zones = new Map<number, Zone>();
  for (const id of instances.listed('TOLERANCE_ZONE')) {
    const [tolerances, form] = instances.read(id)?.get('TOLERANCE_ZONE')?.slice(-2) ?? [];
    const name = textOf(instances.read(idOf(form))?.get('TOLERANCE_ZONE_FORM')?.[0]);
    for (const tolerance of idsOf(tolerances)) {
      zones.set(tolerance, {
        form: /spheric/i.test(name) ? 'spherical' : /cylind|circular/i.test(name) ? 'diameter' : 'width',
        projected: projections.get(id),
      });
    }
  }
  return zones;
}

function readTolerance(
  instances: Part21Instances,
  features: StepFeatures,
  types: Part21Instance,
  zone: Zone | undefined,
): ModelTolerance | undefined {
  const keyword = Object.keys(CHARACTERISTICS).find((word) => types.has(word));
  if (keyword === undefined) return undefined;
  // A simple instance holds the attributes of all its supertypes in sequence.
  const own = types.get('GEOMETRIC_TOLERANCE') ?? types.get(keyword)!;
  const [name, , magnitude, aspect] = own;
  const measure = readMeasure(instances, idOf(magnitude));
  if (measure === undefined) return undefined;
  const systems =
    types.get('GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE')?.[0] ??
    (types.has('GEOMETRIC_TOLERANCE') ? undefined : own[4]);
  const said = types.get('GEOMETRIC_TOLERANCE_WITH_MODIFIERS')?.[0];
  const valueOf = (value: Part21Value | undefined): number | undefined => readMeasure(instances, idOf(value))?.value;
  const row: ControlRow = {
    characteristic: CHARACTERISTICS[keyword],
    value: measure.value,
    zone: zone?.form ?? 'width',
    modifiers: [...modifiersOf(said), ...modifiersOf(types.get('MODIFIED_GEOMETRIC_TOLERANCE'))],
    datums: isList(systems)
      ? systems
          .slice(0, MOST_DATUMS)
          .flatMap((system) => datumsOf(instances, idOf(system)))
          .slice(0, MOST_DATUMS)
      : [],
    outside: valueOf(types.get('UNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE')?.[0]),
    projected: zone?.projected,
    perUnit: valueOf(types.get('GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT')?.[0]),
    greatest: valueOf(types.get('GEOMETRIC_TOLERANCE_WITH_MAXIMUM_TOLERANCE')?.[0]),
  };
  return {
    kind: 'tolerance',
    name: textOf(name),
    rows: [row],
    unit: measure.unit,
    faces: features.facesOf([idOf(aspect)].filter((id) => id !== undefined)),
  };
}

/** Datum references of a control frame, primary first. */
function datumsOf(instances: Part21Instances, id: number | undefined): DatumReference[] {
  const types = instances.read(id);
  const compartments = types?.get('DATUM_SYSTEM')?.at(-1);
  if (compartments !== undefined) {
    return idsOf(compartments).flatMap((compartment) => {
      const [base, modifiers] = instances.read(compartment)?.get('DATUM_REFERENCE_COMPARTMENT')?.slice(-2) ?? [];
      const datums = lettersOf(instances, base);
      return datums.length === 0 ? [] : [{ datums, modifiers: modifiersOf(modifiers) }];
    });
  }
  // Before AP242, each datum had its own reference.
  const reference = types?.get('DATUM_REFERENCE') ?? types?.get('REFERENCED_MODIFIED_DATUM');
  const letter = datumLetter(instances, idOf(reference?.[1]));
  return letter === '' ? [] : [{ datums: [{ letter, modifiers: modifiersOf(reference?.slice(2)) }], modifiers: [] }];
}

/** A single datum, or the elements of a common datum such as `E-F`. */
function lettersOf(instances: Part21Instances, base: Part21Value | undefined): DatumReference['datums'] {
  const single = idOf(base);
  if (single !== undefined) {
    const letter = datumLetter(instances, single);
    return letter === '' ? [] : [{ letter, modifiers: [] }];
  }
  return idsWithin(base)
    .slice(0, MOST_DATUMS)
    .flatMap((element) => {
      const [datum, modifiers] = instances.read(element)?.get('DATUM_REFERENCE_ELEMENT')?.slice(-2) ?? [];
      const letter = datumLetter(instances, idOf(datum));
      return letter === '' ? [] : [{ letter, modifiers: modifiersOf(modifiers) }];
    });
}

/** The modifiers among enumerations and typed values, each once. */
function modifiersOf(value: Part21Value | undefined): ToleranceModifier[] {
  const found = new Set<ToleranceModifier>();
  const pending: Part21Value[] = value === undefined ? [] : [value];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (isList(next)) pending.unshift(...next);
    else if (typeof next === 'object' && next !== null && 'arguments' in next) {
      const modifier = MODIFIERS[wordOf(next)];
      if (modifier !== undefined) found.add(modifier);
      pending.unshift(...next.arguments);
    }
  }
  return [...found];
}
