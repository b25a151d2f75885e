import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allMet, campaigns, figure, runCampaign, tableOf } from '../../bench/campaigns/frame.mjs';

const RUN = fileURLToPath(new URL('../../bench/campaigns/run.mjs', import.meta.url));

test('a figure is met within its bounds only, and one that is not a number never', () => {
  expect(figure('lost', 0)).toEqual({ what: 'lost', asked: '0', found: '0', met: true });
  expect(figure('lost', 1).met).toBe(false);
  expect(figure('slope', 1.257, { most: 2, unit: ' MiB/min' })).toEqual({
    what: 'slope',
    asked: 'at most 2 MiB/min',
    found: '1.26 MiB/min',
    met: true,
  });
  expect(figure('kills', 999, { least: 1_000 })).toMatchObject({ asked: 'at least 1,000', found: '999', met: false });
  expect(figure('slope', Number.NaN, { most: 2 }).met).toBe(false);
});

test('a result is met when all its figures are, and never without any', () => {
  expect(allMet({ figures: [] })).toBe(false);
  expect(allMet({ figures: [figure('a', 0)] })).toBe(true);
  expect(allMet({ figures: [figure('a', 0), figure('b', 1)] })).toBe(false);
});

test('the table holds what was asked beside what was found, and how to repeat each finding', () => {
  const text = tableOf({
    name: 'kills',
    options: { seed: 7, count: 20 },
    seconds: 12.3,
    figures: [figure('files lost', 1), figure('wrong bytes', 0)],
    rows: [{ what: 'kills', count: 20, findings: 1 }],
    findings: [{ what: 'a.stl is gone', repeat: '--seed 7 --only 3' }],
    notes: [],
  });
  expect(text.split('\n')).toEqual([
    'campaign kills --seed 7 --count 20   12 s',
    '',
    'figure        asked   found',
    'files lost        0       1   MISSED',
    'wrong bytes       0       0   met',
    '',
    'done    number   findings',
    'kills       20          1',
    '',
    '- a.stl is gone',
    '  repeat: npm run campaign -- kills --seed 7 --only 3',
    '',
  ]);
});

test('without a name the command lists all campaigns; a wrong name ends with 2', async () => {
  const listed = spawnSync(process.execPath, [RUN], { encoding: 'utf8' });
  expect(listed.status).toBe(0);
  expect(
    listed.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ')[0]),
  ).toEqual(campaigns());
  const wrong = spawnSync(process.execPath, [RUN, 'no-such'], { encoding: 'utf8' });
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("there is no campaign 'no-such'");
  await expect(runCampaign('no-such')).rejects.toThrow('no-such');
});
