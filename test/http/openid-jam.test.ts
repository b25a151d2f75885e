import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { openHost } from './host.js';

test('made-up answers of a provider from one address hold up nobody at another', async () => {
  // A provider that takes its time for each code.
  const codes: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const json = (status: number, value: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    };
    if (request.method === 'GET')
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/in`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    let body = '';
    request
      .on('data', (chunk) => (body += String(chunk)))
      .on('end', () => {
        held.push(() => json(400, { error: 'invalid_grant' }));
        codes.push(new URLSearchParams(body).get('code')!);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = await openHost({ openId: { issuer, clientId: 'shapedex' } });
  const send = (code: string, address: string): Promise<number> =>
    host
      .send('POST', '/api/OpenId', {
        form: { answer: `code=${code}&state=s`, state: 's', nonce: 'n', verifier: 'v'.repeat(43) },
        client: { address },
      })
      .then(({ status }) => status);
  const reached = (count: number): Promise<void> =>
    vi.waitFor(() => expect(codes.length).toBe(count), { timeout: 20_000, interval: 20 });

  const made = Array.from({ length: 110 }, (_, i) => send(`made-up-${i}`, '192.0.2.1'));
  await reached(32);
  const good = send('good', '198.51.100.7');
  // In turns by address: it is let through before most of the 64 that wait.
  for (let at = 0; at < 4; at++) {
    held[at]();
    await reached(33 + at);
  }
  expect(codes.slice(32)).toContain('good');
  for (let at = 4; at < 32 + 64 + 1; at++) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(at), { timeout: 20_000, interval: 5 });
    held[at]();
  }
  expect(await good).toBe(400);
  const statuses = await Promise.all(made);
  expect(statuses.filter((status) => status === 503)).toHaveLength(110 - 32 - 64);
  await host.close();
  await new Promise((resolve) => server.close(resolve));
});
