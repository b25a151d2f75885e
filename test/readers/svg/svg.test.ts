import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../../dist/content/drawing.js';
import { EngineError } from '../../../dist/errors.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import { options, text } from '../helpers.js';

async function read(content: string, limits: Parameters<typeof options>[0] = {}): Promise<Drawing> {
  const drawing = await readContent(text(content), 'a.svg', options(limits));
  if (drawing.kind !== 'drawing') throw new Error(`an SVG became a ${drawing.kind}`);
  return drawing;
}

const svg = (inside: string, attributes = 'viewBox="0 0 400 200"'): string =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

describe('SVG', () => {
  it('reads a line of more texts than a call may have arguments', async () => {
    const count = 200_000;
    const texts = Array.from({ length: count }, (_, i) => `<text x="${100 * i}" y="9">a</text>`);
    const { pages } = await read(svg(texts.join('')));
    expect(pages[0].runs).toHaveLength(count);
  }, 60_000);

  it('gives text with boxes as shares of the view box', async () => {
    const {
      format,
      pages: [{ text: words, runs }],
    } = await read(svg('<text x="100" y="150" font-size="10">AB-123/4</text>'));
    expect([format, words]).toEqual(['svg', 'AB-123/4']);
    const { box } = runs![0];
    expect(box.x).toBeCloseTo(0.25, 5);
    expect(box.y).toBeCloseTo((150 - 8) / 200, 5);
    expect(box.height).toBeCloseTo(10 / 200, 5);
    const moved = await read(
      svg(
        '<g transform="translate(100 50)"><text transform="rotate(90) scale(2)" ' +
          'style="font-size:5px" x="0" y="0">UP</text></g>',
        'viewBox="-100 -50 400 200"',
      ),
    );
    const { box: upright } = moved.pages[0].runs![0];
    expect(upright.y).toBeCloseTo(100 / 200, 5);
    expect(upright.height * 200).toBeGreaterThan(upright.width * 400);
  });

  it('joins spans, honours anchors and leaves out what is not shown', async () => {
    const {
      pages: [{ text: words, runs }],
    } = await read(
      svg(
        '<style>.a{fill:red}</style><defs><text>hidden</text></defs><script>no()</script><text ' +
          'x="10" y="20">Shaft <tspan font-weight="bold">25 h6</tspan></text>' +
          ('<text x="10" y="60">first<tspan x="10" dy="1.5em">second</tspan></text><text x="400" ' +
            'y="120" text-anchor="end">right</text><text display="none">gone</text>'),
      ),
    );
    expect(words).toBe('Shaft 25 h6\nfirst\nsecond\nright');
    const { box } = runs!.at(-1)!;
    expect(box.x + box.width).toBeCloseTo(1, 5);
  });

  it('gives title, description and metadata', async () => {
    const { properties } = await read(
      svg(
        '<title>Bearing</title><desc>Front view</desc><metadata><rdf:RDF xmlns:rdf="r" xmlns:cc="c" ' +
          'xmlns:dc="d"><cc:Work><dc:creator><cc:Agent><dc:title>Anna</dc:title></cc:Agent></dc:creator>' +
          '<dc:rights>ACME</dc:rights></cc:Work></rdf:RDF></metadata><g><title>tooltip</title></g>',
      ),
    );
    expect(properties.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Title=Bearing',
      'Description=Front view',
      'Author=Anna',
      'Copyright=ACME',
    ]);
  });

  it('draws shapes and paths at their places, with the styles of style sheets', async () => {
    const {
      sheets: [sheet],
    } = await read(
      svg(
        '<style>.thin{stroke-width:.5;stroke:#00f} #dashed{stroke-dasharray:4 2 1}</style><defs>' +
          '<symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol></defs>' +
          ('<g fill="none" stroke="black" transform="translate(10 20)"><rect x="0" y="0" width="30" ' +
            'height="20"/><path class="thin" d="M50 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z"/>') +
          ('<path id="dashed" d="m100,0 10-5l10 5H130V10zm0 50q5 5 10 0t10 0"/><use href="#s" x="200" ' +
            'y="0" width="20" height="20"/><line x1="0" y1="99" x2="9" y2="99" visibility="hidden"/></g>') +
          ('<path d="M300 100L310 100 310 110z" fill="green"/><g display="none"><circle cx="9" cy="9" ' +
            'r="99"/></g><text x="200" y="150" font-size="10" transform="rotate(90 200 150)">UP</text>'),
        'width="200mm" height="100mm" viewBox="0 0 400 200"',
      ),
    );
    const strokes = Array.from({ length: sheet.strokes.count }, (_, i) => {
      const own = sheet.strokes.points.subarray(2 * sheet.strokes.starts[i], 2 * sheet.strokes.starts[i + 1]);
      return {
        points: [...own].map((value) => Math.round(10 * value) / 10),
        style: sheet.styles[sheet.strokes.styles[i]],
      };
    });
    expect([sheet.number, sheet.width, sheet.height, sheet.unitMm, sheet.space]).toEqual([1, 400, 200, 0.5, 'paper']);
    expect(strokes[0].points).toEqual([10, 20, 40, 20, 40, 40, 10, 40, 10, 20]);
    expect(
      sheet.arcs.map(({ stroke, x, y, radius }) =>
        [stroke, x, y, radius].map((value) => Math.round(1e4 * value) / 1e4),
      ),
    ).toEqual([
      [1, 70, 20, 10],
      [4, 220, 30, 8],
    ]);
    expect([strokes[1].style.width, strokes[1].style.color, strokes[2].style.dash]).toEqual([
      0.5,
      0xff,
      [4, 2, 1, 4, 2, 1],
    ]);
    expect(strokes[2].points).toEqual([110, 20, 120, 15, 130, 20, 140, 20, 140, 30, 110, 20]);
    expect([strokes[3].points.slice(0, 2), strokes[3].points.slice(-2)]).toEqual([
      [110, 70],
      [130, 70],
    ]);
    expect([strokes[5].points, strokes[5].style.isFill, strokes[5].style.color]).toEqual([
      [300, 100, 310, 100, 310, 110, 300, 100],
      true,
      0x8000,
    ]);
    expect(strokes).toHaveLength(6);
    expect(
      sheet.texts.map(({ text: words, x, y, angleRad, height }) => [words, x, y, angleRad.toFixed(3), height]),
    ).toEqual([['UP', 200, 150, '1.571', 7]]);
  });

  it('use that repeats itself or grows without end is bounded', async () => {
    const { sheets } = await read(
      svg(
        '<g id="a"><line x2="9" y2="9" stroke="red"/><use href="#a" x="5"/><use href="#b"/></g><g ' +
          'id="b"><use href="#a" y="5"/></g>',
      ),
    );
    expect(sheets[0].strokes.count).toBeLessThan(20);
    const levels = Array.from(
      { length: 20 },
      (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`,
    ).join('');
    await expect(
      read(svg(`<defs><path id="g0" stroke="red" d="M0 0h9"/>${levels}</defs><use href="#g20"/>`), {
        entities: 10_000,
      }),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'entities' } });
    const circles = '<circle r="5" stroke="red"/>'.repeat(100);
    await expect(read(svg(circles), { entities: 1_000 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const {
      sheets: [odd],
    } = await read(
      svg(
        '<path stroke="red" d="M0 0L10 10 1e999 5L20 20zA1 M"/><rect width="NaN" height="5"/>' +
          '<polygon points="1,2 3"/><circle r="1e300"/>',
      ),
    );
    expect(odd.strokes.points.every(Number.isFinite)).toBe(true);
  });

  it('expands the entities that drawing programs declare: namespaces, styles, words', async () => {
    const declared =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [\n<!-- <!ENTITY word "no"> -->\n' +
      '<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n<!ENTITY st0 "font-size:20;">\n' +
      "<!ENTITY maker 'Smith &amp; &#83;ons'>\n<!ENTITY word 'by &maker;'>\n<!ENTITY word 'twice'>\n]>";
    const body =
      '<svg xmlns="&ns_svg;" viewBox="0 0 400 200"><text x="9" y="50" style="&st0;">made &word;</text></svg>';
    const { pages } = await read(`<?xml version="1.0"?>${declared}${body}`);
    expect(pages[0].text).toBe('made by Smith & Sons');
    expect(pages[0].runs![0].box.height).toBeCloseTo(20 / 200, 5);
  });

  it.each([
    ['<!ENTITY a SYSTEM "file:///etc/passwd">', 'lies outside of the file'],
    ['<!ENTITY a "<path d=\'M0 0\'/>">', 'stands for elements'],
    ['<!ENTITY a "&b;"><!ENTITY b "&a;">', 'to itself'],
    ['<!ENTITY a "&b;">', '"b", which is not declared'],
    ['', 'undefined entity'],
  ])('tells why an entity is not expanded: %s', async (declarations, why) => {
    await expect(read(`<!DOCTYPE svg [${declarations}]><svg><text>&a;</text></svg>`)).rejects.toMatchObject({
      code: 'FILE_MALFORMED',
      message: expect.stringContaining(why) as string,
    });
  });

  it('entities, nesting and numbers beyond limits do no harm', async () => {
    // Each of ten is ten of the one before: a gigabyte of a.
    const tenfold = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`);
    const bomb = `<!DOCTYPE svg [<!ENTITY e0 "a">${tenfold.join('')}]>`;
    await expect(read(`<?xml version="1.0"?>${bomb}<svg><text>&e9;</text></svg>`)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    // One of sixty thousand characters, three hundred times.
    const long = `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(60_000)}">]>`;
    await expect(read(`${long}<svg>${'<text>&a;</text>'.repeat(300)}</svg>`)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    // A name that JavaScript knows is none that XML declares.
    const known = `<!DOCTYPE svg [<!ENTITY b "&__proto__;${'&a;'.repeat(800)}"><!ENTITY a "${'a'.repeat(60_000)}">]>`;
    await expect(read(`${known}<svg><text>&b;</text></svg>`)).rejects.toThrow('"__proto__", which is not declared');
    await expect(read(svg('<g>'.repeat(100_000)))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'depth' },
    });
    await expect(read(svg('<g/>'.repeat(2_000)), { entities: 1_000 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'entities' },
    });
    const { pages } = await read(
      svg(
        '<text transform="rotate(NaN) matrix(1 2) scale(1e999)" x="1e308" y="-1e308" ' +
          `font-size="1e300">x</text><text>${'y'.repeat(5_000)}</text>`,
      ),
      { textCharacters: 1_000 },
    );
    expect(pages[0].text.length).toBeLessThanOrEqual(1_000);
    for (const { box } of pages[0].runs!)
      for (const share of Object.values(box)) expect(share >= 0 && share <= 1).toBe(true);
  });

  it('damaged 200 ways ends in a drawing or a coded error', async () => {
    const whole = text(
      svg(
        '<title>T</title><g transform="rotate(30 5 5)"><text x="1" y="2" style="font-size:5mm">abc ' +
          '<tspan dx="3">def</tspan></text><path id="p" d="M0 0c1 2 3 4 5 6a5 5 0 01 3 3z"/><use ' +
          'href="#p" x="3"/></g>',
      ),
    );
    const ends = new Map<string, number>();
    for (const bytes of damaged(whole, 200, 4)) {
      const end = await readContent(bytes, 'a.svg', options()).then(
        ({ kind }) => kind,
        (cause: unknown) => {
          if (cause instanceof EngineError) return cause.code;
          throw cause;
        },
      );
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect(ends.get('drawing')).toBeGreaterThan(20);
  });
});
