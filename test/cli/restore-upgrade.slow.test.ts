import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { EMAIL, FILES, PASSWORD } from '../compat/library-contents.js';
import { temporaryFolder } from '../fixtures/folder.js';

// The steps of SERVING.md, as they are written there, on a library of version 0.1.0.

const folder = temporaryFolder();
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const PAGE = readFileSync(new URL('../../src/http/SERVING.md', import.meta.url), 'utf8');
const SECTION = PAGE.slice(PAGE.indexOf('## Back up, restore, upgrade'), PAGE.indexOf('## What it tells'));
const [BACKUP, RESTORE, UPGRADE] = [...SECTION.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, code]) => code);

/** A server that is started in the background, and is waited for until it answers. */
const SERVE = `rm -f served.json
shapedex serve --library ./library --port 0 --json > served.json 2> served.err & SERVER=$!
until [ -s served.json ]; do kill -0 "$SERVER"; sleep .1; done\n`;
/** Asks the server as a user would, and tells what it holds. */
const ASK = `"$NODE" --input-type=module -e '
  import { readFileSync } from "node:fs";
  const { url } = JSON.parse(readFileSync("served.json", "utf8").split("\\n")[0]);
  const form = new URLSearchParams({ grant_type: "password", username: process.env.EMAIL, password: process.env.PASSWORD });
  const { access_token: token } = await (await fetch(url + "/api/Token", { method: "POST", body: form })).json();
  const headers = { Authorization: "Bearer " + token };
  const records = await (await fetch(url + "/api/Records", { headers })).json();
  const put = await fetch(url + "/api/Record?path=" + process.env.NEXT, { method: "PUT", headers: { ...headers, "Content-Type": "application/octet-stream" }, body: "kept " + Date.now() });
  console.log(JSON.stringify({ paths: records.map(({ path }) => path), put: put.status }));
'\n`;

/** Runs steps of the page in the folder `name`, which holds a library of before; what {@link ASK} printed. */
async function run(name: string, steps: string): Promise<{ paths: string[]; put: number }[]> {
  const cwd = join(folder, name);
  const zip = fileURLToPath(new URL('../compat/library-0.1.0.zip', import.meta.url));
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    mkdirSync(dirname(join(cwd, 'library', path)), { recursive: true });
    writeFileSync(join(cwd, 'library', path), bytes);
  }
  const script = steps
    .replaceAll('/mnt/backup', join(cwd, 'backup'))
    .replace(/^shapedex serve --library \.\/library\n/gm, () => SERVE)
    // What is installed is what is built here.
    .replace(/^npm install .*$/gm, 'true')
    .replace(/^(\s*)shapedex /gm, '$1"$NODE" "$MAIN" ');
  const env = { ...process.env, NODE: process.execPath, MAIN, EMAIL, PASSWORD: Buffer.from(PASSWORD).toString('hex') };
  const { code, stdout, stderr } = await new Promise<{ code: number | null; stdout: string; stderr: string }>(
    (resolve, reject) => {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
    },
  );
  expect(code, `${script}\n${stdout}\n${stderr}`).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"paths"'))
    .map((line) => JSON.parse(line) as { paths: string[]; put: number });
}

const END = 'kill -TERM "$SERVER"; wait "$SERVER"\n';
const kept = Object.keys(FILES).sort();

test.skipIf(process.platform === 'win32')(
  'the steps of upgrading: an old library is served, with its files and users',
  async () => {
    // The server of before, which the page's steps stop.
    const before = await run('upgrade', `mkdir backup\n${SERVE}${UPGRADE}export NEXT=new.txt\n${ASK}${END}`);
    expect(before).toEqual([{ paths: kept, put: 200 }]);
  },
);

test.skipIf(process.platform === 'win32')(
  'the steps of restoring: what was there at the backup is there, and nothing later',
  async () => {
    const told = await run(
      'restore',
      `mkdir backup\n${SERVE}export NEXT=before.txt\n${ASK}${BACKUP}export NEXT=after.txt\n${ASK}${RESTORE}export NEXT=later.txt\n${ASK}${END}`,
    );
    expect(told.map(({ put }) => put)).toEqual([200, 200, 200]);
    expect(told.map(({ paths }) => [...paths].sort())).toEqual([
      kept,
      [...kept, 'before.txt'].sort(),
      // The copy was made before `after.txt` came.
      [...kept, 'before.txt'].sort(),
    ]);
  },
);
