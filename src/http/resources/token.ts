import { z } from '@hono/zod-openapi';
import type { TokenGrant } from '../../accounts/index.js';
import { EngineError } from '../../index.js';
import { bearerOf } from '../server/access.js';
import type { Call } from '../server/call.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { formFields } from '../server/form.js';
import { text } from '../server/parameters.js';

const endpoint = endpointsOf('Users');

/** A token as RFC 6749 writes it. */
export const Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().openapi({ description: 's' }),
    refresh_token: z.string().optional(),
    scope: z.string(),
  })
  .openapi('Token');

/** Why there is none. */
export const TokenError = z
  .object({ error: z.string(), error_description: z.string() })
  .openapi('TokenError', { description: 'RFC 6749, section 5.2' });

const query = z.object({
  grant_type: text({ about: '`password`, `refresh_token` or `client_credentials`.', most: 100 }),
  client_id: text({ about: 'Id of the client program.', most: 200 }),
  username: text({ about: 'E-mail address.', most: 320 }),
  password: text({
    about: 'SHA-1 of the password, hexadecimal; for client_credentials the client secret.',
    most: 1_000,
  }),
  refresh_token: text({ about: 'For the grant refresh_token.', most: 4_096 }),
});
type Fields = z.output<typeof query>;
const FIELDS = Object.keys(query.shape) as (keyof Fields)[];

export const TOKEN = [
  endpoint('POST /Token', {
    summary: 'Issues a token',
    access: 'none',
    secret: true,
    body: 'form',
    answer: Token,
    failure: TokenError,
    query,
    about:
      'Fields come as a form or in the query; the form wins. A client may also say its id and secret by HTTP Basic. ' +
      'Errors are those of RFC 6749, section 5.2.',
    statuses: {
      401: 'The client is unknown or its secret is wrong.',
      429: 'Too many attempts; Retry-After says when to try again.',
    },
    respond: async (call) => {
      const sender: Sender = {};
      try {
        const token = tokenOf(await grant(call, sender));
        return new Answer(200, token, { Pragma: 'no-cache' }, { account: sender.account });
      } catch (cause) {
        const { status, value, headers } = refusalOf(cause);
        return new Answer(status, value, headers, { reason: cause, account: sender.account });
      }
    },
  }),
];

/** What there is beside the interface. */
export const SESSION = [
  endpointsOf('Additions')('DELETE /Session', {
    summary: 'Ends the sign-in that the token belongs to',
    answer: z.boolean().openapi({ description: 'False: the token is not one of a sign-in.' }),
    respond: async (call) => {
      const token = bearerOf(call.request);
      return token !== undefined && call.engine.accounts.revoke(token);
    },
  }),
];

/** A token as it is answered. */
export function tokenOf({ accessToken, refreshToken, expiresInS, scope }: TokenGrant): z.output<typeof Token> {
  const lives = { expires_in: expiresInS, refresh_token: refreshToken };
  return { access_token: accessToken, token_type: 'Bearer', ...lives, scope };
}

/** Why no token is issued, as an error of RFC 6749. */
export class GrantError extends Error {
  constructor(
    readonly error: string,
    description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

/** Who tries to sign in, for the log. */
interface Sender {
  account?: string;
}

/** What is logged of a name: no more than an address or an id, because people type passwords into wrong fields. */
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  CLIENT_ID = /^[\w.-]{1,200}$/;

async function grant(call: Call<Fields>, sender: Sender): Promise<TokenGrant> {
  const { accounts } = call.engine;
  const source = call.client.address;
  const basic = basicCredentials(call.request);
  const fields: Fields = {
    ...call.query,
    ...(basic === undefined ? {} : { client_id: basic.id }),
    ...(await formFields(call, FIELDS, (message) => new GrantError('invalid_request', message))),
  };
  const { grant_type: type, client_id: clientId, username, password, refresh_token: refreshToken } = fields;
  if (username !== undefined ? ADDRESS.test(username) : clientId !== undefined && CLIENT_ID.test(clientId))
    sender.account = username ?? clientId;
  switch (type) {
    case 'password': {
      if (!call.options.passwordGrant)
        throw new GrantError('unsupported_grant_type', 'the grant password is switched off');
      if (username === undefined || password === undefined)
        throw new GrantError('invalid_request', 'username and password are required');
      if (!/^[0-9a-f]{40}$/i.test(password))
        throw new GrantError('invalid_request', 'password must be a SHA-1 in hexadecimal (40 digits)');
      return accounts.grantPassword({
        email: username,
        passwordDigest: new Uint8Array(Buffer.from(password, 'hex')),
        clientId,
        source,
        signal: call.signal,
      });
    }
    case 'refresh_token':
      if (refreshToken === undefined) throw new GrantError('invalid_request', 'refresh_token is required');
      return accounts.grantRefresh({ refreshToken, clientId });
    case 'client_credentials': {
      const clientSecret = basic?.secret ?? password;
      if (clientId === undefined || clientSecret === undefined)
        throw new GrantError(
          'invalid_request',
          'client_id and the client secret (in password, or by HTTP Basic) are required',
        );
      return accounts.grantClient({ clientId, clientSecret, source });
    }
    case undefined:
      throw new GrantError('invalid_request', 'grant_type is required');
    default:
      throw new GrantError(
        'unsupported_grant_type',
        'grant_type must be password, refresh_token or client_credentials',
      );
  }
}

function basicCredentials(request: Request): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at < 0) return undefined;
  try {
    return { id: decodeURIComponent(text.slice(0, at)), secret: decodeURIComponent(text.slice(at + 1)) };
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    return { id: text.slice(0, at), secret: text.slice(at + 1) };
  }
}

function refusalOf(cause: unknown): Answer {
  if (cause instanceof GrantError) return error(cause.status, cause.error, cause.message);
  if (!(cause instanceof EngineError)) {
    // A malformed address is answered as wrong credentials are, so that the answer tells nothing about accounts.
    if (cause instanceof RangeError || (cause instanceof TypeError && / must /.test(cause.message)))
      return error(400, 'invalid_grant', 'the credentials are not good');
    throw cause;
  }
  switch (cause.code) {
    case 'CREDENTIALS_INVALID':
      if (cause.details['what'] === 'client')
        return error(401, 'invalid_client', 'the client is unknown or its secret is wrong', {
          'WWW-Authenticate': 'Basic',
        });
      return error(400, 'invalid_grant', 'the credentials are not good');
    case 'NOT_ALLOWED':
      if (cause.details['what'] === 'waiting' || cause.details['what'] === 'expired')
        return error(400, 'invalid_grant', cause.message);
      return error(400, 'unsupported_grant_type', 'this grant is switched off');
    case 'RATE_LIMITED':
      return error(429, 'temporarily_unavailable', 'too many attempts', {
        'Retry-After': String(Math.ceil(Number(cause.details['retryAfterS'] ?? 1))),
      });
    default:
      throw cause;
  }
}

/** An error of RFC 6749, section 5.2. */
export function error(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return new Answer(
    status,
    { error, error_description: description },
    { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  );
}
