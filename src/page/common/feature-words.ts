import type { WireFeature, WireFeatures } from '../api/endpoints.js';
import { count, lengthFigure, lengthText } from './figures.js';

/** What a part is, from its features: `Turned, 24 faces`. */
export function partWords({ shape, wallMm, faces }: WireFeatures): string {
  const wall = wallMm === null ? '' : ` of ${lengthText(wallMm)}`;
  const what = shape === null ? '' : `${shape[0].toUpperCase()}${shape.slice(1)}${wall}, `;
  return `${what}${count(faces)} ${faces === 1 ? 'face' : 'faces'}`;
}

/** `4 blind holes`, `1 rectangular pocket`. */
export function featureName({ kind, count: many, form, isThrough, isInternal, sunk }: WireFeature): string {
  const side = isInternal === true ? ['internal'] : [];
  const way = kind !== 'hole' || isThrough === undefined ? [] : [isThrough ? 'through' : 'blind'];
  const shape = form === undefined || form === 'flat' ? [] : [form];
  const noun = many === 1 || kind === 'teeth' ? kind : `${kind}${kind.endsWith('s') ? 'es' : 's'}`;
  return [count(many), ...(sunk === undefined ? [] : [sunk]), ...side, ...way, ...shape, noun].join(' ');
}

/** Its sizes and how equal ones are laid out: `⌀ 6.5 mm, 12 mm deep, on a circle of ⌀ 40 mm`. */
export function featureSizes(feature: WireFeature): string {
  const { kind, diameterMm, sunkDiameterMm, sunkDepthMm, radiusMm, moduleMm, pitchMm, widthMm, lengthMm, depthMm } =
    feature;
  // Of a hole with a mouth it is the depth of both together.
  const deep = sunkDiameterMm === undefined ? 'deep' : 'deep in all';
  const down = kind === 'teeth' || kind === 'rib' ? 'high' : kind === 'thread' ? 'long' : deep;
  return [
    ...(moduleMm === undefined ? [] : [`module ${lengthText(moduleMm)}`]),
    ...(diameterMm === undefined ? [] : [`⌀ ${lengthText(diameterMm)}`]),
    ...(sunkDiameterMm === undefined ? [] : [`mouth ⌀ ${lengthText(sunkDiameterMm)}`]),
    ...(sunkDepthMm === undefined ? [] : [`${lengthText(sunkDepthMm)} deep`]),
    ...(radiusMm === undefined ? [] : [`radius ${lengthText(radiusMm)}`]),
    ...(pitchMm === undefined ? [] : [`pitch ${lengthText(pitchMm)}`]),
    ...(widthMm === undefined ? [] : [`${lengthText(widthMm)} ${kind === 'rib' ? 'thick' : 'wide'}`]),
    ...(lengthMm === undefined ? [] : [`${lengthText(lengthMm)} long`]),
    ...(depthMm === undefined ? [] : [`${lengthText(depthMm)} ${down}`]),
    ...patternWords(feature),
  ].join(', ');
}

/** How equal ones are laid out: `on a circle of ⌀ 40 mm`. */
export function patternWords({ pattern }: Pick<WireFeature, 'pattern'>): string[] {
  if (pattern === undefined) return [];
  if (pattern.kind === 'circle') return [`on a circle of ⌀ ${lengthText(pattern.diameterMm)}`];
  if (pattern.kind === 'row') return [`in a row, ${lengthText(pattern.pitchMm)} apart`];
  const [along, across] = pattern.pitchMm;
  return [`in a grid of ${pattern.columns} × ${pattern.rows}, ${lengthFigure(along)} and ${lengthText(across)} apart`];
}
