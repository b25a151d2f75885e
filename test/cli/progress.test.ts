import { afterEach, expect, test, vi } from 'vitest';
import { ProgressLine, SettledRate, whileRunning } from '../../dist/cli/progress.js';
import { RemainingTime } from '../../dist/cli/remaining.js';
import { seeded } from '../fixtures/random.js';

test('a rate is told once two seconds of work are done, and not of the time before the first file', () => {
  const rate = new SettledRate();
  rate.add(0, 0);
  expect(rate.perS(5_000)).toBeUndefined();
  for (let i = 1; i <= 10; i++) rate.add(i, 5_000 + 200 * i);
  expect(rate.perS(7_000)).toBeUndefined();
  for (let i = 11; i <= 20; i++) rate.add(i, 5_000 + 200 * i);
  expect(rate.perS(9_000)).toBeCloseTo(5, 6);
});

test('it follows the last ten seconds and does not jump', () => {
  const rate = new SettledRate();
  let [ms, done, before] = [0, 0, 0];
  const told: number[] = [];
  for (const gapMs of [...Array<number>(100).fill(100), ...Array<number>(100).fill(500)]) {
    rate.add(++done, (ms += gapMs));
    const now = rate.perS(ms);
    if (now === undefined) continue;
    if (before > 0) told.push(Math.abs(now / before - 1));
    before = now;
  }
  expect(before).toBeCloseTo(2, 1);
  expect(Math.max(...told)).toBeLessThan(0.2);
});

test('what is slower than the window has a rate, too, which falls while nothing comes', () => {
  const rate = new SettledRate();
  rate.add(1, 0);
  rate.add(2, 20_000);
  expect(rate.perS(20_000)).toBeCloseTo(0.05, 6);
  expect(rate.perS(40_000)).toBeCloseTo(0.025, 6);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('a terminal shows rate and rest once the work has run for two seconds, and repaints one line', () => {
  let ms = 1_000;
  let written = '';
  vi.stubEnv('NO_COLOR', '1');
  vi.spyOn(performance, 'now').mockImplementation(() => ms);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written = String(text);
    return true;
  });
  const wasTerminal = process.stderr.isTTY;
  process.stderr.isTTY = true;
  try {
    const line = new ProgressLine('Indexing');
    const shown: string[] = [];
    for (let done = 0; done <= 50; done++, ms += 200) {
      line.show({ done, total: 100 });
      shown.push(written);
    }
    expect(shown[5]).toMatch(/^\rIndexing █░{23} 5\/100 {2}\x1b\[K$/);
    expect(shown.slice(0, 11).join('')).not.toMatch(/\/s|left/);
    expect(shown[50]).toMatch(/^\rIndexing █{12}░{12} 50\/100 {2}5\.0\/s {2}0:10 left {2}\x1b\[K$/);

    const slow = new ProgressLine('Indexing');
    for (let done = 0; done <= 2; done++, ms += 50_000) slow.show({ done, total: 3 });
    expect(written).toContain(' 2/3  1.2/min  0:50 left');
  } finally {
    process.stderr.isTTY = wasTerminal;
  }
});

test('the time left comes close to the truth and does not jump where files are of many sizes', () => {
  const random = seeded(7);
  // Folders of files that are alike: a file costs something by itself and something for its bytes.
  const files = Array.from({ length: 10 }, () => 10 ** (3.5 + 2 * random())).flatMap((typical) =>
    Array.from({ length: 40 }, () => ({ bytes: typical * (0.5 + random()), noise: 0.5 + random() })),
  );
  const took = files.map(({ bytes, noise }) => noise * (60 + bytes / 400));
  const endMs = took.reduce((sum, ms) => sum + ms, 0);
  const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const remaining = new RemainingTime();
  let [ms, bytes, next] = [0, 0, 0];
  let before: number | undefined;
  const told: { readonly jump: number; readonly off: number }[] = [];
  for (const [at, file] of files.entries()) {
    ms += took[at];
    bytes += file.bytes;
    remaining.add({ files: at + 1, filesLeft: files.length - at - 1, bytes, bytesLeft: bytesTotal - bytes }, ms);
    for (; next < ms; next += 1_000) {
      const left = remaining.leftS(ms);
      if (next < 4_000) expect(left).toBeUndefined();
      if (left !== undefined && before !== undefined)
        told.push({ jump: Math.abs(Math.log((left + 3) / (before + 3))), off: left - (endMs - ms) / 1_000 });
      before = left;
    }
  }
  expect(told.length).toBeGreaterThan(30);
  expect(Math.exp(Math.max(...told.map(({ jump }) => jump)))).toBeLessThan(1.35);
  const wrong = told.map(({ off }) => Math.abs(off)).sort((a, b) => a - b);
  expect(wrong[wrong.length >> 1]).toBeLessThan(endMs / 1_000 / 2);
});

test('tiny files that come first do not make days of the rest', () => {
  const remaining = new RemainingTime();
  // Ten files of 300 bytes in 100 s, then 40 with 18 MB: by bytes alone that would be 69 days.
  let left: number | undefined;
  for (let files = 1; files <= 10; files++) {
    const ms = files * 10_000;
    remaining.add({ files, filesLeft: 50 - files, bytes: files * 300, bytesLeft: 18e6 - files * 300 }, ms);
    left = remaining.leftS(ms);
  }
  expect(left).toBeGreaterThan(300);
  expect(left).toBeLessThan(1_000);
});

test('work of which nobody knows how far it is says every five seconds that it runs', async () => {
  let written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  vi.useFakeTimers();
  try {
    const work = (ms: number) => () => new Promise<string>((resolve) => setTimeout(() => resolve('found'), ms));
    const short = whileRunning('Searching', work(4_000));
    await vi.advanceTimersByTimeAsync(4_000);
    expect([await short, written]).toEqual(['found', '']);
    const long = whileRunning('Reading bomb.zip and searching', work(12_000));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await long).toBe('found');
    expect(written).toBe('Reading bomb.zip and searching: 0:05 so far\nReading bomb.zip and searching: 0:10 so far\n');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written.split('\n')).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
