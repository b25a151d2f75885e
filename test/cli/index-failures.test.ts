import { afterEach, expect, test, vi } from 'vitest';
import { renderOutcome } from '../../dist/cli/commands/index-folders.js';
import { indexFolder } from '../../dist/cli/index-folder.js';
import { openOutput } from '../../dist/cli/output.js';
import { EngineError, type Company, type PutFolderProgress } from '../../dist/index.js';

afterEach(() => vi.restoreAllMocks());

/** A company whose folder has so many files, none of which can be read. */
function failing(files: number): Company {
  async function* putFolder(): AsyncGenerator<Partial<PutFolderProgress>> {
    for (let failed = 1; failed <= files; failed++) {
      const error = new EngineError('FILE_MALFORMED', `the file ends early\nat byte ${failed}`);
      yield await Promise.resolve({
        ...{ done: 0, failed, skipped: 0, replaced: 0, total: files, bytes: 0, bytesTotal: 9 },
        path: `parts/${failed}.step`,
        error,
      });
    }
  }
  return { putFolder } as unknown as Company;
}

test('a failure is named when it happens, and of a thousand not more than fit on a screen', async () => {
  let written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  const options = { output: openOutput({}), signal: new AbortController().signal };
  await indexFolder(failing(2), 'parts', options);
  expect(written).toMatch(/^failed: parts\/1\.step: FILE_MALFORMED: the file ends early\S* ?at byte 1\nfailed: /);
  expect(written).not.toContain('Further failures');

  written = '';
  const outcome = await indexFolder(failing(1_000), 'parts', options);
  expect(outcome.failures).toHaveLength(1_000);
  expect(written.match(/^failed: /gm)).toHaveLength(20);
  expect(written).toContain(
    '\nFurther failures are counted; the list at the end names them, if they are not too many.\n',
  );
  const told = renderOutcome('parts', outcome).split('\n');
  expect(told[0]).toContain('1000 failed');
  expect(told.length).toBeLessThan(410);
  expect(told.at(-1)).toBe('  … and 800 files more');
});
