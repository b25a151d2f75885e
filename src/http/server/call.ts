import type { Principal } from '../../accounts/index.js';
import type { Company, Engine, SeenInputs, ServedCompany } from '../../index.js';
import type { OpenIdProvider } from '../openid/provider.js';
import type { RequestBody } from './body.js';
import type { HttpOptions } from './http-options.js';
import { Problem } from './problem.js';

/** What the host knows about the sender in addition to the request. */
export interface ClientFacts {
  /** Network address; failed sign-ins are counted by it. */
  readonly address?: string;
}

/** One request to an endpoint: what was sent, by whom, and for which company. */
export class Call<Query = Readonly<Record<string, unknown>>> {
  readonly engine: Engine;
  readonly options: HttpOptions;
  readonly request: Request;
  readonly client: ClientFacts;
  readonly body: RequestBody;
  readonly query: Query;
  /** Whom people sign in by; undefined: there is none. */
  readonly provider: OpenIdProvider | undefined;
  readonly principal: Principal | undefined;
  readonly #companyName: string | undefined;
  readonly #seen: SeenInputs;
  readonly #origin: string;

  constructor({
    engine,
    options,
    request,
    client,
    body,
    query,
    provider,
    principal,
    companyName,
    seen,
    origin,
  }: CallParts<Query>) {
    this.#seen = seen;
    this.#origin = origin;
    this.engine = engine;
    this.options = options;
    this.request = request;
    this.client = client;
    this.body = body;
    this.query = query;
    this.provider = provider;
    this.principal = principal;
    this.#companyName = companyName;
  }

  /** Aborted when the sender goes away. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** The company that the request is about. @throws Problem 403 for a user without a company. */
  get companyName(): string {
    if (this.#companyName === undefined) throw new Problem(403, 'The token belongs to no company.');
    return this.#companyName;
  }

  /** The files of {@link companyName}, and the search inputs that the sender sees. */
  async company(): Promise<Company> {
    const company = await this.engine.company(this.companyName);
    return this.#seen === 'all' ? company : company.seeing(this.#seen);
  }

  /** The same with the company's profile applied and usage counted. */
  served(): Promise<ServedCompany> {
    return this.engine.served(this.companyName, this.#seen);
  }

  /**
   * The UID of the user.
   * @throws Problem 403 when the token does not belong to one of the engine's users.
   */
  get userUid(): string {
    const uid = this.principal?.userUid;
    if (uid === undefined) throw new Problem(403, 'The token belongs to no user.');
    return uid;
  }

  /** A link to an endpoint of this adapter. */
  link(name: string, query: Readonly<Record<string, string>>): string {
    const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return `${this.#base}/api/${name}?${pairs.join('&')}`;
  }

  /** A link to the page that shows a file; null where no page is served. */
  pageLink(uid: string): string | null {
    return this.options.page ? `${this.#base}/#/file/${uid}` : null;
  }

  /** The address of the page, where an identity provider sends browsers back to. */
  get pageAddress(): string {
    return `${this.#base}/`;
  }

  /** Prefix of links: the public address, else the one that the request was sent to. */
  get #base(): string {
    const { publicUrl, basePath } = this.options;
    return publicUrl === '' ? `${this.#origin}${basePath}` : publicUrl;
  }
}

/**
 * What a {@link Call} is made of. `companyName`: the company of the token; undefined when the token belongs to none.
 * `seen`: the search inputs that the sender sees. `origin`: with what links begin that have no public address, such as
 * `http://host:port`.
 */
export type CallParts<Query> = Pick<
  Call<Query>,
  'engine' | 'options' | 'request' | 'client' | 'body' | 'query' | 'provider' | 'principal'
> & { readonly companyName: string | undefined; readonly seen: SeenInputs; readonly origin: string };
