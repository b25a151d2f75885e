import type {
  ControlRow,
  DatumReference,
  ModelAnnotation,
  ModelDimension,
  ToleranceModifier,
} from '../content/model-annotation.js';
import type { Property } from '../content/text.js';
import { CHARACTERISTICS } from './characteristics.js';
import { attributesOfPmi } from './pmi-attributes.js';
import {
  groupOf,
  PMI_TYPE,
  PMI_VERSION,
  type DrawingPmi,
  type PmiObject,
  type PmiPage,
  type PmiTypeId,
  type TolerancedText,
} from './pmi.js';

/** Symbols of the modifiers (ISO 1101, ISO 2692, ASME Y14.5). */
const MODIFIERS: Readonly<Record<ToleranceModifier, string>> = Object.freeze({
  maximumMaterial: 'Ⓜ',
  leastMaterial: 'Ⓛ',
  reciprocity: 'Ⓡ',
  freeState: 'Ⓕ',
  tangentPlane: 'Ⓣ',
  statistical: '<ST>',
  commonZone: ' CZ',
  projected: 'Ⓟ',
  unequal: 'Ⓤ',
  envelope: 'Ⓔ',
  translation: '▷',
});

const PREFIXES: Readonly<Record<ModelDimension['measure'], string>> = Object.freeze({
  length: '',
  diameter: '⌀',
  radius: 'R',
  sphericalDiameter: 'S⌀',
  sphericalRadius: 'SR',
  angle: '',
  curveLength: '⌒',
});

/** Most significant digits of a number whose precision the file does not state. */
const DIGITS = 7;
/** Deviations that differ by less in size are written as ±. */
const EVEN = 1e-9;

/**
 * The annotations of a model in the same form as those of a drawing: one page without an image, boxes of no size, and
 * the faces that each annotation belongs to. A control frame is followed by the symbols of its rows.
 */
export function modelPmi(annotations: readonly ModelAnnotation[]): DrawingPmi {
  const objects: PmiObject[] = [];
  const put = (type: PmiTypeId, parts: readonly TolerancedText[], { faces }: ModelAnnotation): void => {
    objects.push({
      typeId: type,
      id: objects.length + 1,
      group: groupOf(type),
      box: [0, 0, 0, 0],
      parts,
      ...(faces.length > 0 && { faces }),
    });
  };
  const units = new Set<string>();
  for (const annotation of annotations) {
    if (annotation.kind === 'dimension') put(typeOf(annotation), [dimensionText(annotation)], annotation);
    else if (annotation.kind === 'tolerance') {
      put(
        PMI_TYPE.controlFrame,
        annotation.rows.map((row) => ({ text: rowText(row) })),
        annotation,
      );
      for (const { characteristic } of annotation.rows) {
        const [text, type] = CHARACTERISTICS[characteristic];
        put(type, [{ text }], annotation);
      }
    } else put(PMI_TYPE.datum, [{ text: annotation.label }], annotation);
    if ('unit' in annotation && (annotation.unit === 'mm' || annotation.unit === 'in')) units.add(annotation.unit);
  }
  const attributes: Property[] = units.size === 1 ? [{ name: 'Units', unit: '', value: [...units][0] }] : [];
  const pages: PmiPage[] = [{ page: 1, widthPx: 0, heightPx: 0, objects }];
  return {
    version: PMI_VERSION,
    pages,
    leftOut: [],
    attributes: [...attributes, ...attributesOfPmi(pages, { isInch: units.size === 1 && units.has('in') })],
  };
}

function typeOf({ measure }: ModelDimension): PmiTypeId {
  if (measure === 'diameter' || measure === 'sphericalDiameter') return PMI_TYPE.diameter;
  return measure === 'radius' || measure === 'sphericalRadius' ? PMI_TYPE.radius : PMI_TYPE.arrows;
}

function dimensionText(dimension: ModelDimension): TolerancedText {
  const { measure, count, nominal, limits, deviations, fit, isBasic, isReference, isControlledRadius, unit } =
    dimension;
  // Millimetres are shown without trailing zeros, inches with as many decimals as the file states (ASME Y14.5).
  const places = unit === 'in' ? dimension.decimals : undefined;
  const show = (value: number, decimals = places): string =>
    numberText(unit === 'rad' ? (value * 180) / Math.PI : value, decimals, dimension.hasLeadingZero);
  const degree = measure === 'angle' ? '°' : '';
  const size = limits === undefined ? show(nominal) : `${show(limits.upper)} - ${show(limits.lower)}`;
  const plain = `${isControlledRadius ? 'CR' : PREFIXES[measure]}${size}${degree}`;
  const text = `${count > 1 ? `${count}x ` : ''}${isReference ? `(${plain})` : plain}`;
  if (isBasic) return { text, tolerance: ['basic'] };
  if (fit !== undefined) return { text, tolerance: [fit] };
  if (deviations === undefined) return { text };
  const { lower, upper } = deviations;
  const digits = (value: number): number | undefined =>
    places === undefined ? undefined : Math.max(places, placesOf(value));
  const signed = (value: number): string =>
    `${value > 0 ? '+' : value < 0 ? '-' : ''}${show(Math.abs(value), digits(value))}${degree}`;
  const isEven = Math.abs(upper + lower) <= EVEN * Math.abs(upper) && upper > 0;
  return { text, tolerance: isEven ? [`±${show(upper, digits(upper))}${degree}`] : [signed(upper), signed(lower)] };
}

/** Decimals that a number needs, up to six. */
function placesOf(value: number): number {
  return (/\.(\d+)/.exec(String(Number(value.toFixed(6))))?.[1] ?? '').length;
}

function numberText(value: number, decimals: number | undefined, hasLeadingZero: boolean): string {
  const text = decimals === undefined ? String(Number(value.toPrecision(DIGITS))) : value.toFixed(decimals);
  return hasLeadingZero ? text : text.replace(/^(-?)0(?=\.)/, '$1');
}

/** A row as a drawing writes it: symbol, zone and value, datums. */
function rowText({
  characteristic,
  value,
  zone,
  modifiers,
  outside,
  projected,
  perUnit,
  greatest,
  datums,
}: ControlRow): string {
  const show = (number: number): string => numberText(number, undefined, true);
  const cell = [
    zone === 'diameter' ? '⌀' : zone === 'spherical' ? 'S⌀' : '',
    show(value),
    perUnit === undefined ? '' : `/${show(perUnit)}`,
    ...modifiers.map((modifier) => MODIFIERS[modifier]),
    projected === undefined ? '' : `Ⓟ${show(projected)}`,
    outside === undefined ? '' : `Ⓤ${show(outside)}`,
    greatest === undefined ? '' : ` ${show(greatest)} MAX`,
  ];
  return [CHARACTERISTICS[characteristic][0], cell.join(''), ...datums.map(datumText)].join(' | ');
}

function datumText({ datums, modifiers }: DatumReference): string {
  const signs = (list: readonly ToleranceModifier[]): string => list.map((modifier) => MODIFIERS[modifier]).join('');
  return `${datums.map((datum) => `${datum.letter}${signs(datum.modifiers)}`).join('-')}${signs(modifiers)}`;
}
