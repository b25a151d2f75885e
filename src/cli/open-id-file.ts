import { readFile } from 'node:fs/promises';
import { messageOf, systemWords } from '../errors.js';
import type { OpenIdOptions } from '../http/index.js';
import { UsageError } from './exit.js';

/** What a file of `serve --openid` says. */
export interface OpenIdFile {
  readonly openId: OpenIdOptions;
  /** False: nobody signs in with a password. */
  readonly passwords: boolean;
}

/** Where the secret is looked for, so that the file may lie where others read it. */
const SECRET = 'SHAPEDEX_OPENID_SECRET';

/**
 * Reads the provider of `serve --openid`: the fields of `OpenIdOptions`, and `passwords`.
 * @throws UsageError for what is no such file.
 */
export async function readOpenIdFile(path: string): Promise<OpenIdFile> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`--openid: ${path} cannot be read: ${systemWords(cause) ?? messageOf(cause)}`);
  });
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new UsageError(`--openid: ${path} is no JSON: ${messageOf(cause)}`);
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new UsageError(`--openid: ${path} must hold an object`);
  const { passwords = true, ...openId } = fields as OpenIdOptions & { readonly passwords?: unknown };
  if (typeof passwords !== 'boolean') throw new UsageError(`--openid: passwords in ${path} must be true or false`);
  const secret = process.env[SECRET];
  const given = secret === undefined ? openId : { ...openId, clientSecret: secret };
  const { checkOpenId } = await import('../http/index.js');
  try {
    checkOpenId(given);
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw new UsageError(`--openid: ${path}: ${cause.message.replace(/^options\.openId\.?/, '')}`);
  }
  return { openId: given, passwords };
}
