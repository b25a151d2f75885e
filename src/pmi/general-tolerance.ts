import { numberOf, type DimensionKind } from './dimension-text.js';
import { generalAngles, generalTolerance, type GeneralClass } from './iso-2768.js';

/** What a drawing states for all sizes without a tolerance of their own. */
export interface GeneralRules {
  /**
   * Half of the tolerance of a size, and where it comes from; undefined where the rules give none. `half` is absent where it
   * depends on more than the size; its unit is that of the drawing, degrees for angles.
   */
  readonly of: (size: GeneralSize) => { readonly half?: number; readonly from: string } | undefined;
}

/** A size as general tolerances see it. */
export interface GeneralSize {
  readonly kind: DimensionKind;
  /** In the drawing's unit, or degrees. */
  readonly nominal: number;
  /** Decimals that are written. */
  readonly places: number;
  /** Whether the drawing's unit is the inch. */
  readonly isInch: boolean;
}

const MM_PER_INCH = 25.4;
const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{1,4})?|[.,]\d{1,4})`;
/** `ISO 22081` and what belongs to it (ISO 22081:2021, 5): linear sizes, angular sizes, the profile of surfaces. */
const ISO_22081 = /ISO\s?22081\b/i;
const LINEAR = new RegExp(
  String.raw`(?:linear|length|längen|lin[ée]aire|lineari)[^\n±]{0,30}±\s?${NUMBER}(?!\s?[°\d.,])`,
  'i',
);
const ANGULAR = new RegExp(String.raw`(?:angular|angle|winkel|angulaire|angolari)[^\n±]{0,30}±\s?${NUMBER}\s?°`, 'i');
const PROFILE = new RegExp(
  String.raw`(?:⌓|profile of (?:a |any )?surface)[\s:|]*${NUMBER}((?:\s*\|?\s*[A-Z](?![A-Z\w]))*)`,
  'i',
);
const FIRST = new RegExp(String.raw`±\s?${NUMBER}(?!\s?[°\d.,])`);
const FIRST_ANGLE = new RegExp(String.raw`±\s?${NUMBER}\s?°`);
/** Tolerances by decimals, `X.XX ±.01`, as title blocks in America have them (ASME Y14.5, 2.1.1). */
const BY_PLACES = new RegExp(
  String.raw`(?<![\w.,])[X0]{0,3}[.,](X{1,4}|0{1,4})(?![\w.,])\s?[:=]?\s?±\s?${NUMBER}(?!\s?°)`,
  'gi',
);
/** Kinds that are lengths between or across surfaces. */
const LENGTHS: ReadonlySet<DimensionKind> = new Set(['length', 'diameter', 'depth', 'counterbore', 'square']);

/**
 * What notes and title blocks state as general tolerances, in one form: `ISO 2768-mK`, `ISO 22081 ±0.1 ±0.5° ⌓0.2 A B C`,
 * `.X ±0.2 .XX ±0.1 ±1°`; undefined when they state none.
 * @param text lines of the sheet, apart by line feeds.
 */
export function generalToleranceIn(text: string): string | undefined {
  const iso2768 = /ISO\s?2768(?:-1)?\s?-?\s?([fmcv][HKL]?)\b/.exec(text);
  if (iso2768 !== null) return `ISO 2768-${iso2768[1]}`;
  const at = ISO_22081.exec(text);
  if (at !== null) {
    const line = text.slice(at.index).split('\n', 1)[0];
    const linear = LINEAR.exec(text) ?? FIRST.exec(line);
    const angular = ANGULAR.exec(text) ?? FIRST_ANGLE.exec(line);
    const profile = PROFILE.exec(text);
    const said = [
      linear === null ? '' : `±${linear[1]}`,
      angular === null ? '' : `±${angular[1]}°`,
      profile === null ? '' : `⌓${profile[1]} ${profile[2].replace(/[\s|]+/g, ' ').trim()}`.trim(),
    ];
    return ['ISO 22081', ...said].filter((each) => each !== '').join(' ');
  }
  const places = [...text.matchAll(BY_PLACES)].map(([, digits, half]) => `.${'X'.repeat(digits.length)} ±${half}`);
  if (places.length === 0) return undefined;
  const angular = ANGULAR.exec(text);
  return [...new Set(places), ...(angular === null ? [] : [`±${angular[1]}°`])].join(' ');
}

/**
 * The rules that a `General tolerance` states; undefined for other texts. ISO 22081 gives its ± to sizes across surfaces and to
 * angles, and the profile of surfaces to all else, radii and chamfers among it.
 */
export function generalRules(stated: string): GeneralRules | undefined {
  const iso2768 = /ISO 2768-(?:1-)?([fmcv])/.exec(stated);
  if (iso2768 !== null) return rulesOf2768(iso2768[1] as GeneralClass);
  const from = ISO_22081.test(stated) ? 'ISO 22081' : 'general';
  const byPlaces = new Map(
    [...stated.matchAll(BY_PLACES)].map(([, digits, half]) => [digits.length, numberOf(half)] as const),
  );
  const linear = FIRST.exec(stated),
    angular = FIRST_ANGLE.exec(stated);
  if (byPlaces.size === 0 && linear === null && angular === null) return undefined;
  // A ± with other words about it may be that of one size.
  if (from === 'general' && byPlaces.size === 0 && !/^(?:general\s+|linear\s+)?±[\s\d.,±°min]+$/i.test(stated))
    return undefined;
  return {
    of: ({ kind, places }) => {
      if (kind === 'angle') return angular === null ? undefined : { half: numberOf(angular[1]), from };
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!(LENGTHS.has(kind) || (isEdge && from === 'general'))) return undefined;
      if (byPlaces.size > 0) return byPlaces.has(places) ? { half: byPlaces.get(places), from } : undefined;
      return linear === null ? undefined : { half: numberOf(linear[1]), from };
    },
  };
}

function rulesOf2768(name: GeneralClass): GeneralRules {
  const from = `ISO 2768-${name}`;
  return {
    of: ({ kind, nominal, isInch }) => {
      if (kind === 'angle') {
        const halves = generalAngles(name);
        return { from: `${from}: ±${shown(halves[0])}° to ±${shown(halves[halves.length - 1])}° by the shorter side` };
      }
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!LENGTHS.has(kind) && !isEdge) return undefined;
      const half = generalTolerance(isInch ? nominal * MM_PER_INCH : nominal, name, isEdge);
      if (half === undefined) return undefined;
      return { half: isInch ? Math.round((half / MM_PER_INCH) * 1e5) / 1e5 || 0 : half, from };
    },
  };
}

function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Whether deviations come from a general tolerance, by {@link import('./inspection.js').InspectionRow.from}. */
export function isGeneral(from: string): boolean {
  return from.startsWith('ISO 2768') || from === 'ISO 22081' || from === 'general';
}
