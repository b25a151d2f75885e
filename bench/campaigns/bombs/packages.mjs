import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** 3MF and AMF files whose components or parts are the bomb. Each is `[name, make]`. */
export function packageBombs() {
  return [...threeMfBombs(), ...amfBombs()];
}

/** A 3MF package of a model part. */
export function threeMf(model, more = {}) {
  const relation = 'http://schemas.openxmlformats.org/package/2006';
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="${relation}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-` +
          'package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-' +
          '3dmodel+xml"/></Types>',
      ),
      '_rels/.rels': strToU8(
        `<Relationships xmlns="${relation}/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" ` +
          'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>',
      ),
      '3D/3dmodel.model': typeof model === 'string' ? strToU8(model) : model,
      ...more,
    }),
  );
}

function threeMfBombs() {
  const model = (resources, items) =>
    '<?xml version="1.0"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">' +
    `<resources>${resources}</resources><build>${items}</build></model>`;
  const mesh =
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="9" y="0" z="0"/><vertex x="0" y="9" z="0"/>' +
    '<vertex x="0" y="0" z="9"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>' +
    '<triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh>';
  const components = (of, times) => `<components>${`<component objectid="${of}"/>`.repeat(times)}</components>`;
  const object = (id, content) => `<object id="${id}" type="model">${content}</object>`;
  const levels = (count, times) =>
    object(1, mesh) + Array.from({ length: count }, (_, i) => object(i + 2, components(i + 1, times))).join('');
  const item = (id) => `<item objectid="${id}"/>`;
  return [
    ['3mf-components-9-of-10.3mf', () => threeMf(model(levels(9, 10), item(10)))],
    ['3mf-components-30-of-2.3mf', () => threeMf(model(levels(30, 2), item(31)))],
    ['3mf-components-5000-deep.3mf', () => threeMf(model(levels(5_000, 1), item(5_001)))],
    ['3mf-component-in-itself.3mf', () => threeMf(model(object(1, components(1, 2)), item(1)))],
    [
      '3mf-cyclic-components.3mf',
      () => threeMf(model(object(1, components(2, 1)) + object(2, components(1, 1)), item(1))),
    ],
    ['3mf-300000-items.3mf', () => threeMf(model(object(1, mesh), item(1).repeat(300_000)))],
    ['3mf-index-2-to-32.3mf', () => threeMf(model(object(1, mesh.replace('v3="1"', 'v3="4294967296"')), item(1)))],
    [
      '3mf-million-zeros-in-a-number.3mf',
      () => threeMf(model(object(1, mesh.replace('x="9"', `x="${'0'.repeat(1_000_000)}9"`)), item(1))),
    ],
    [
      '3mf-entities.3mf',
      () =>
        threeMf(
          `<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>${model(object(1, mesh), '&j;').replace(/^<\?xml.*?\?>/, '')}`,
        ),
    ],
    ['3mf-blanks-of-900-mb.3mf', () => blankModel(900)],
    [
      '3mf-thumbnail-claims-60000.3mf',
      () => threeMf(model(object(1, mesh), item(1)), { 'Metadata/thumbnail.png': claimedPng(60_000) }),
    ],
  ];
}

/** A 3MF whose model part is megabytes of blanks. */
function blankModel(mib) {
  const packed = deflateRawSync(Buffer.alloc(mib * 2 ** 20, 0x20), { level: 9 });
  return zipOfRaw('3D/3dmodel.model', packed, mib * 2 ** 20);
}

/** A zip archive of one entry, packed already; its checksum is not right. */
export function zipOfRaw(name, packed, size) {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

/** The start of a PNG that claims a size. */
export function claimedPng(side) {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008020000000000000000', 'hex');
  head.writeUInt32BE(side, 16);
  head.writeUInt32BE(side, 20);
  return head;
}

function amfBombs() {
  const mesh =
    '<mesh><vertices>' +
    ['0 0 0', '9 0 0', '0 9 0', '0 0 9']
      .map((at) => at.split(' '))
      .map(([x, y, z]) => `<vertex><coordinates><x>${x}</x><y>${y}</y><z>${z}</z></coordinates></vertex>`)
      .join('') +
    '</vertices><volume>' +
    ['0 2 1', '0 1 3', '1 2 3', '2 0 3']
      .map((at) => at.split(' '))
      .map(([a, b, c]) => `<triangle><v1>${a}</v1><v2>${b}</v2><v3>${c}</v3></triangle>`)
      .join('') +
    '</volume></mesh>';
  const instance = (id) => `<instance objectid="${id}"/>`;
  const amf = (content) => Buffer.from(`<?xml version="1.0"?><amf unit="millimeter">${content}</amf>`);
  return [
    [
      'amf-constellations-9-of-10.amf',
      () =>
        amf(
          `<object id="1">${mesh}</object>` +
            Array.from(
              { length: 9 },
              (_, i) => `<constellation id="${i + 2}">${instance(i + 1).repeat(10)}</constellation>`,
            ).join(''),
        ),
    ],
    [
      'amf-constellation-in-itself.amf',
      () =>
        amf(
          `<object id="1">${mesh}</object><constellation id="2">${instance(2).repeat(2)}${instance(1)}</constellation>`,
        ),
    ],
    ['amf-100000-deep.amf', () => amf('<object>'.repeat(100_000))],
  ];
}
