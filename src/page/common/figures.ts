import { units } from './units.js';

/** Millimetres of an inch: of what the engine exports this room sees types alone. */
export const INCH = 25.4;

/**
 * A number with about as many significant digits (three by default) and thin spaces between thousands: `12 300`,
 * `1.23`, `0.0123`.
 */
export function figure(value: number, significant = 3): string {
  if (value === 0) return '0';
  const digits = Math.max(0, Math.min(6, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString('en', { maximumFractionDigits: digits }).replaceAll(',', '\u202f');
}

/** The number of a length, in the user's units; inches with a digit more, for they are longer. */
export function lengthFigure(valueMm: number): string {
  return units.value === 'mm' ? figure(valueMm) : figure(valueMm / INCH, 4);
}

/** A length in the user's units: `12.5 mm`. */
export function lengthText(valueMm: number): string {
  return `${lengthFigure(valueMm)} ${units.value}`;
}

/** A count of things: `10 000`. */
export function count(value: number): string {
  return value.toLocaleString('en').replaceAll(',', '\u202f');
}

/** A unit with superscripts: `mm³` for `mm3`. */
export function unitText(unit: string): string {
  return unit.replace(/(?<=[a-z])2$/, '²').replace(/(?<=[a-z])3$/, '³');
}

/** Edges of a box, given in mm, in the user's units: `120 × 40 × 12 mm`. */
export function boxText(sizeMm: readonly number[]): string {
  return `${sizeMm.map(lengthFigure).join(' × ')} ${units.value}`;
}

/** A volume in mm³, cm³ or dm³, by its size, or in in³. */
export function volumeText(volumeMm3: number): string {
  if (units.value === 'in') return `${figure(volumeMm3 / INCH ** 3)} in³`;
  return Math.abs(volumeMm3) >= 1e6
    ? `${figure(volumeMm3 / 1e6)} dm³`
    : Math.abs(volumeMm3) >= 1e3
      ? `${figure(volumeMm3 / 1e3)} cm³`
      : `${figure(volumeMm3)} mm³`;
}

/** An area in mm² or cm², by its size, or in in². */
export function areaText(areaMm2: number): string {
  if (units.value === 'in') return `${figure(areaMm2 / INCH ** 2)} in²`;
  return areaMm2 >= 1e4 ? `${figure(areaMm2 / 100)} cm²` : `${figure(areaMm2)} mm²`;
}

/** Grams of a pound. */
const POUND = 453.592_37;

/** A mass given in g: in g or kg by its size, or with inches in lb. */
export function massText(grams: number): string {
  if (units.value === 'in') return `${figure(grams / POUND)} lb`;
  return grams >= 1e3 ? `${figure(grams / 1e3)} kg` : `${figure(grams)} g`;
}

/** The user's unit of densities, as attributes write it. */
export function densityUnit(): 'g/cm3' | 'lb/in3' {
  return units.value === 'in' ? 'lb/in3' : 'g/cm3';
}

/** The number of a density given in g/cm³, in the user's unit. */
export function densityFigure(gramsPerCm3: number): string {
  return figure(units.value === 'in' ? (gramsPerCm3 * (INCH / 10) ** 3) / POUND : gramsPerCm3);
}

/** A density given in g/cm³, in the user's unit: `7.85 g/cm³`. */
export function densityText(gramsPerCm3: number): string {
  return `${densityFigure(gramsPerCm3)} ${unitText(densityUnit())}`;
}

/** A number of bytes: `1.2 MB`. */
export function bytesText(byteLength: number): string {
  if (byteLength < 1000) return `${byteLength} B`;
  const step = Math.min(3, Math.floor(Math.log10(byteLength) / 3));
  return `${figure(byteLength / 1000 ** step)} ${['B', 'kB', 'MB', 'GB'][step]}`;
}

/** Date and time in the time zone of the browser: `2026-11-22 14:05`. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A duration: `40 s`, `3 min`, `1 h 20 min`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A text with a capital letter and a full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
