import type { Role } from '../../accounts/index.js';
import { withDefaults, type Defaults } from '../../options.js';

/** An OpenID Connect provider that people sign in by, and what its claims mean here. */
export interface OpenIdOptions {
  /** The provider's issuer, from which it is discovered: https, or http on this machine. */
  readonly issuer: string;
  /** Under which this server is registered there; its redirect URI is the address of the page, with its last slash. */
  readonly clientId: string;
  /** Absent: a public client, which has PKCE alone. */
  readonly clientSecret?: string;
  /** What the button of the page says after "Sign in with". Default: the host of the issuer. */
  readonly title?: string;
  /** What is asked for. Default `openid email profile`; many providers want another word for groups. */
  readonly scope?: string;
  /** Name of the company of everybody who signs in here. */
  readonly company?: string;
  /**
   * The claim that names the company of a user, instead of {@link company}. With neither, a new user joins the company
   * that the domain of the address is mapped to.
   */
  readonly companyClaim?: string;
  /** The claim that lists a user's groups; dots lead into objects: `realm_access.roles`. Default `groups`. */
  readonly groupsClaim?: string;
  /**
   * Roles by group: `{ "cad-admins": "admin" }`; the highest counts, at each sign-in. Absent: groups have no meaning,
   * and roles stay as they are here.
   */
  readonly roles?: Readonly<Record<string, Role>>;
  /** Who has no group of {@link roles} is a 'member', or is refused: 'nobody'. Default 'member'. */
  readonly others?: 'member' | 'nobody';
  /** False: nobody gets an account by signing in; the accounts that are there are linked. Default true. */
  readonly newUsers?: boolean;
  /**
   * True: addresses are the provider's own, so that it does not say that they are verified. Default false: who has no
   * verified address is refused.
   */
  readonly trustEmail?: boolean;
  /**
   * True: logout tokens whose `typ` is `JWT` or missing are taken, as older providers send them; their event and the
   * missing nonce tell them from ID tokens then. Default false: it must be `logout+jwt`.
   */
  readonly untypedLogout?: boolean;
}

/** {@link OpenIdOptions} with the defaults. */
export type CheckedOpenId = Required<Omit<OpenIdOptions, OptionalName>> & Pick<OpenIdOptions, OptionalName>;
type OptionalName = 'clientSecret' | 'company' | 'companyClaim' | 'roles';

const DEFAULTS = Object.freeze({
  issuer: '',
  clientId: '',
  clientSecret: undefined,
  title: undefined,
  scope: 'openid email profile',
  company: undefined,
  companyClaim: undefined,
  groupsClaim: 'groups',
  roles: undefined,
  others: 'member',
  newUsers: true,
  trustEmail: false,
  untypedLogout: false,
} satisfies Defaults<OpenIdOptions>);

const TEXTS = [
  'issuer',
  'clientId',
  'clientSecret',
  'title',
  'scope',
  'company',
  'companyClaim',
  'groupsClaim',
] as const;
const ROLES: readonly unknown[] = ['member', 'admin', 'operator'];
/** Providers at which anybody may have an account, with any address in some of them. */
const OF_EVERYBODY =
  /^https:\/\/(accounts\.google\.com|appleid\.apple\.com|gitlab\.com|login\.microsoftonline\.com\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/v2\.0)?)\/?$/i;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Adds the defaults and checks all fields. @throws TypeError or RangeError that names the field. */
export function checkOpenId(given: OpenIdOptions): CheckedOpenId {
  const options = withDefaults('options.openId', given, DEFAULTS);
  const name = (field: string): string => `options.openId.${field}`;
  for (const field of TEXTS) {
    const value: unknown = options[field];
    if (value !== undefined && (typeof value !== 'string' || value.length === 0 || value.length > 1_000))
      throw new TypeError(`${name(field)} must be a text of 1 to 1 000 characters, received ${JSON.stringify(value)}`);
  }
  const { issuer, roles, others, scope, company, companyClaim } = options;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe || url.search !== '' || url.hash !== '')
    throw new RangeError(`${name('issuer')} must be an https address, received ${JSON.stringify(issuer)}`);
  if (!scope.split(' ').includes('openid'))
    throw new RangeError(`${name('scope')} must hold openid, received ${JSON.stringify(scope)}`);
  if (company !== undefined && companyClaim !== undefined)
    throw new TypeError(`${name('company')} and companyClaim must not both be given`);
  if (OF_EVERYBODY.test(issuer)) checkOpenToAll(options);
  if (others !== 'member' && others !== 'nobody')
    throw new RangeError(`${name('others')} must be 'member' or 'nobody', received ${JSON.stringify(others)}`);
  for (const field of ['newUsers', 'trustEmail', 'untypedLogout'] as const)
    if (typeof options[field] !== 'boolean')
      throw new TypeError(`${name(field)} must be true or false, received ${String(options[field])}`);
  if (roles !== undefined && (typeof roles !== 'object' || roles === null || Array.isArray(roles)))
    throw new TypeError(`${name('roles')} must give roles by group, received ${JSON.stringify(roles)}`);
  for (const [group, role] of Object.entries(roles ?? {}))
    if (!ROLES.includes(role))
      throw new RangeError(
        `${name(`roles.${group}`)} must be 'member', 'admin' or 'operator', received ${JSON.stringify(role)}`,
      );
  return { ...options, title: options.title ?? url.host };
}

/** An account at a provider of everybody says nothing of who somebody is: it must not be enough to enter. */
function checkOpenToAll({ issuer, trustEmail, company, newUsers, others, roles }: OpenIdOptions): void {
  if (trustEmail)
    throw new RangeError(
      `options.openId.trustEmail must be false with ${issuer}: anybody may have an account there, with any address`,
    );
  const isPicked = newUsers === false || (roles !== undefined && others === 'nobody');
  if (company !== undefined && !isPicked)
    throw new RangeError(
      `options.openId.company must not be given with ${issuer}, where anybody may have an account, unless newUsers is ` +
        "false, or roles are given with others 'nobody'; without company people join by the domain of their address",
    );
}
