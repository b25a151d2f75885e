import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sphereMesh, writeMesh } from './parts.js';
import { jsonLines, runCli } from './run-cli.js';

const FILES = 40;
const THREE_DONE = '"done":3,';
interface Line {
  event: string;
  done: number;
  indexed: number;
  unchanged: number;
  total: number;
  interrupted: boolean;
}

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'shapedex-cli-'));
  // About 9 000 triangles each: long enough that the signal arrives while files are at work.
  for (let i = 0; i < FILES; i++) {
    await writeMesh(join(cwd, 'parts', `ball-${String(i).padStart(2, '0')}.stl`), sphereMesh(10 + i, 48));
  }
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

// Windows has no SIGINT to send to another process: kill() ends it there.
test.skipIf(process.platform === 'win32')('Ctrl-C stops cleanly and a second run resumes', async () => {
  const stopped = await runCli(['index', 'parts', '--json'], {
    cwd,
    onStart: (child) => {
      let text = '';
      child.stdout.on('data', (chunk: string) => {
        const before = text.includes(THREE_DONE);
        text += chunk;
        if (!before && text.includes(THREE_DONE)) child.kill('SIGINT');
      });
    },
  });
  expect(stopped.code).toBe(130);
  expect(stopped.stderr).toContain('Stopping');
  expect(stopped.stderr).toContain('Run the same command again');
  const end = jsonLines<Line>(stopped.stdout).at(-1);
  expect(end).toMatchObject({ event: 'end', interrupted: true });

  // Most files wait: what is not found now may be there all the same.
  const early = await runCli(['search', '--text', 'ball-39'], { cwd });
  expect(early.stderr).toMatch(/^warning: \d+ files? not searched: not indexed yet/m);

  const resumed = await runCli(['index', 'parts', '--json'], { cwd });
  expect(resumed.code).toBe(0);
  const result = jsonLines<Line>(resumed.stdout).at(-1);
  expect(result).toMatchObject({ event: 'end', interrupted: false, total: FILES });
  expect(result?.unchanged).toBeGreaterThan(0);
  expect(result?.unchanged).toBeLessThan(FILES);
  expect((result?.indexed ?? 0) + (result?.unchanged ?? 0)).toBe(FILES);

  const status = await runCli(['status', '--json'], { cwd });
  expect(jsonLines(status.stdout)).toMatchObject([{ files: FILES, failures: [] }]);
});
