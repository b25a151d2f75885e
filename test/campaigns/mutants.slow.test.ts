import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';
import { runs } from '../fixtures/runs.js';

test('damaged files of every kind end in a record or a coded error, and the host stays as small as it was', async () => {
  const { figures, findings } = await runCampaign('mutants', { seed: 5, count: runs(50) });
  expect(findings, JSON.stringify(findings, null, 1)).toEqual([]);
  expect(figures.filter(({ met }) => !met)).toEqual([]);
}, 600_000);

test('half a million small texts of one drawing take the host little memory, not even for a moment', async () => {
  const { figures, rows } = await runCampaign('mutants', { seed: 5, only: 'dxf-text-fractions-a-million.dxf' });
  expect(rows).toContainEqual(expect.objectContaining({ what: 'ended indexed', count: 1 }));
  expect(figures.filter(({ met }) => !met)).toEqual([]);
}, 600_000);
