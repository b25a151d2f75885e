import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Delivery } from '../../dist/accounts/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, newLibrary, withAccounts } from './library.js';
import { withReceiver } from './receiver.js';

const folder = temporaryFolder();

test("killed again and again, it loses no callback of an acknowledged upload and keeps each message's id", async () => {
  const seen = new Map<string, number>();
  // Every message is refused at first.
  await withReceiver(
    async (receiver) => {
      const library = newLibrary(folder);
      const acknowledged = new Set<number>();
      let next = 0;
      for (let kill = 0; kill < 6; kill++) {
        const child = spawn(
          process.execPath,
          [fileURLToPath(new URL('upload-child.mjs', import.meta.url)), library, String(next), receiver.url],
          { stdio: ['ignore', 'pipe', 'pipe'] },
        );
        let errors = '';
        child.stderr.on('data', (chunk: Buffer) => {
          errors += chunk.toString();
        });
        let ends = 0;
        createInterface(child.stdout).on('line', (text) => {
          const line = JSON.parse(text) as { open?: true; end?: number };
          if (line.end === undefined) return;
          acknowledged.add(line.end);
          // Each life ends after more uploads than the one before, at another moment of what follows.
          if (++ends === 3 + 2 * kill) setTimeout(() => child.kill('SIGKILL'), 7 * kill);
        });
        const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
        expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' });
        next = Math.max(-1, ...acknowledged) + 2;
      }
      expect(acknowledged.size).toBeGreaterThan(20);

      const clock = new Clock();
      await withAccounts(
        library,
        async (accounts, engine) => {
          await engine.idle();
          accounts.sendCallbacks(async (event) => JSON.stringify(event));
          for (let round = 0; round < 4; round++) {
            await accounts.deliverDue();
            clock.passS(2_000);
          }
          const log: Delivery[] = [];
          for (
            let page = await accounts.deliveries('acme');
            page.length > 0;
            page = await accounts.deliveries('acme', { before: page.at(-1)!.id })
          )
            log.push(...page);
          expect(new Set(log.map(({ state }) => state))).toEqual(new Set(['delivered']));
          const logged = log.map(({ callbackParam }) => Number(callbackParam.slice(2)));
          expect(new Set(logged).size).toBe(logged.length);
          for (const number of acknowledged) expect(logged, String(number)).toContain(number);
          const told = new Map<string, Set<unknown>>();
          for (const { body, headers } of receiver.got) {
            const { callbackParam } = JSON.parse(body) as { callbackParam: string };
            told.set(callbackParam, (told.get(callbackParam) ?? new Set()).add(headers['webhook-id']));
          }
          for (const number of acknowledged) expect(told.get(`n:${number}`)?.size, String(number)).toBe(1);
        },
        { now: clock.now },
      );
    },
    ({ headers }, response) => {
      const id = String(headers['webhook-id']);
      seen.set(id, (seen.get(id) ?? 0) + 1);
      response.writeHead(seen.get(id) === 1 ? 503 : 200).end();
    },
  );
});
