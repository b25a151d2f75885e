/** Small drawings whose counts, nesting or repetitions ask for far more than they hold. Each is `[name, make]`. */
export function drawingBombs() {
  return [...svgBombs(), ...dxfBombs(), ...dwgBombs()];
}

function svgBombs() {
  const svg = (body, more = '') =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100" ${more}>${body}</svg>`,
    );
  const uses = (levels, times) =>
    `<defs><path id="u0" d="M0 0L9 9"/>${Array.from({ length: levels }, (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(times)}</g>`).join('')}</defs><use href="#u${levels}"/>`;
  const patterns = Array.from(
    { length: 9 },
    (_, i) =>
      `<pattern id="p${i + 1}" width="0.0001" height="0.0001"><rect width="1e9" height="1e9" fill="url(#p${i})"/></pattern>`,
  ).join('');
  return [
    ['svg-uses-10-of-10.svg', () => svg(uses(10, 10))],
    ['svg-uses-40-of-2.svg', () => svg(uses(40, 2))],
    [
      'svg-use-of-itself.svg',
      () => svg('<g id="a"><use href="#a"/><use xlink:href="#b"/></g><g id="b"><use href="#a"/></g>'),
    ],
    [
      'svg-filter-of-1e9.svg',
      () =>
        svg(
          '<filter id="f" x="-1e9" y="-1e9" width="2e9" height="2e9" filterRes="100000"><feGaussianBlur stdDeviation="1e9"/><feTurbulence numOctaves="1000000000"/></filter><rect width="9" height="9" filter="url(#f)"/>',
        ),
    ],
    [
      'svg-patterns-in-patterns.svg',
      () => svg(`<defs>${patterns}</defs><rect width="100" height="100" fill="url(#p9)"/>`),
    ],
    [
      'svg-entities.svg',
      () =>
        Buffer.from(
          `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "<path d='M0 0L9 9'/>">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg">&j;</svg>`,
        ),
    ],
    [
      'svg-entity-of-a-file.svg',
      () =>
        Buffer.from(
          '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///dev/zero">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>',
        ),
    ],
    ['svg-path-of-3-million.svg', () => svg(`<path fill="none" stroke="black" d="M0 0${'l1 1'.repeat(3_000_000)}"/>`)],
    ['svg-path-of-2-million-arcs.svg', () => svg(`<path d="M0 0${'a9 9 0 1 1 1 0'.repeat(1_000_000)}"/>`)],
    [
      'svg-path-of-700000-curves.svg',
      () => svg(`<path stroke="red" d="M0 0${'c1e9 2e9 3e9-4e9 1 1'.repeat(700_000)}"/>`),
    ],
    ['svg-groups-100000-deep.svg', () => svg('<g>'.repeat(100_000))],
    [
      'svg-groups-60-deep-of-2.svg',
      () => svg(nested(19, 2, '<g transform="scale(1e30)">', '</g>', '<path d="M0 0L1 1"/>')),
    ],
    [
      'svg-dash-of-1e-9.svg',
      () => svg('<path fill="none" stroke="black" stroke-dasharray="1e-9" d="M0 0L1e9 1e9"/>'.repeat(10)),
    ],
    [
      'svg-dashes-100000.svg',
      () => svg(`<path fill="none" stroke="black" stroke-dasharray="${'1 2 '.repeat(100_000)}" d="M0 0L100 100"/>`),
    ],
    [
      'svg-circle-of-1e300.svg',
      () => svg('<circle r="1e300"/><ellipse rx="1e300" ry="1e-300"/><rect width="1e300" height="1e300" rx="1e299"/>'),
    ],
    ['svg-view-box-of-1e-300.svg', () => svg('<path stroke="black" d="M0 0L9 9"/>', 'viewBox="0 0 1e-300 1e-300"')],
    [
      'svg-transforms-a-million.svg',
      () => svg(`<g transform="${'rotate(1) '.repeat(1_000_000)}"><path d="M0 0L9 9"/></g>`),
    ],
    [
      'svg-20000-rules-on-20000-elements.svg',
      () =>
        svg(
          `<style>${Array.from({ length: 20_000 }, (_, i) => `.a${i % 7} .b${i} > path.c, #x${i}, path.c{stroke:red}`).join('')}</style>${`<path class="c ${'a1 '.repeat(20)}" d="M0 0L1 1"/>`.repeat(20_000)}`,
        ),
    ],
    [
      'svg-picture-in-itself.svg',
      () =>
        svg(
          `<image width="100" height="100" href="data:image/svg+xml;base64,${svg('<image href="#"/>'.repeat(1_000)).toString('base64')}"/>`,
        ),
    ],
    ['svg-text-of-20-mb.svg', () => svg(`<text font-size="1e9">${'abc '.repeat(5_000_000)}</text>`)],
    ['svg-400000-texts.svg', () => svg('<text x="1" y="2">a</text>'.repeat(400_000))],
    ['svg-polygon-of-2-million.svg', () => svg(`<polygon points="${'1,2 3,4 '.repeat(1_000_000)}"/>`)],
    [
      'svg-1e9-by-1e9.svg',
      () =>
        svg('<path stroke="black" d="M0 0L9 9"/>', '')
          .toString()
          .replace('width="100" height="100"', 'width="1000000000mm" height="1000000000mm"'),
    ].map((part, i) => (i === 0 ? part : () => Buffer.from(part()))),
  ];
}

