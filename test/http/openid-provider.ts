import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody whom the provider knows: claims by name, `sub` among them. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string };

/** An OpenID Connect provider on this machine (`oidc-provider`), which signs in whoever {@link signsIn} says. */
export interface TestProvider {
  readonly issuer: string;
  /** Where browsers may be sent back to. */
  readonly redirects: Set<string>;
  /** Who comes next; undefined: the provider says "access denied". */
  signsIn: Person | undefined;
  /** Signs somebody out at a client: the logout token that it posts. */
  signOut(sub: string, client?: string): Promise<string>;
  close(): Promise<void>;
}

interface LogsOut {
  backchannelLogout(sub: string, sid: string): Promise<void>;
}

export const CLIENT = { clientId: 'shapedex', clientSecret: 'a secret of the tests only, long enough' } as const;

/** Starts a provider. redirects: where browsers may be sent back to, at first. */
export async function openProvider(redirects: readonly string[] = []): Promise<TestProvider> {
  const tokens: string[] = [];
  const people = new Map<string, Person>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        // Which of them are allowed is asked below, because a server's port is known when it listens.
        redirect_uris: ['https://nowhere.example/'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      {
        client_id: 'another',
        client_secret: `${CLIENT.clientSecret}, another`,
        redirect_uris: ['https://elsewhere.example/'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
      groups: ['groups', 'org', '_claim_names'],
    },
    // It posts nothing but logout tokens.
    fetch: async (_, options) => {
      tokens.push(new URLSearchParams(String(options?.body)).get('logout_token')!);
      return new Response();
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => people.get(id)! }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ['of the tests only'] },
  });
  const allowed = new Set(redirects);
  provider.Client.prototype.redirectUriAllowed = (uri: string) => allowed.has(uri);
  const answer = provider.callback();
  const self: TestProvider = {
    issuer,
    redirects: allowed,
    signsIn: undefined,
    signOut: async (sub, id = CLIENT.clientId) => {
      const client = await provider.Client.find(id);
      const known = Object.assign(client!, { backchannelLogoutUri: 'https://client.example/' });
      await (known as unknown as LogsOut).backchannelLogout(sub, 'a session');
      return tokens.pop()!;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      const { signsIn } = self;
      if (signsIn === undefined)
        return provider.interactionFinished(request, response, {
          error: 'access_denied',
          error_description: 'not today',
        });
      people.set(signsIn.sub, signsIn);
      if (prompt.name === 'login')
        return provider.interactionFinished(request, response, { login: { accountId: signsIn.sub } });
      const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params['client_id']) });
      grant.addOIDCScope(String(params['scope']));
      await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    })();
  });
  return self;
}

/** Goes where a browser is sent, cookies and all, until it comes back to `home`: the address that it has then. */
export async function follow(url: string, home: string): Promise<URL> {
  const jar = new Map<string, string>();
  let at = new URL(url);
  for (let hops = 0; hops < 20; hops++) {
    if (at.href.startsWith(home)) return at;
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
  }
  throw new Error('sent around in a circle');
}
