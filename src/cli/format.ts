/** Numbers and names as people read them. English grouping everywhere, so that output is the same on every machine. */

const MM3_PER_CM3 = 1000;
/** Volumes from this one on are shown in cm³; mm³. */
const LARGE_VOLUME_MM3 = 100_000;

/** `1234567` -> `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** `1 file`, `2 files`; adds an s. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A volume in mm³, or in cm³ when that is 100 cm³ or more; nothing when it is not known. */
export function volume(mm3: number | null | undefined): string {
  if (mm3 === null || mm3 === undefined) return '';
  return mm3 < LARGE_VOLUME_MM3 ? `${decimal(mm3)} mm³` : `${decimal(mm3 / MM3_PER_CM3)} cm³`;
}

/** Box sides in mm, longest first: `25 × 8.5 × 8.5`; nothing when they are not known. */
export function boxSize(sizeMm: readonly number[] | null | undefined): string {
  if (!sizeMm) return '';
  return [...sizeMm]
    .sort((a, b) => b - a)
    .map(decimal)
    .join(' × ');
}

/** About four significant digits, without trailing zeros: `0.5`, `8.25`, `165`, `12,345`. */
export function decimal(value: number): string {
  const size = Math.abs(value);
  return value.toLocaleString('en-US', { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 2 });
}

/** A length of time: `0:07`, `12:40`, `3:05:00`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Bytes in the largest decimal unit below them: `9.4 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [amount, unit] = [value, 0];
  while (amount >= 1000 && unit < units.length - 1) [amount, unit] = [amount / 1000, unit + 1];
  return `${decimal(amount)} ${units[unit]}`;
}

/** Keeps the end of a path, where its name is: `…screws/M5x20.step`. */
export function pathEnd(path: string, width: number): string {
  const characters = [...path];
  return characters.length <= width ? path : `…${characters.slice(characters.length - width + 1).join('')}`;
}

/**
 * Text on one line without control characters and marks that turn its direction: names and texts of files could
 * otherwise steer the terminal, or be read in another order than they stand.
 */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '⏎').replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}');
}
