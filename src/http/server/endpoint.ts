import { z } from '@hono/zod-openapi';
import type { ZodObject, ZodType } from 'zod';
import type { Call } from './call.js';

/**
 * Who may call an endpoint. 'none': everybody. 'app': any token. 'user': a user's token. 'admin': the token of
 * an admin of the company, or of an operator. 'operator': the token of a user with the role operator. 'public': as
 * 'user', or without a token when `accountName` is a publicly accessible company. 'image': as 'user', or with an image
 * token for this picture.
 */
export type Access = 'none' | 'app' | 'user' | 'admin' | 'operator' | 'public' | 'image';

/**
 * What the body of a request is. 'file': a JSON string of base64. 'bytes': raw bytes. 'files': a JSON array of base64
 * strings, serialized into a JSON string. 'strings': a JSON array of strings, serialized once or twice. 'text': a
 * JSON string. 'message': a message of JSON-RPC. 'form', 'passwords', 'signIns', 'key', 'openId' and 'logout':
 * `application/x-www-form-urlencoded`, with the fields of a query or those of its own.
 */
export type BodyKind =
  | 'file'
  | 'bytes'
  | 'files'
  | 'strings'
  | 'text'
  | 'message'
  | 'form'
  | 'passwords'
  | 'signIns'
  | 'key'
  | 'openId'
  | 'logout';

/** The parameters of an endpoint, by their wire names. */
export type QuerySchema = ZodObject;

/** One endpoint of the interface: its parameters, its answer, and the function that computes it. */
export interface Endpoint<Query extends QuerySchema = QuerySchema> {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Path without the optional prefix `/api`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  /** Longer description for the documentation. */
  readonly about?: string;
  readonly access: Access;
  readonly query: Query;
  readonly body?: BodyKind;
  /** Schema of the body of a 200 answer. */
  readonly answer: ZodType;
  /** True: the answer is a plain string, written without quotes unless JSON is asked for. */
  readonly plain?: true;
  /** Media types of an answer that is not JSON, or not in all cases. */
  readonly media?: readonly string[];
  /** True: the query holds secrets, so it is never logged. */
  readonly secret?: true;
  /** Statuses and their meanings, in addition to 200 and those that follow from access, body and accountName. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Bodies of failures, by status, if the interface requires something other than problem details. */
  readonly failureBodies?: Readonly<Record<number, string | boolean>>;
  /** Schema of failures if a standard defines one, in addition to problem details. */
  readonly failure?: ZodType;
  readonly respond: (call: Call<z.output<Query>>) => Promise<unknown>;
}

/** An endpoint as a resource declares it. */
type Declared<Query extends QuerySchema> = Omit<Endpoint<Query>, 'method' | 'path' | 'tag' | 'access' | 'query'> & {
  /** Default 'user'. */
  readonly access?: Access;
  /** Default: no parameters. */
  readonly query?: Query;
};

/** Declares endpoints of a tag by method and path: `endpoint('GET /File', {…})`. */
export function endpointsOf(tag: string) {
  // The types of parameters are checked here and then dropped, so that all endpoints fit in one list.
  return <Query extends QuerySchema = QuerySchema>(
    route: `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`,
    row: Declared<Query>,
  ): Endpoint => {
    const [method, path] = route.split(' ');
    return {
      access: 'user',
      query: z.object({}),
      ...row,
      tag,
      method: method.toLowerCase(),
      path,
    } as unknown as Endpoint;
  };
}

/** An answer with a status other than 200, or with headers of its own. */
export class Answer {
  readonly status: number;
  /**
   * `undefined`: no body. Bytes are written as they are, under the Content-Type of `headers`; so is a stream of them,
   * whose Content-Length stands there too.
   */
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** For the log: why it refuses; the account that was named. */
  readonly about: { readonly reason?: unknown; readonly account?: string };

  constructor(
    status: number,
    value: unknown,
    headers: Readonly<Record<string, string>> = {},
    about: Answer['about'] = {},
  ) {
    this.about = about;
    this.status = status;
    this.value = value;
    this.headers = headers;
  }
}
