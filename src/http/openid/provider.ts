import type { Configuration } from 'openid-client';
import { networkOf, Turns } from '../../accounts/index.js';
import { EngineError } from '../../index.js';
import { loadOptional } from '../../optional-package.js';
import { lacks, type Claims } from './claims.js';
import { BadLogout, checkLogout, logoutKeys, type LoggedOut, type LogoutKeys } from './logout.js';
import { checkOpenId, type CheckedOpenId, type OpenIdOptions } from './open-id-options.js';

/** What a browser keeps while its user is at the provider, and sends back with the provider's answer. */
export interface Attempt {
  /** Comes back in the answer, so that an answer to another browser is noticed. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** Of PKCE: who has the code alone cannot use it. */
  readonly verifier: string;
}

/** How somebody came back. */
interface Return {
  readonly redirectUri: string;
  /** Network address of the browser; undefined: unknown. */
  readonly source: string | undefined;
}

/** Nobody can sign in now. */
export class Unavailable extends Error {
  /** Time after which it may be tried again, s. */
  readonly retryAfterS: number;

  constructor(message: string, { retryAfterS, cause }: { readonly retryAfterS: number; readonly cause?: unknown }) {
    super(message, { cause });
    this.retryAfterS = retryAfterS;
  }
}

/** Answers of a provider that is slow are waited for so long, s. */
const TIMEOUT_S = 10;
/** What the provider publishes of itself is asked for again after this time, ms. */
const KNOWN_MS = 3_600_000;
/**
 * Codes that are exchanged at a time, each with a connection to the provider, in turns by network; and that wait:
 * anybody may send made-up ones.
 */
const EXCHANGES = { running: 32, waiting: 256, waitingPerSource: 64 };

const load = () => loadOptional('openid-client', 'signing in by OpenID Connect', () => import('openid-client'));

/** An OpenID Connect provider: authorization code flow with PKCE (RFC 7636), state and nonce. */
export class OpenIdProvider {
  readonly options: CheckedOpenId;
  #known: { readonly since: number; readonly configuration: Promise<Configuration> } | undefined;
  readonly #exchanges = new Turns(EXCHANGES);
  #keys: { readonly uri: string; readonly keys: LogoutKeys } | undefined;

  /** @throws TypeError or RangeError that names a wrong option. */
  constructor(options: OpenIdOptions) {
    this.options = checkOpenId(options);
  }

  /** Where a browser goes to sign in. @throws Unavailable when the provider does not answer. */
  async begin(redirectUri: string): Promise<Attempt & { readonly url: string }> {
    const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } =
      await load();
    const configuration = await this.#configuration();
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.options.scope,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { state, nonce, verifier, url: url.href };
  }

  /**
   * What the provider says of who comes back with an answer. The signature of the ID token, its issuer, audience,
   * life and nonce, and the state of the answer are checked.
   * @param answer query of the address that the browser came back with.
   * @throws the error of openid-client when any of that is wrong; Unavailable.
   */
  async end(answer: string, attempt: Attempt, { redirectUri, source }: Return): Promise<Claims> {
    const address = new URL(redirectUri);
    address.search = answer;
    return this.#exchanges
      .run(networkOf(source), () => this.#exchange(address, attempt))
      .catch((cause: unknown) => {
        if (!(cause instanceof EngineError) || cause.code !== 'RATE_LIMITED') throw cause;
        throw new Unavailable('Too many sign-ins are under way.', { retryAfterS: 1, cause });
      });
  }

  /**
   * Whom a logout token signs out (OpenID Connect Back-Channel Logout 1.0). Its signature, issuer, audience, age and
   * claims are checked.
   * @throws BadLogout; Unavailable when the provider's keys cannot be had.
   */
  async loggedOut(token: string): Promise<LoggedOut> {
    const { issuer, jwks_uri: uri } = (await this.#configuration()).serverMetadata();
    if (uri === undefined) throw new Unavailable('The identity provider publishes no keys.', { retryAfterS: 3_600 });
    if (this.#keys?.uri !== uri) this.#keys = { uri, keys: await logoutKeys(uri, TIMEOUT_S * 1_000) };
    try {
      const { clientId: audience, untypedLogout: allowUntyped } = this.options;
      return await checkLogout(token, this.#keys.keys, { issuer, audience, allowUntyped });
    } catch (cause) {
      if (cause instanceof BadLogout) throw cause;
      throw new Unavailable('The keys of the identity provider cannot be had.', { retryAfterS: 10, cause });
    }
  }

  async #exchange(address: URL, { state, nonce, verifier }: Attempt): Promise<Claims> {
    const { authorizationCodeGrant, fetchUserInfo } = await load();
    const configuration = await this.#configuration();
    const tokens = await authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims: Claims = { ...tokens.claims() };
    if (!lacks(claims, this.options) || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    // Some providers say little in the token, and the rest where it is asked for.
    const more = await fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
    return { ...more, ...claims };
  }

  #configuration(): Promise<Configuration> {
    const now = performance.now();
    if (this.#known === undefined || now - this.#known.since > KNOWN_MS) {
      const known = { since: now, configuration: this.#discover() };
      this.#known = known;
      known.configuration.catch(() => {
        // Asked again by the next who comes.
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.configuration;
  }

  async #discover(): Promise<Configuration> {
    const { discovery, enableNonRepudiationChecks, allowInsecureRequests, None } = await load();
    const { issuer, clientId, clientSecret } = this.options;
    const url = new URL(issuer);
    try {
      return await discovery(url, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
        timeout: TIMEOUT_S,
        // The options allow http on this machine alone.
        execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
      });
    } catch (cause) {
      if (cause instanceof EngineError) throw cause;
      throw new Unavailable('The identity provider does not answer.', { retryAfterS: 10, cause });
    }
  }
}
