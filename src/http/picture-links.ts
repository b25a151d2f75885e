import type { Call } from './call.js';

/** Links to the pictures of a file, good for some minutes: small and large. `page`: which of a file with several, from 1; '' the first. */
export async function pictureLinks<Query>(call: Call<Query>, uid: string, page = ''): Promise<{ small: string; large: string }> {
  const token = await call.engine.accounts.imageToken(call.companyName, uid);
  const of = { fid: uid, token, ...(/^[1-9]\d{0,5}$/.test(page) ? { lgFileNumber: page } : {}) };
  return { small: call.link('Image', { ...of, type: '0' }), large: call.link('Image', { ...of, type: '1' }) };
}
