/** What all campaigns share: which there are, running one, and the table of what was asked beside what was found. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = new URL('.', import.meta.url);
const NOT_CAMPAIGNS = ['run.mjs', 'frame.mjs'];

/** Most findings that the table prints one by one; `--json` prints all. */
const PRINTED_FINDINGS = 40;

/** The names of the campaigns: every other file directly in this folder. */
export function campaigns() {
  return readdirSync(HERE)
    .filter((file) => file.endsWith('.mjs') && !NOT_CAMPAIGNS.includes(file))
    .map((file) => file.slice(0, -4))
    .sort();
}

/** The file of a campaign. */
export function campaignFile(name) {
  return new URL(`${name}.mjs`, HERE);
}

/**
 * Runs a campaign. Absent options are the campaign's own `DEFAULTS`. Its libraries lie in `folder`; without one in a
 * temporary folder, which is removed afterwards.
 * @param {string} name
 * @param {{ seed?: number, from?: number, count?: number, minutes?: number, only?: string, folder?: string,
 *   signal?: AbortSignal, progress?: (done: number, total: number, note?: string) => void, report?: (finding: string) => void }} [options]
 *   `report`: told of each finding when it is found
 */
export async function runCampaign(name, options = {}) {
  if (!campaigns().includes(name))
    throw new Error(`there is no campaign '${name}'; there are ${campaigns().join(', ')}`);
  const { run, DEFAULTS = {} } = await import(campaignFile(name));
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), `shapedex-${name}-`));
  const started = performance.now();
  const all = {
    seed: 1,
    only: undefined,
    signal: new AbortController().signal,
    progress: () => undefined,
    report: () => undefined,
    ...DEFAULTS,
    ...given,
    folder,
  };
  try {
    const { rows = [], figures = [], findings = [], notes = [] } = await run(all);
    const seconds = (performance.now() - started) / 1_000;
    const { seed, from, count, minutes, only } = all;
    return { name, options: { seed, from, count, minutes, only }, seconds, rows, figures, findings, notes };
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * A figure that the campaign was asked for: `found` must be at most `most` and at least `least`.
 * @param {string} what
 * @param {number} found
 * @param {{ most?: number, least?: number, unit?: string }} [bounds] default: `most` 0
 */
export function figure(what, found, bounds = { most: 0 }) {
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY, unit = '' } = bounds;
  const asked = [
    ...(least > Number.NEGATIVE_INFINITY ? [`at least ${written(least)}${unit}`] : []),
    ...(most < Number.POSITIVE_INFINITY ? [most === 0 ? '0' : `at most ${written(most)}${unit}`] : []),
  ].join(', ');
  // Not a number is never met.
  return { what, asked, found: `${written(found)}${unit}`, met: found >= least && found <= most };
}

/** The whole result as text: figures, then what was done, then findings with how to repeat each. */
export function tableOf({ name, options, seconds, rows, figures, findings, notes }) {
  const given = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [`--${key} ${value}`]));
  const lines = [`campaign ${name} ${given.join(' ')}   ${seconds.toFixed(0)} s`, ''];
  if (figures.length > 0) {
    const cells = figures.map(({ what, asked, found, met }) => [what, asked, found, met ? 'met' : 'MISSED']);
    lines.push(...aligned([['figure', 'asked', 'found', ''], ...cells]), '');
  }
  if (rows.length > 0) {
    const cells = rows.map((row) => [row.what, String(row.count), String(row.findings ?? 0), row.note ?? '']);
    lines.push(...aligned([['done', 'number', 'findings', ''], ...cells]), '');
  }
  for (const note of notes) lines.push(note);
  if (notes.length > 0) lines.push('');
  for (const { what, repeat } of findings.slice(0, PRINTED_FINDINGS)) {
    lines.push(`- ${what}`);
    if (repeat !== undefined) lines.push(`  repeat: npm run campaign -- ${name} ${repeat}`);
  }
  const more = findings.length - PRINTED_FINDINGS;
  if (more > 0) lines.push(`and ${more} more findings; --json prints all`);
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Whether every figure is met. A campaign without figures says nothing, so it fails. */
export function allMet({ figures }) {
  return figures.length > 0 && figures.every(({ met }) => met);
}

function written(number) {
  return Number.isInteger(number) ? number.toLocaleString('en') : number.toFixed(2);
}

/** Cells as columns; those that hold numbers in all rows but the first end at the same place. */
function aligned(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const numeric = table[0].map((_, column) => table.slice(1).every((row) => /^[\d,.]+$/.test(row[column])));
  return table.map((row) =>
    row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('   ')
      .trimEnd(),
  );
}
