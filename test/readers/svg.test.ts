import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { EngineError } from '../../dist/errors.js';
import { readContent } from '../../dist/readers/read.js';
import { damaged } from '../fixtures/damage.js';
import { options, text } from './helpers.js';

async function read(content: string, limits: Parameters<typeof options>[0] = {}): Promise<Drawing> {
  const drawing = await readContent(text(content), 'a.svg', options(limits));
  if (drawing.kind !== 'drawing') throw new Error(`an SVG became a ${drawing.kind}`);
  return drawing;
}

const svg = (inside: string, attributes = 'viewBox="0 0 400 200"'): string => `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

describe('SVG', () => {
  it('gives text with boxes as shares of the view box', async () => {
    const { format, pages: [{ text: words, runs }] } = await read(svg('<text x="100" y="150" font-size="10">AB-123/4</text>'));
    expect([format, words]).toEqual(['svg', 'AB-123/4']);
    const { box } = runs![0];
    expect(box.x).toBeCloseTo(0.25, 5);
    expect(box.y).toBeCloseTo((150 - 8) / 200, 5);
    expect(box.height).toBeCloseTo(10 / 200, 5);
    const moved = await read(svg('<g transform="translate(100 50)"><text transform="rotate(90) scale(2)" style="font-size:5px" x="0" y="0">UP</text></g>', 'viewBox="-100 -50 400 200"'));
    const { box: upright } = moved.pages[0].runs![0];
    expect(upright.y).toBeCloseTo(100 / 200, 5);
    expect(upright.height * 200).toBeGreaterThan(upright.width * 400);
  });

  it('joins spans, honours anchors and leaves out what is not shown', async () => {
    const { pages: [{ text: words, runs }] } = await read(svg(
      '<style>.a{fill:red}</style><defs><text>hidden</text></defs><script>no()</script><text x="10" y="20">Shaft <tspan font-weight="bold">25 h6</tspan></text>'
      + '<text x="10" y="60">first<tspan x="10" dy="1.5em">second</tspan></text><text x="400" y="120" text-anchor="end">right</text><text display="none">gone</text>'));
    expect(words).toBe('Shaft 25 h6\nfirst\nsecond\nright');
    const { box } = runs!.at(-1)!;
    expect(box.x + box.width).toBeCloseTo(1, 5);
  });

  it('gives title, description and metadata', async () => {
    const { properties } = await read(svg('<title>Bearing</title><desc>Front view</desc><metadata><rdf:RDF xmlns:rdf="r" xmlns:cc="c" xmlns:dc="d"><cc:Work><dc:creator><cc:Agent><dc:title>Anna</dc:title></cc:Agent></dc:creator>'
      + '<dc:rights>ACME</dc:rights></cc:Work></rdf:RDF></metadata><g><title>tooltip</title></g>'));
    expect(properties.map(({ name, value }) => `${name}=${value}`)).toEqual(['Title=Bearing', 'Description=Front view', 'Author=Anna', 'Copyright=ACME']);
  });

  it('entities, nesting and numbers beyond limits do no harm', async () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY c "${'&b;'.repeat(10)}">]>`;
    await expect(read(`<?xml version="1.0"?>${bomb}<svg><text>&c;</text></svg>`)).rejects.toMatchObject({ code: 'FILE_MALFORMED' });
    await expect(read(svg('<g>'.repeat(100_000)))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'depth' } });
    await expect(read(svg('<g/>'.repeat(2_000)), { entities: 1_000 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'entities' } });
    const { pages } = await read(svg(`<text transform="rotate(NaN) matrix(1 2) scale(1e999)" x="1e308" y="-1e308" font-size="1e300">x</text><text>${'y'.repeat(5_000)}</text>`), { textCharacters: 1_000 });
    expect(pages[0].text.length).toBeLessThanOrEqual(1_000);
    for (const { box } of pages[0].runs!) for (const share of Object.values(box)) expect(share >= 0 && share <= 1).toBe(true);
  });

  it('damaged 200 ways ends in a drawing or a coded error', async () => {
    const whole = text(svg('<title>T</title><g transform="rotate(30 5 5)"><text x="1" y="2" style="font-size:5mm">abc <tspan dx="3">def</tspan></text></g>'));
    const ends = new Map<string, number>();
    for (const bytes of damaged(whole, 200, 4)) {
      const end = await readContent(bytes, 'a.svg', options()).then(({ kind }) => kind, (cause: unknown) => {
        if (cause instanceof EngineError) return cause.code;
        throw cause;
      });
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect(ends.get('drawing')).toBeGreaterThan(20);
  });
});
