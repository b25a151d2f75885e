import { stepOf, product } from './solids.mjs';

/** Models whose faces lie in each other by the thousand. Each is `[name, make]`. */
export function overlapBombs() {
  return [
    ['step-2000-faces-through-each-other.step', () => stepFaces(2_000, fan)],
    ['step-2000-faces-in-one-place.step', () => stepFaces(2_000, () => [0, 0])],
    ['stl-100000-facets-through-each-other.stl', () => stlFacets(100_000, fan)],
    ['stl-100000-facets-in-one-place.stl', () => stlFacets(100_000, () => [0, 0])],
  ];
}

/** Turn about the x axis and about the z axis of face `i` of `count`, rad: all cross in the middle. */
const fan = (i, count) => [(Math.PI * i) / count, (17 * Math.PI * i) / count];

/** A square with side 20 about the origin, turned: its normal, an axis in it, its corners. */
function square([about, around]) {
  const turned = ([x, y, z]) => {
    const [y1, z1] = [y * Math.cos(about) - z * Math.sin(about), y * Math.sin(about) + z * Math.cos(about)];
    return [x * Math.cos(around) - y1 * Math.sin(around), x * Math.sin(around) + y1 * Math.cos(around), z1];
  };
  const corners = [
    [-10, -10, 0],
    [10, -10, 0],
    [10, 10, 0],
    [-10, 10, 0],
  ].map(turned);
  return { normal: turned([0, 0, 1]), axis: turned([1, 0, 0]), corners };
}

function stepFaces(count, turns) {
  const list = (values) => `(${values.map((value) => value.toFixed(9)).join(',')})`;
  const faces = [];
  let text = '';
  for (let i = 0; i < count; i++) {
    const id = 1_000 + 100 * i;
    const { normal, axis, corners } = square(turns(i, count));
    text +=
      `#${id}=CARTESIAN_POINT('',(0.,0.,0.));\n#${id + 1}=DIRECTION('',${list(normal)});\n#${id + 2}=DIRECTION('',${list(axis)});\n` +
      `#${id + 3}=AXIS2_PLACEMENT_3D('',#${id},#${id + 1},#${id + 2});\n#${id + 4}=PLANE('',#${id + 3});\n`;
    for (const [k, corner] of corners.entries()) {
      const next = corners[(k + 1) % 4];
      const along = corner.map((value, axis) => (next[axis] - value) / 20);
      const at = id + 10 + 10 * k;
      text +=
        `#${at}=CARTESIAN_POINT('',${list(corner)});\n#${at + 1}=VERTEX_POINT('',#${at});\n` +
        `#${at + 2}=DIRECTION('',${list(along)});\n#${at + 3}=VECTOR('',#${at + 2},1.);\n#${at + 4}=LINE('',#${at},#${at + 3});\n` +
        `#${at + 5}=EDGE_CURVE('',#${at + 1},#${id + 10 + 10 * ((k + 1) % 4) + 1},#${at + 4},.T.);\n` +
        `#${at + 6}=ORIENTED_EDGE('',*,*,#${at + 5},.T.);\n`;
    }
    const edges = [0, 1, 2, 3].map((k) => `#${id + 16 + 10 * k}`).join(',');
    text +=
      `#${id + 60}=EDGE_LOOP('',(${edges}));\n#${id + 61}=FACE_OUTER_BOUND('',#${id + 60},.T.);\n` +
      `#${id + 62}=ADVANCED_FACE('',(#${id + 61}),#${id + 4},.T.);\n`;
    faces.push(`#${id + 62}`);
  }
  text += `#20=CLOSED_SHELL('',(${faces.join(',')}));\n#21=MANIFOLD_SOLID_BREP('',#20);\n${product(200, '#21')}`;
  return stepOf(text);
}

function stlFacets(count, turns) {
  const bytes = Buffer.alloc(84 + 50 * count);
  bytes.writeUInt32LE(count, 80);
  for (let i = 0; i < count; i++) {
    const { corners } = square(turns(i, count));
    const [a, b, c] = i % 2 === 0 ? corners : [corners[2], corners[3], corners[0]];
    [...a, ...b, ...c].forEach((value, k) => bytes.writeFloatLE(value, 84 + 50 * i + 12 + 4 * k));
  }
  return bytes;
}
