import { describe, expect, test } from 'vitest';
import { atOneMoment } from '../../dist/search/filters/one-moment.js';
import { ChangeLog } from '../../dist/store/database/change-log.js';

/** A catalogue of two files, one at least of them red, that is read in two steps; `between` comes between them. */
function counting(between: (step: number, catalogue: Catalogue) => void) {
  const changes = new ChangeLog();
  const catalogue: Catalogue = { red: new Set([1]), changes };
  const decided: string[] = [];
  const decide = async (): Promise<string> => {
    const total = catalogue.red.size;
    between(decided.length, catalogue);
    await Promise.resolve();
    const facet = catalogue.red.size;
    decided.push(`${total} and ${facet}`);
    return decided.at(-1)!;
  };
  return { decided, answer: () => atOneMoment(changes, decide) };
}

interface Catalogue {
  readonly red: Set<number>;
  readonly changes: ChangeLog;
}

/** The other file becomes red, or is red no more. */
function paint({ red, changes }: Catalogue): void {
  if (!red.delete(2)) red.add(2);
  changes.note(2);
}

describe('a decision that several calls of the catalogue make', () => {
  test('is made once where nothing changes meanwhile', async () => {
    const { decided, answer } = counting(() => undefined);
    expect(await answer()).toBe('1 and 1');
    expect(decided).toHaveLength(1);
  });

  test('is made again where a file changed between the calls, so that it is of one moment', async () => {
    const { decided, answer } = counting((step, catalogue) => step < 2 && paint(catalogue));
    expect(await answer()).toBe('1 and 1');
    expect(decided).toEqual(['1 and 2', '2 and 1', '1 and 1']);
  });

  test('is made again where it is not known any more what changed', async () => {
    const { decided, answer } = counting((step, { changes }) => step === 0 && changes.forget());
    await answer();
    expect(decided).toHaveLength(2);
  });

  test('is made four times at most, however often files change', async () => {
    const { decided, answer } = counting((_, catalogue) => paint(catalogue));
    expect(await answer()).toBe('2 and 1');
    expect(decided).toHaveLength(4);
  });

  test('that fails is not made again', async () => {
    const { decided, answer } = counting((_, catalogue) => {
      paint(catalogue);
      throw new Error('the disk refuses');
    });
    await expect(answer()).rejects.toThrow('the disk refuses');
    expect(decided).toEqual([]);
  });
});
