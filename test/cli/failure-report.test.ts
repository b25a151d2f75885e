import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FailureReport, type ReportedFailure } from '../../dist/cli/failure-report.js';

interface Posted {
  readonly text: string;
  readonly failures: readonly ReportedFailure[];
  readonly more: number;
}

const posted: Posted[] = [];
const statuses: number[] = [];
const notes: string[] = [];
let server: Server | undefined;

/** A receiver that answers these statuses, then 200; its address. */
async function receiver(...answers: number[]): Promise<string> {
  statuses.splice(0, Infinity, ...answers);
  posted.length = 0;
  notes.length = 0;
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      posted.push(JSON.parse(text) as Posted);
      const status = statuses.shift() ?? 200;
      response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const failure = (n: number): ReportedFailure => ({
  time: new Date(0),
  company: 'acme',
  path: `parts/${n}.step`,
  uid: `uid ${n}`,
  code: 'FILE_MALFORMED',
  message: 'cut off',
});
const note = (text: string): void => void notes.push(text);

test('failures of a while are posted together, for people and for programs', async () => {
  const report = new FailureReport(await receiver(), note, { gatherMs: 30 });
  for (let n = 0; n < 130; n++) report.add(failure(n));
  await expect.poll(() => posted.length).toBe(1);
  const [{ text, failures, more }] = posted;
  expect([failures.length, more]).toEqual([100, 30]);
  expect(failures[0]).toEqual({ ...failure(0), time: '1970-01-01T00:00:00.000Z' });
  const lines = text.split('\n');
  expect(lines).toHaveLength(12);
  expect(lines[1]).toBe('acme: parts/0.step: FILE_MALFORMED: cut off');
  expect(lines.at(-1)).toBe('and 120 more');
  report.add(failure(200));
  await expect.poll(() => posted.length).toBe(2);
  expect(posted[1].failures.map(({ path }) => path)).toEqual(['parts/200.step']);
  await report.close();
});

test('a report that is not taken is sent again, and given up with a warning; a redirect is not followed', async () => {
  const report = new FailureReport(await receiver(500, 302, 200), note, { gatherMs: 1, againMs: [1, 1, 1] });
  report.add(failure(1));
  await expect.poll(() => posted.length).toBe(3);
  await report.close();
  expect(notes).toEqual([]);
  server!.close();
  const lost = new FailureReport(await receiver(500, 500, 500), note, { gatherMs: 1, againMs: [1, 1] });
  lost.add(failure(1));
  await expect.poll(() => notes).toEqual(['warning: a report of 1 failures was not taken: it answered 500']);
  expect(posted).toHaveLength(3);
  await lost.close();
});

test('what is gathered is sent at the end, without waiting for a receiver that does not take it', async () => {
  const report = new FailureReport(await receiver(500), note);
  report.add(failure(1));
  await report.close();
  expect(posted).toHaveLength(1);
  expect(notes).toHaveLength(1);
});
