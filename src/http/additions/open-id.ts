import { z } from '@hono/zod-openapi';
import type { ProvenGrant } from '../../accounts/index.js';
import { EngineError } from '../../index.js';
import { identityOf, Refused } from '../openid/claims.js';
import { BadLogout } from '../openid/logout.js';
import { Unavailable, type OpenIdProvider } from '../openid/provider.js';
import { error, GrantError, Token, TokenError, tokenOf } from '../resources/token.js';
import type { Call } from '../server/call.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { formFields } from '../server/form.js';
import { Problem } from '../server/problem.js';

const endpoint = endpointsOf('Additions');

const FIELDS = ['answer', 'state', 'nonce', 'verifier'] as const;

/** How people sign in by an identity provider. */
export const OPEN_ID = [
  endpoint('GET /SignInWays', {
    summary: 'How people sign in',
    access: 'none',
    answer: z
      .object({
        password: z.boolean(),
        openId: z.string().nullable().openapi({ description: 'Name of the identity provider; null: there is none.' }),
      })
      .openapi('SignInWays'),
    respond: async ({ options, provider }) => ({
      password: options.passwordGrant,
      openId: provider?.options.title ?? null,
    }),
  }),
  endpoint('GET /OpenId', {
    summary: 'Begins a sign-in by the identity provider',
    access: 'none',
    about:
      'The browser keeps `state`, `nonce` and `verifier`, goes to `url`, and comes back to the page. What is in the ' +
      'address then, its query, is sent to POST OpenId if its state is the one that was kept.',
    answer: z
      .object({ url: z.string(), state: z.string(), nonce: z.string(), verifier: z.string() })
      .openapi('OpenIdAttempt'),
    statuses: { 404: 'People do not sign in so here.', 503: 'The identity provider does not answer.' },
    respond: async (call) => providerOf(call).begin(call.pageAddress).catch(unavailable),
  }),
  endpoint('POST /OpenId', {
    summary: 'Ends a sign-in by the identity provider: issues a token',
    access: 'none',
    secret: true,
    body: 'openId',
    answer: Token.extend({ email: z.string() }).openapi('OpenIdToken'),
    failure: TokenError,
    about:
      'The code is exchanged with PKCE; signature, issuer, audience, life and nonce of the ID token are checked. The ' +
      'account is found by the issuer and its name for the person, linked or made. Errors: RFC 6749, section 5.2.',
    statuses: { 404: 'People do not sign in so here.', 503: 'The identity provider does not answer.' },
    respond: async (call) => {
      const provider = providerOf(call);
      let account: string | undefined;
      try {
        const sent = await formFields(call, FIELDS, (message) => new GrantError('invalid_request', message));
        const [answer, state, nonce, verifier] = FIELDS.map((field) => sent[field] ?? missing(field));
        const back = { redirectUri: call.pageAddress, source: call.client.address };
        const claims = await exchanged(provider, answer, { state, nonce, verifier }, back);
        const identity = identityOf(claims, provider.options);
        account = identity.email;
        const grant = await call.engine.accounts.grantProven(identity);
        await note(call, grant);
        return new Answer(200, { ...tokenOf(grant), email: grant.email }, { Pragma: 'no-cache' }, { account });
      } catch (cause) {
        const refusal = refusalOf(cause);
        return new Answer(refusal.status, refusal.value, refusal.headers, { reason: cause, account });
      }
    },
  }),
  endpoint('POST /OpenIdLogout', {
    summary: 'Ends the sign-ins of somebody whom the identity provider has signed out',
    access: 'none',
    secret: true,
    body: 'logout',
    answer: z.boolean().openapi({ description: 'Whether anybody here was signed out.' }),
    failure: TokenError,
    about:
      "Called by the provider (OpenID Connect Back-Channel Logout 1.0). The token's signature, issuer, audience, age and " +
      'claims are checked. All sign-ins of the person that began before end; keys stay.',
    statuses: { 404: 'People do not sign in so here.', 503: 'The keys of the provider cannot be had.' },
    respond: async (call) => {
      const provider = providerOf(call);
      const refused = (message: string) => new GrantError('invalid_request', message);
      try {
        const { logout_token: token } = await formFields(call, ['logout_token'] as const, refused);
        const { issuer, subject, at } = await provider.loggedOut(token ?? missing('logout_token')).catch(unavailable);
        const ended = await call.engine.accounts.endProven({ issuer, subject, until: at });
        if (ended === undefined) return new Answer(200, false, NOT_KEPT);
        const { email, company, count } = ended;
        await call.engine.accounts.audit.note({
          company,
          actor: email,
          source: call.client.address ?? null,
          action: `OpenID logout of ${count}`,
          object: email,
          outcome: 'done',
        });
        return new Answer(200, count > 0, NOT_KEPT, { account: email });
      } catch (cause) {
        if (cause instanceof GrantError) return error(cause.status, cause.error, cause.message);
        if (!(cause instanceof BadLogout)) throw cause;
        const { status, value, headers } = error(400, 'invalid_request', 'the logout token is not valid');
        return new Answer(status, value, headers, { reason: cause });
      }
    },
  }),
];

const NOT_KEPT = { 'Cache-Control': 'no-store' };

function providerOf({ provider }: Call): OpenIdProvider {
  if (provider === undefined) throw new Problem(404, 'There is no such endpoint.');
  return provider;
}

function missing(field: string): never {
  throw new GrantError('invalid_request', `${field} is required`);
}

/** The provider refused, or what it said is not to be believed; the log says which. */
class NotIdentified extends Error {}

async function exchanged(
  provider: OpenIdProvider,
  ...[answer, attempt, back]: Parameters<OpenIdProvider['end']>
): ReturnType<OpenIdProvider['end']> {
  try {
    return await provider.end(answer, attempt, back);
  } catch (cause) {
    if (cause instanceof Unavailable) unavailable(cause);
    if (cause instanceof EngineError) throw cause;
    const { message, code = '', error = '', error_description: why = '' } = cause as Error & Record<string, string>;
    const said = [code, error, why, message].filter((text) => text !== '').join(': ');
    throw new NotIdentified(`the identity provider did not identify anybody: ${said}`, { cause });
  }
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof Unavailable)) throw cause;
  throw new Problem(503, cause.message, { headers: { 'Retry-After': String(cause.retryAfterS) }, cause });
}

/** Who made or changed an account in this way is noted, as other changes are. */
async function note({ engine, client }: Call, { change, email, company, role }: ProvenGrant): Promise<void> {
  if (change === 'none') return;
  await engine.accounts.audit.note({
    company,
    actor: email,
    source: client.address ?? null,
    action: `OpenID ${change} ${role}`,
    object: email,
    outcome: 'done',
  });
}

function refusalOf(cause: unknown): Answer {
  if (cause instanceof GrantError) return error(cause.status, cause.error, cause.message);
  if (cause instanceof NotIdentified) return error(400, 'invalid_grant', 'the identity provider did not let you in');
  if (cause instanceof Refused) return error(400, 'invalid_grant', cause.message);
  if (cause instanceof EngineError && cause.code === 'NOT_ALLOWED') return error(400, 'invalid_grant', cause.message);
  // What the provider says of the person has no form that can be kept, or names a company that is not here.
  if ((cause instanceof EngineError && cause.code === 'ACCOUNT_UNKNOWN') || isWrongField(cause))
    return error(400, 'invalid_grant', 'no company is open to this person');
  throw cause;
}

function isWrongField(cause: unknown): boolean {
  return (cause instanceof RangeError || cause instanceof TypeError) && / must /.test(cause.message);
}