/** `content` inside `times` elements of each level. */
function nested(levels, times, open, close, content) {
  let inner = content;
  for (let i = 0; i < levels; i++) inner = `${open}${inner.repeat(times)}${close}`;
  return inner;
}

/** Group codes and values, as lines. */
const pairs = (...list) => {
  let text = '';
  for (let i = 0; i < list.length; i += 2) text += `${list[i]}\n${list[i + 1]}\n`;
  return text;
};

function dxf(entities, blocks = '') {
  const section = (name, body) => `0\nSECTION\n2\n${name}\n${body}0\nENDSEC\n`;
  return Buffer.from(
    section('HEADER', pairs(9, '$ACADVER', 1, 'AC1015')) +
      (blocks === '' ? '' : section('BLOCKS', blocks)) +
      section('ENTITIES', entities) +
      '0\nEOF\n',
  );
}

function dxfBombs() {
  const line = pairs(0, 'LINE', 8, 0, 10, 0, 20, 0, 11, 9, 21, 9);
  const insert = (name, ...more) =>
    pairs(0, 'INSERT', 100, 'AcDbEntity', 8, 0, 100, 'AcDbBlockReference', 2, name, 10, 0, 20, 0, ...more);
  const block = (name, body) =>
    pairs(0, 'BLOCK', 100, 'AcDbEntity', 8, 0, 100, 'AcDbBlockBegin', 2, name, 70, 0, 10, 0, 20, 0, 3, name) +
    body +
    pairs(0, 'ENDBLK', 100, 'AcDbEntity', 8, 0, 100, 'AcDbBlockEnd');
  const blocks = (levels, times) =>
    block('b0', line) +
    Array.from({ length: levels }, (_, i) => block(`b${i + 1}`, insert(`b${i}`).repeat(times))).join('');
  const many = (rows, columns) => insert('b0', 70, columns, 71, rows, 44, 1, 45, 1);
  const hatch = (step, side, lines = 1) =>
    pairs(
      0,
      'HATCH',
      100,
      'AcDbEntity',
      8,
      0,
      100,
      'AcDbHatch',
      10,
      0,
      20,
      0,
      30,
      0,
      210,
      0,
      220,
      0,
      230,
      1,
      2,
      'A',
      70,
      0,
      71,
      0,
      91,
      1,
    ) +
    pairs(92, 2, 72, 0, 73, 1, 93, 4, 10, 0, 20, 0, 10, side, 20, 0, 10, side, 20, side, 10, 0, 20, side, 97, 0) +
    pairs(75, 0, 76, 1, 52, 0, 41, 1, 77, 0, 78, lines) +
    pairs(53, 45, 43, 0, 44, 0, 45, -step, 46, step, 79, 0).repeat(lines) +
    pairs(98, 0);
  const spline = (degree, knots, points) =>
    pairs(0, 'SPLINE', 100, 'AcDbEntity', 8, 0, 100, 'AcDbSpline', 70, 8, 71, degree, 72, knots, 73, points, 74, 0) +
    Array.from({ length: Math.min(knots, 200_000) }, (_, i) => pairs(40, i)).join('') +
    Array.from({ length: Math.min(points, 200_000) }, (_, i) => pairs(10, i % 100, 20, (7 * i) % 50, 30, 0)).join('');
  const text = (value) => pairs(0, 'MTEXT', 100, 'AcDbEntity', 8, 0, 100, 'AcDbMText', 10, 0, 20, 0, 40, 2.5, 1, value);
  return [
    ['dxf-blocks-10-of-10.dxf', () => dxf(insert('b10'), blocks(10, 10))],
    ['dxf-blocks-40-of-2.dxf', () => dxf(insert('b40'), blocks(40, 2))],
    ['dxf-block-in-itself.dxf', () => dxf(insert('b0'), block('b0', insert('b1') + line) + block('b1', insert('b0')))],
    ['dxf-array-32767-by-32767.dxf', () => dxf(many(32_767, 32_767), blocks(0, 0))],
    ['dxf-array-1e9-by-1e9.dxf', () => dxf(many(1_000_000_000, 1_000_000_000), blocks(0, 0))],
    [
      'dxf-arrays-in-arrays.dxf',
      () => dxf(insert('c1', 70, 1_000, 71, 1_000), block('b0', line) + block('c1', many(1_000, 1_000))),
    ],
    ['dxf-empty-array-1400-by-1400.dxf', () => dxf(insert('b0', 70, 1_400, 71, 1_400).repeat(200), block('b0', ''))],
    ['dxf-hatch-of-1e9-lines.dxf', () => dxf(hatch(0.000001, 1_000))],
    ['dxf-hatch-step-1e-300.dxf', () => dxf(hatch(1e-300, 1e6))],
    ['dxf-300-hatches-of-100000-lines.dxf', () => dxf(hatch(0.1, 10_000).repeat(300))],
    ['dxf-hatch-of-20000-families.dxf', () => dxf(hatch(1, 100, 20_000))],
    ['dxf-spline-of-100000-knots.dxf', () => dxf(spline(3, 100_004, 100_000))],
    ['dxf-spline-of-degree-30000.dxf', () => dxf(spline(30_000, 60_001, 30_000))],
    ['dxf-spline-claims-1e9.dxf', () => dxf(spline(3, 1_000_000_000, 1_000_000_000))],
    ['dxf-1000-splines-of-degree-25.dxf', () => dxf(spline(25, 1_026, 1_000).repeat(100))],
    [
      'dxf-polyline-of-a-million.dxf',
      () =>
        dxf(
          pairs(0, 'LWPOLYLINE', 100, 'AcDbEntity', 8, 0, 100, 'AcDbPolyline', 90, 1_000_000, 70, 0) +
            Array.from({ length: 500_000 }, (_, i) => pairs(10, i % 99, 20, i % 77, 42, 1)).join(''),
        ),
    ],
    [
      'dxf-polyline-claims-2-gi.dxf',
      () =>
        dxf(
          pairs(0, 'LWPOLYLINE', 100, 'AcDbEntity', 8, 0, 100, 'AcDbPolyline', 90, 2_147_483_647, 70, 0, 10, 0, 20, 0),
        ),
    ],
    ['dxf-text-nested-100000.dxf', () => dxf(text('{\\H2.5;'.repeat(100_000)))],
    ['dxf-text-fractions-a-million.dxf', () => dxf(text('\\S1/2;%%c\\P'.repeat(500_000)))],
    [
      'dxf-arc-of-1e300.dxf',
      () =>
        dxf(
          pairs(0, 'ARC', 8, 0, 10, 0, 20, 0, 40, 1e300, 50, 0, 51, 1e300) +
            pairs(0, 'ELLIPSE', 8, 0, 10, 0, 20, 0, 11, 1e300, 21, 0, 40, 1e-300, 41, 0, 42, 1e300),
        ),
    ],
    [
      'dxf-line-type-of-1e-9.dxf',
      () => dxf(pairs(0, 'LINE', 8, 0, 6, 'D', 48, 1e-12, 10, 0, 20, 0, 11, 1e9, 21, 1e9).repeat(100)),
    ],
    [
      'dxf-300000-layers.dxf',
      () => dxf(Array.from({ length: 100_000 }, (_, i) => pairs(0, 'POINT', 8, `layer ${i}`, 10, 0, 20, 0)).join('')),
    ],
    [
      'dxf-dimension-of-itself.dxf',
      () =>
        dxf(
          pairs(0, 'DIMENSION', 100, 'AcDbEntity', 8, 0, 100, 'AcDbDimension', 2, '*D1', 10, 0, 20, 0, 70, 0),
          block('*D1', pairs(0, 'DIMENSION', 8, 0, 2, '*D1', 10, 0, 20, 0, 70, 0)),
        ),
    ],
    [
      'dxf-thumbnail-of-1e9.dxf',
      () =>
        Buffer.concat([
          Buffer.from(
            `0\nSECTION\n2\nTHUMBNAILIMAGE\n90\n1000000000\n${pairs(310, 'FF'.repeat(120)).repeat(10_000)}0\nENDSEC\n`,
          ),
          dxf(line),
        ]),
    ],
  ];
}

function dwgBombs() {
  const written = async (fill) => {
    const acad = await import('@node-projects/acad-ts');
    const document = new acad.CadDocument();
    const block = new acad.BlockRecord('b0');
    const line = new acad.Line();
    line.endPoint = new acad.XYZ(9, 9, 0);
    block.entities.add(line);
    document.blockRecords.add(block);
    fill(acad, document, block);
    document.header.version = acad.ACadVersion.AC1018;
    return Buffer.from(acad.DwgWriter.writeToBuffer(document));
  };
  const insert = (acad, block, rows = 1, columns = 1) => {
    const made = new acad.Insert(block);
    Object.assign(made, { rowCount: rows, columnCount: columns, rowSpacing: 1, columnSpacing: 1 });
    return made;
  };
  return [
    [
      'dwg-array-32767-by-32767.dwg',
      () => written((acad, document, block) => document.modelSpace.entities.add(insert(acad, block, 32_767, 32_767))),
    ],
    [
      'dwg-400-arrays-of-2000000.dwg',
      () =>
        written((acad, document, block) => {
          for (let i = 0; i < 400; i++) document.modelSpace.entities.add(insert(acad, block, 1_400, 1_400));
        }),
    ],
  ];
}
