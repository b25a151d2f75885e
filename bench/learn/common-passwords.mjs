/**
 * Makes `src/tables/common-passwords.bin`: the first five bytes of the SHA-1 of each of the 10,000 commonest passwords
 * of eight characters or more, in rising order. The list is that of `@zxcvbn-ts/language-common` 4.1.3 (MIT, 49,233
 * passwords by how often they are used), which is no dependency: 1.9 MB, and digests are all that is looked for.
 *
 *   npm install --no-save @zxcvbn-ts/language-common@4.1.3
 *   npm run bench -- learn/common-passwords
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const COUNT = 10_000;
const LEAST_CHARACTERS = 8;
const BYTES = 5;

const { dictionary } = await import('@zxcvbn-ts/language-common');
const passwords = dictionary['passwords-common']
  .map(String)
  .filter(({ length }) => length >= LEAST_CHARACTERS)
  .slice(0, COUNT);
const digests = passwords.map((text) => createHash('sha1').update(text).digest().subarray(0, BYTES));
const bytes = Buffer.concat(digests.sort(Buffer.compare));
await writeFile(fileURLToPath(new URL('../../src/tables/common-passwords.bin', import.meta.url)), bytes);
console.log(`${digests.length} passwords, ${bytes.length} bytes`);
