/** Boundary representations that ask a kernel, or the reader of their text, for far more. Each is `[name, make]`. */
export function solidBombs() {
  return [...stepBombs(), ...igesBombs(), ...brepBombs()];
}

const step = (data) =>
  Buffer.from(
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('a','2026-01-01T00:00:00',(''),(''),'','','');\n" +
      `FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`,
  );
const frame =
  "#1=CARTESIAN_POINT('',(0.,0.,0.));\n#2=DIRECTION('',(0.,0.,1.));\n#3=DIRECTION('',(1.,0.,0.));\n" +
  "#4=AXIS2_PLACEMENT_3D('',#1,#2,#3);\n" +
  '#5=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n#6=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));\n' +
  '#7=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());\n' +
  "#8=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#5,#6,#7))REPRESENTATION_CONTEXT('',''));\n" +
  "#9=APPLICATION_CONTEXT('');\n#10=PRODUCT_CONTEXT('',#9,'');\n#11=PRODUCT_DEFINITION_CONTEXT('part definition',#9,'');\n";
/** A product with a shape representation of this item. */
export const product = (id, shape) =>
  `#${id}=PRODUCT('p${id}','p${id}','',(#10));\n#${id + 1}=PRODUCT_DEFINITION_FORMATION('','',#${id});\n` +
  `#${id + 2}=PRODUCT_DEFINITION('','',#${id + 1},#11);\n#${id + 3}=PRODUCT_DEFINITION_SHAPE('','',#${id + 2});\n` +
  `#${id + 4}=SHAPE_REPRESENTATION('',(#4${shape === '' ? '' : `,${shape}`}),#8);\n` +
  `#${id + 5}=SHAPE_DEFINITION_REPRESENTATION(#${id + 3},#${id + 4});\n`;

/** A STEP file with units, an origin (#4) and these entities. */
export const stepOf = (data) => step(frame + data);

function stepBombs() {
  // Product i + 1 holds product i `times` times.
  const assemblies = (levels, times, top = 0) => {
    let text = frame + product(100, '');
    for (let level = 1; level <= levels; level++) text += product(100 + 10 * level, '');
    let id = 1_000_000;
    for (let level = 1; level <= levels; level++)
      for (let i = 0; i < times; i++)
        text += `#${id++}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('${id}','','',#${102 + 10 * level},#${102 + 10 * (level - 1)},$);\n`;
    if (top > 0) text += `#${id}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('x','','',#102,#${102 + 10 * levels},$);\n`;
    return text;
  };
  const face = (surface, first = 100) =>
    `#${first}=ADVANCED_FACE('',(),#${first + 1},.T.);\n#${first + 1}=${surface};\n#${first + 2}=OPEN_SHELL('',(#${first}));\n` +
    `#${first + 3}=SHELL_BASED_SURFACE_MODEL('',(#${first + 2}));\n${product(200, `#${first + 3}`)}`;
  const spline = (u, v, knots) =>
    `B_SPLINE_SURFACE_WITH_KNOTS('',${u},${v},((#1,#1),(#1,#1)),.UNSPECIFIED.,.F.,.F.,.F.,(${knots}),(2,2),(0.,1.),(0.,1.),.UNSPECIFIED.)`;
  return [
    ['step-assemblies-12-of-10.step', () => step(assemblies(12, 10))],
    ['step-assemblies-40-of-2.step', () => step(assemblies(40, 2))],
    ['step-assembly-in-itself.step', () => step(assemblies(3, 2, 1))],
    ['step-spline-of-degree-1e9.step', () => step(frame + face(spline(1_000_000_000, 1_000_000_000, '2,2')))],
    ['step-spline-knots-1e9.step', () => step(frame + face(spline(1, 1, '1000000000,1000000000')))],
    ['step-torus-of-1e308.step', () => step(frame + face("TOROIDAL_SURFACE('',#4,1.E308,1.E-308)"))],
    [
      'step-points-in-each-other.step',
      () =>
        step(
          `${frame}#20=AXIS2_PLACEMENT_3D('',#21,#20,#20);\n#21=CARTESIAN_POINT('',(#20,#21));\n${face("PLANE('',#20)")}`,
        ),
    ],
    [
      'step-list-100000-deep.step',
      () => step(`#1=CARTESIAN_POINT('',${'('.repeat(100_000)}0.${')'.repeat(100_000)});`),
    ],
    [
      'step-string-never-ends.step',
      () => Buffer.concat([step('').subarray(0, -30), Buffer.from(`#1=PRODUCT('${'a'.repeat(4_000_000)}`)]),
    ],
    [
      'step-number-2-to-64.step',
      () => step(`${frame}#18446744073709551616=PRODUCT('','','',(#18446744073709551615));`),
    ],
    [
      'step-300000-products.step',
      () =>
        step(frame + Array.from({ length: 300_000 }, (_, i) => `#${i + 100}=PRODUCT('${i}','','',(#10));\n`).join('')),
    ],
    [
      'step-unit-of-unit.step',
      () =>
        step(
          `${frame.replace('#5=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))', "#5=(CONVERSION_BASED_UNIT('X',#12)LENGTH_UNIT()NAMED_UNIT(#13))")}#12=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E300),#5);\n#13=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n${face("PLANE('',#4)")}`,
        ),
    ],
    [
      'step-scene-of-10000-thumbnails.step',
      () =>
        step(
          `${frame}${Array.from({ length: 10_000 }, (_, i) => `#${i + 100}=DOCUMENT_FILE('t${i}.png','','',#10,'','');\n`).join('')}`,
        ),
    ],
  ];
}

