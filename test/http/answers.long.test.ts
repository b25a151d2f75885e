import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordedAnswers } from './recorded-answers.js';

// What HTTP answers to a fixed set of requests. The interface is a contract: when an answer changes here, a client may
// break. After a change that is meant:
//   UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/http/answers.long.test.ts
// RECORD_ANSWERS=FILE writes hashes of the bodies as well, to compare two builds byte by byte on one machine.

const GOLDEN = new URL('../golden/http-answers.json', import.meta.url);

test('the answers are those that were recorded', async () => {
  const answers = await recordedAnswers();
  const file = process.env['RECORD_ANSWERS'];
  if (file !== undefined) writeFileSync(file, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const written = `[\n${answers.map(({ sha256: _, ...rest }) => JSON.stringify(rest)).join(',\n')}\n]\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, written);
  expect(JSON.parse(written)).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
});
