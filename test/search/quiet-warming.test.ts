import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QuietWarming } from '../../dist/search/quiet-warming.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('searches are made while nobody searches, until the process is warm', async () => {
  const made: number[] = [];
  const warming = new QuietWarming(async (number) => void made.push(number));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(vi.getTimerCount()).toBe(0);
  await warming.close();
});

test('they wait while somebody searches, and one that is wanted takes the place of one of them', async () => {
  const made: number[] = [];
  const warming = new QuietWarming(async (number) => void made.push(number));
  let end!: (found: string) => void;
  const wanted = warming.during(() => new Promise<string>((resolve) => (end = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toEqual([]);
  end('found');
  expect(await wanted).toBe('found');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toHaveLength(19);
  await warming.close();
});

test('after a failure the next one is made; closing ends the one that runs and waits for it', async () => {
  let made = 0;
  let isOver = false;
  const warming = new QuietWarming(async (_, of, signal) => {
    expect(of).toBe(20);
    if (made++ === 0) throw new Error('the file is gone');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toBe(2);
  await warming.close();
  expect(isOver).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