function igesBombs() {
  const line = (text, letter, number) => `${text.padEnd(72)}${letter}${String(number).padStart(7)}\n`;
  const iges = (entities) => {
    const global =
      '1H,,1H;,1Ha,5Ha.igs,1Ha,1Ha,32,38,6,308,15,1Ha,1.0,2,2HMM,1,0.01,13H260101.000000,1E-6,1E3,1Ha,1Ha,11,0,;';
    const start = line('bomb', 'S', 1);
    const globals = [global.slice(0, 72), global.slice(72)].map((text, i) => line(text, 'G', i + 1)).join('');
    let directory = '';
    let data = '';
    let rows = 0;
    entities.forEach(([type, parameters, declared], i) => {
      const first = rows + 1;
      const lines = parameters.match(/.{1,64}/gs);
      for (const text of lines) data += line(`${text.padEnd(64)}${String(2 * i + 1).padStart(8)}`, 'P', ++rows);
      const fields = [type, first, 0, 0, 0, 0, 0, 0, '00000000'];
      const second = [type, 0, 0, declared ?? lines.length, 0, '', '', '', 0];
      directory += line(fields.map((field) => String(field).padStart(8)).join(''), 'D', 2 * i + 1);
      directory += line(second.map((field) => String(field).padStart(8)).join(''), 'D', 2 * i + 2);
    });
    const end = line(`S      1G      2D${String(2 * entities.length).padStart(7)}P${String(rows).padStart(7)}`, 'T', 1);
    return Buffer.from(start + globals + directory + data + end);
  };
  return [
    [
      'iges-spline-counts-1e9.igs',
      () => iges([[128, '128,1000000000,1000000000,1000000000,1000000000,0,0,1,0,0,0.,0.;']]),
    ],
    ['iges-spline-counts-30000.igs', () => iges([[128, '128,30000,30000,3,3,0,0,1,0,0,0.,0.;']])],
    ['iges-curve-counts-2-gi.igs', () => iges([[126, '126,2147483647,2147483647,0,0,1,0,0.,0.;']])],
    ['iges-rows-declared-1e7.igs', () => iges([[116, '116,0.,0.,0.,0;', 9_999_999]])],
    [
      'iges-group-in-itself.igs',
      () =>
        iges([
          [402, '402,2,1,1;'],
          [408, '408,1,0.,0.,0.,1.;'],
        ]),
    ],
    [
      'iges-subfigure-in-itself.igs',
      () =>
        iges([
          [308, '308,1,1Ha,2,3,3;'],
          [408, '408,1,0.,0.,0.,1.;'],
        ]),
    ],
    [
      'iges-subfigures-30-of-2.igs',
      () =>
        iges([
          [116, '116,0.,0.,0.,0;'],
          ...Array.from({ length: 30 }, (_, i) => [
            [308, `308,${i},1Ha,2,${i === 0 ? '1,1' : `${4 * i + 1},${4 * i + 1}`};`],
            [408, `408,${4 * i + 3},0.,0.,0.,1.;`],
          ]).flat(),
        ]),
    ],
    [
      'iges-array-1e9-by-1e9.igs',
      () =>
        iges([
          [116, '116,0.,0.,0.,0;'],
          [412, '412,1,1.,0.,0.,0.,1000000000,1000000000,1.,1.,0.,0,0;'],
        ]),
    ],
    ['iges-text-of-1e9.igs', () => iges([[212, '212,1,999999999,1.,1.,1,0.,0.,0,0,0.,0.,0.,999999999Ha;']])],
    ['iges-solid-in-itself.igs', () => iges([[186, '186,1,1,1,1,1;']])],
  ];
}

function brepBombs() {
  const brep = (body) => Buffer.from(`DBRep_DrawableShape\n\nCASCADE Topology V1, (c) Matra-Datavision\n${body}`);
  const empty = 'Locations 0\nCurve2ds 0\nCurves 0\nPolygon3D 0\nPolygonOnTriangulations 0\n';
  return [
    ['brep-counts-2-gi.brep', () => brep('Locations 2147483647\n1\n1 0 0 0\n')],
    [
      'brep-triangulation-of-1e9.brep',
      () => brep(`${empty}Surfaces 0\nTriangulations 1\n1000000000 1000000000 0 0.1\n0 0 0\nTShapes 0\n*\n`),
    ],
    [
      'brep-spline-of-1e9.brep',
      () =>
        brep(
          `${empty}Surfaces 1\n9 0 0 0 0 25 25 1000000000 1000000000 1000000000 1000000000 0 0 0\nTriangulations 0\nTShapes 0\n*\n`,
        ),
    ],
    [
      'brep-spline-of-30000.brep',
      () => brep(`${empty}Surfaces 1\n9 0 0 0 0 3 3 30000 30000 30000 30000 0 0 0\nTriangulations 0\nTShapes 0\n*\n`),
    ],
    [
      'brep-shape-in-itself.brep',
      () =>
        brep(
          `${empty}Surfaces 0\nTriangulations 0\nTShapes 2\nCo\n0101000\n+1 0 +2 0 *\nCo\n0101000\n+2 0 +1 0 *\n+1 0\n`,
        ),
    ],
    [
      'brep-compounds-60-of-2.brep',
      () =>
        brep(
          `${empty}Surfaces 0\nTriangulations 0\nTShapes 61\n${Array.from({ length: 60 }, (_, i) => `Co\n1100000\n+${60 - i} 0 +${60 - i} 0 *\n`).join('')}Co\n1100000\n*\n\n+61 0 \n`,
        ),
    ],
  ];
}
