/**
 * Runs one campaign against what is built and prints what was asked beside what was found; ends with 1 if a figure is
 * missed. Without a name it lists the campaigns. README.md beside this file says what a campaign is.
 *
 * npm run campaign -- NAME [--seed N] [--from N] [--count N] [--minutes N] [--only CASE] [--folder DIR] [--build]
 * [--json]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine } from '../support/options.mjs';
import { purposeOf } from '../support/heads.mjs';
import { allMet, campaignFile, campaigns, runCampaign, tableOf } from './frame.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Time between two lines of progress where the output is no terminal, ms. */
const LINE_MS = 10_000;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    from: { type: 'string' },
    count: { type: 'string' },
    minutes: { type: 'string' },
    only: { type: 'string' },
    folder: { type: 'string' },
    build: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const [name] = positionals;
if (name === undefined) {
  for (const one of campaigns()) console.log(`${one.padEnd(14)} ${purposeOf(campaignFile(one))}`);
} else if (!campaigns().includes(name)) {
  console.error(`there is no campaign '${name}'; there are ${campaigns().join(', ')}`);
  process.exitCode = 2;
} else {
  process.exitCode = await runNamed(name);
}

/** What is wrong with the command line is said in a line, with what may be given. */
function readArguments(config) {
  try {
    return parseArgs(config);
  } catch (cause) {
    if (!String(cause.code).startsWith('ERR_PARSE_ARGS')) throw cause;
    const known = Object.keys(config.options).map((name) => `--${name}`);
    console.error(`${cause.message.split('. ')[0]}; there are ${known.join(', ')}`);
    process.exit(2);
  }
}

async function runNamed(campaign) {
  if (values.build || !existsSync(new URL('../../dist/index.js', import.meta.url))) {
    const { status } = spawnSync(process.execPath, ['.ci/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  if (values.folder !== undefined) mkdirSync(values.folder, { recursive: true });
  const progress = progressLine();
  const result = await runCampaign(campaign, {
    seed: numberOf('seed'),
    from: numberOf('from'),
    count: numberOf('count'),
    minutes: numberOf('minutes'),
    only: values.only,
    folder: values.folder === undefined ? undefined : resolve(values.folder),
    signal: stop.signal,
    progress: progress.show,
    report: (finding) => process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}found: ${finding}\n`),
  });
  progress.end();
  console.log(values.json ? JSON.stringify(result, undefined, 2) : `${await machine()}\n${tableOf(result)}`);
  return allMet(result) ? 0 : 1;
}

function numberOf(option) {
  const text = values[option];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) {
    console.error(`--${option} must be a number from 0, received '${text}'`);
    process.exit(2);
  }
  return number;
}

/** Progress, rate and remaining time on standard error: one line that is rewritten, or a line every 10 s. */
function progressLine() {
  const started = performance.now();
  const live = process.stderr.isTTY === true;
  let shownAt = started;
  let written = false;
  const show = (done, total, note = '') => {
    const now = performance.now();
    if (now - shownAt < (live ? 100 : LINE_MS)) return;
    shownAt = now;
    const seconds = (now - started) / 1_000;
    const rate = done / seconds;
    const remaining = done > 0 && total >= done ? `, ${timeOf((total - done) / rate)} left` : '';
    const line = `${round(done)} of ${round(total)}, ${rate.toPrecision(3)}/s, ${timeOf(seconds)}${remaining} ${note}`;
    process.stderr.write(live ? `\r${line.slice(0, 118).padEnd(118)}` : `${line.trimEnd()}\n`);
    written = live;
  };
  return { show, end: () => written && process.stderr.write('\n') };
}

function round(number) {
  return Number.isInteger(number) ? String(number) : number.toFixed(1);
}

function timeOf(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
