import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayNameOf, extensionOf, normalizeFilePath, numberedPath } from '../../dist/store/catalog/file-path.js';

describe('normalizeFilePath', () => {
  test('half of a surrogate pair is no control character', () => {
    expect(() => normalizeFilePath('a\ud800.stl')).toThrow(/valid Unicode.*a\\ud800\.stl/);
    expect(() => normalizeFilePath('a\n.stl')).toThrow('control characters');
  });

  test.each([
    ['a/b.stl', 'a/b.stl'],
    ['/a/b.stl', 'a/b.stl'],
    ['a\\b.stl', 'a/b.stl'],
    ['./a//b.stl/', 'a/b.stl'],
    ['C:\\parts\\b.stl', 'C:/parts/b.stl'],
    ['e\u0301.stl', '\u00e9.stl'],
    ['..a/b...stl', '..a/b...stl'],
  ])('%j is %j', (given, wanted) => expect(normalizeFilePath(given)).toBe(wanted));

  test.each(['', '/', '.', '..', 'a/../b', '\n', 'a\u0000b', '\ud800', 'x'.repeat(1_025)])('refuses %j', (path) => {
    expect(() => normalizeFilePath(path)).toThrow(RangeError);
  });

  test('gives the same again, without leading or double slashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (path) => {
        let label: string;
        try {
          label = normalizeFilePath(path);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        expect(normalizeFilePath(label)).toBe(label);
        expect(label).not.toMatch(/^\/|\/\/|\\|(^|\/)\.{1,2}(\/|$)/);
      }),
    );
  });
});

test.each([
  ['a/b.STL', '.stl', 'b.STL', 'a/b(2).STL'],
  ['a.b/c', '', 'c', 'a.b/c(2)'],
  ['x.step.gz', '.step.gz', 'x.step.gz', 'x(2).step.gz'],
  ['x.sldprt.IFZ', '.sldprt.ifz', 'x.sldprt.IFZ', 'x(2).sldprt.IFZ'],
  ['.hidden', '', '.hidden', '.hidden(2)'],
  ['a.b.c.stl', '.stl', 'a.b.c.stl', 'a.b.c(2).stl'],
  ['x.gz', '.gz', 'x.gz', 'x(2).gz'],
])('%s has extension, name and number', (path, extension, name, numbered) => {
  expect([extensionOf(path), displayNameOf(path), numberedPath(path, 2)]).toEqual([extension, name, numbered]);
});
