import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { ownCertificate } from '../fixtures/own-certificate.js';
import { newLibrary, withAccounts } from './library.js';

const folder = temporaryFolder();

test('a receiver whose certificate nobody vouches for gets no callback', async () => {
  let got = 0;
  const server = createServer(ownCertificate(), (_request, response) => {
    got++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await withAccounts(
      newLibrary(folder),
      async (accounts, engine) => {
        const acme = await engine.company('acme');
        await accounts.setCallback('acme', { url: `https://localhost:${port}/`, allow: ['localhost'] });
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await engine.idle();
        accounts.sendCallbacks(async () => '{}');
        await expect
          .poll(async () => (await accounts.deliveries('acme'))[0]?.problem, { timeout: 30_000 })
          .toMatch(/self-signed|certificate/);
        expect(got).toBe(0);
      },
      { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
