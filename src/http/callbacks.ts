import { EngineError, type Engine } from '../index.js';
import { RequestBody } from './server/body.js';
import { Call } from './server/call.js';
import { fileMapOf } from './wire/file-map.js';
import type { HttpOptions } from './server/http-options.js';

/**
 * Starts the engine's callbacks. Their payload is the answer of GET File and the pair that the upload carried in
 * callbackParam.
 */
export function sendCallbacks(engine: Engine, options: HttpOptions): void {
  engine.accounts.sendCallbacks(async ({ companyName, fileUid, callbackParam }) => {
    const company = await engine.company(companyName);
    const record = await company.get(fileUid).catch((cause: unknown) => {
      if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
      return undefined; // The file was deleted in the meantime, so no callback is sent.
    });
    if (record === undefined) return undefined;
    const request = new Request('http://localhost/');
    const call = new Call({
      engine,
      options,
      request,
      client: {},
      body: new RequestBody(request, options),
      query: {},
      principal: undefined,
      provider: undefined,
      seen: 'all',
      origin: '', // Nobody asked, so the address is not known unless there is a public one.
      companyName,
    });
    const at = callbackParam.indexOf(':');
    const [name, value] = at < 0 ? [callbackParam, ''] : [callbackParam.slice(0, at), callbackParam.slice(at + 1)];
    // The fields of the record come last: a callbackParam cannot overwrite them.
    return JSON.stringify({ [name]: value, ...(await fileMapOf(call, record, { includeShapelets: false })) });
  });
}
