import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';
import { runs } from '../fixtures/runs.js';

test('whichever system call fails, nothing acknowledged is lost and every error has a code', async ({ skip }) => {
  const { figures, findings, notes } = await runCampaign('syscalls', { seed: 3, count: runs(10) });
  if (figures.length === 0) skip(notes.join());
  expect(findings).toEqual([]);
  expect(figures.filter(({ met }) => !met)).toEqual([]);
});
