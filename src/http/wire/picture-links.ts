import type { Call } from '../server/call.js';

/** Links to the pictures of a file, valid for as long as their image token (15 minutes by default). */
export interface PictureLinks {
  readonly small: string;
  readonly large: string;
}

/** `page`: number of the page, from 1; '' for the first. */
export async function pictureLinks<Query>(call: Call<Query>, uid: string, page = ''): Promise<PictureLinks> {
  return linksOf(call, uid, await call.engine.accounts.imageToken(call.companyName, uid), page);
}

/** {@link pictureLinks} of several files, in their order. */
export async function allPictureLinks<Query>(call: Call<Query>, uids: readonly string[]): Promise<PictureLinks[]> {
  const tokens = await call.engine.accounts.imageTokens(call.companyName, uids);
  return uids.map((uid, i) => linksOf(call, uid, tokens[i], ''));
}

function linksOf<Query>(call: Call<Query>, fid: string, token: string, page: string): PictureLinks {
  const of = { fid, token, ...(/^[1-9]\d{0,5}$/.test(page) ? { lgFileNumber: page } : {}) };
  const small = call.link('Image', { ...of, type: '0' });
  return { small, large: `${small.slice(0, -1)}1` }; // The type comes last.
}
