import { deflateSync, strToU8, zlibSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../dist/errors.js';
import { readContent } from '../../../dist/readers/read.js';
import { sniff } from '../../../dist/readers/package/sniff.js';
import * as write from '../../fixtures/mesh-writers.js';
import { box, tetrahedron } from '../../fixtures/shapes.js';
import { stepFile } from '../../fixtures/step-writer.js';
import { codeOf, options, readModel, text, warningsOf } from '../helpers.js';

const STL = write.writeStlBinary(box(1, 2, 3));
const OBJ = write.writeObj(tetrahedron(2));
const MIB = 1024 * 1024;

describe('wrappers', () => {
  it.each([
    ['bolt.stl.ifz, a zip', 'bolt.stl.ifz', write.writeZip({ 'bolt.stl': STL })],
    ['bolt.stl.ifz, gzip', 'bolt.stl.ifz', write.writeGzip(STL)],
    ['bolt.stl.ifz, a zlib stream', 'bolt.stl.ifz', zlibSync(STL)],
    ['bolt.stl.ifz, a bare deflate stream', 'bolt.stl.ifz', deflateSync(STL)],
    ['bolt.stl.gz', 'bolt.stl.gz', write.writeGzip(STL)],
    ['bolt.zip', 'bolt.zip', write.writeZip({ 'bolt.stl': STL })],
    [
      'a zip in a gzip in a zip',
      'bolt.zip',
      write.writeZip({ 'b.gz': write.writeGzip(write.writeZip({ 'bolt.stl': STL })) }),
    ],
    ['a zip without an extension', 'bolt', write.writeZip({ bolt: STL })],
  ])('%s holds the bolt', async (_what, name, bytes) => {
    const model = await readModel(bytes, name, options());
    expect(model.format).toBe('stl');
    expect(model.root.name).toBe('bolt');
    expect(model.meshes[0].indices.length).toBe(36);
    expect(model.warnings).toEqual([]);
  });

  it('a zip with several models becomes one with a component for each', async () => {
    const bytes = write.writeZip({
      'set/a.stl': STL,
      'set/b.obj': OBJ,
      '__MACOSX/set/a.stl': STL,
      'set/.hidden.stl': STL,
      'set/notes.txt': text('hello'),
    });
    const model = await readModel(bytes, 'in/set.zip', options());
    expect(model.root).toMatchObject({ name: 'set', meshes: [] });
    expect(model.root.children).toMatchObject([
      { name: 'a', meshes: [0] },
      { name: 'tetrahedron', meshes: [1] },
    ]);
    expect(model.meshes.length).toBe(2);
    expect(warningsOf(model)).toEqual(['CONTENT_SKIPPED']);
  });

  it('properties of the files stay, each once', async () => {
    const part = (name: string): Uint8Array =>
      stepFile({ parts: [{ name, shape: { kind: 'box', x: 1, y: 2, z: 3 } }] });
    const model = await readModel(
      write.writeZip({ 'a.stp': part('left'), 'b.stp': part('right'), 'c.stp': part('left') }),
      'a.zip',
      options(),
    );
    expect(model.properties!.filter(({ name }) => name === 'Product name').map(({ value }) => value)).toEqual([
      'left',
      'right',
    ]);
    const letter = (subject: string): Uint8Array => text(`From: a@example.com\r\nSubject: ${subject}\r\n\r\nx`);
    const content = await readContent(
      write.writeZip({ 'a.eml': letter('One'), 'b.eml': letter('Two') }),
      'a.zip',
      options(),
    );
    expect(content.properties).toEqual([
      { name: 'Subject', unit: '', value: 'One' },
      { name: 'From', unit: '', value: 'a@example.com' },
      { name: 'Subject', unit: '', value: 'Two' },
    ]);
  });

  it('one bad file does not spoil the others', async () => {
    const model = await readModel(
      write.writeZip({ 'a.stl': STL, 'b.ply': text('ply\nend_header\n') }),
      'a.zip',
      options(),
    );
    expect(model.meshes.length).toBe(1);
    expect(warningsOf(model)).toEqual(['CONTENT_SKIPPED']);
  });

  it.each([
    ['nothing', write.writeZip({}), 'NO_GEOMETRY'],
    ['only files of no kind that is read', write.writeZip({ 'notes.xyz': text('hello') }), 'NO_GEOMETRY'],
    ['only a bad model', write.writeZip({ 'b.ply': text('ply\nend_header\n') }), 'FILE_MALFORMED'],
    ['no directory', write.writeZip({ 'a.stl': STL }).subarray(0, 100), 'FILE_MALFORMED'],
    [
      'a document of another kind',
      write.writeZip({ '[Content_Types].xml': text('<Types/>'), 'visio/document.xml': text('<v/>') }),
      'FORMAT_UNSUPPORTED',
    ],
  ])('a zip with %s', async (_what, bytes, code) => {
    expect(await codeOf(readModel(bytes, 'a.zip', options()))).toBe(code);
  });

  it('keeps what a cut gzip still holds', async () => {
    const lines = write.writeStlAscii(
      ...Array.from({ length: 40 }, (_, i) => ({ ...box(i + 1, 2, 3), name: `box ${i}` })),
    );
    const packed = write.writeGzip(lines);
    const model = await readModel(packed.subarray(0, packed.length / 2), 'a.stl.gz', options());
    expect(model.meshes.length).toBeGreaterThan(5);
    expect(warningsOf(model)).toContain('FILE_TRUNCATED');
  });
});

describe('bombs', () => {
  const zeros = new Uint8Array(64 * MIB);

  async function failure(bytes: Uint8Array, name: string, limits: Parameters<typeof options>[0]): Promise<EngineError> {
    const before = process.memoryUsage().arrayBuffers;
    const error: unknown = await readModel(bytes, name, options(limits)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB);
    expect(error).toBeInstanceOf(EngineError);
    return error as EngineError;
  }

  it.each([
    ['zip', 'a.zip', write.writeZip({ 'a.stl': zeros })],
    ['gzip', 'a.stl.gz', write.writeGzip(zeros)],
    ['deflate', 'a.stl.ifz', deflateSync(zeros)],
  ])('%s stops at the unpacked size', async (_what, name, bytes) => {
    const error = await failure(bytes, name, { unpackedBytes: 4 * MIB });
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'unpackedBytes', allowed: 4 * MIB } });
  });

  it('stops at the ratio', async () => {
    expect(await failure(write.writeZip({ 'a.stl': zeros }), 'a.zip', { archiveRatio: 100 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'archiveRatio' },
    });
  });

  it('stops at the number of entries, over all layers', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, strToU8('x')]));
    const inner = zipSync(many);
    const error = await failure(zipSync({ 'a.zip': inner, 'b.zip': inner }), 'a.zip', { archiveEntries: 100 });
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'archiveEntries' } });
  });

  it('stops at the total of many files that are each small enough', async () => {
    const files = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`${i}.stl`, zeros.subarray(0, MIB)]));
    expect(await failure(zipSync(files), 'a.zip', { unpackedBytes: 4 * MIB })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'unpackedBytes' },
    });
  });

  it('stops at the depth', async () => {
    let bytes: Uint8Array = write.writeZip({ 'a.stl': STL });
    for (let i = 0; i < 10; i++) bytes = write.writeZip({ 'a.zip': bytes });
    expect(await failure(bytes, 'a.zip', { depth: 8 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'depth' },
    });
    expect((await readModel(bytes, 'a.zip', options())).meshes.length).toBe(1);
  });
});

describe('limits of one file', () => {
  it('refuses a file that is too long', async () => {
    expect(await codeOf(readModel(STL, 'a.stl', options({ fileBytes: 100 })))).toBe('LIMIT_EXCEEDED');
  });

  it.each([
    ['a.stl', STL],
    ['b.stl', write.writeStlAscii(box(1, 2, 3))],
    ['a.obj', write.writeObj(box(1, 2, 3))],
    ['a.off', write.writeOff(box(1, 2, 3))],
    ['a.ply', write.writePly(box(1, 2, 3), 'ascii')],
    ['a.amf', write.writeAmf([box(1, 2, 3)])],
    ['a.wrl', write.writeVrml2(box(1, 2, 3))],
  ])('%s: twelve triangles pass a limit of twelve, not of eleven', async (name, bytes) => {
    expect(await codeOf(readModel(bytes, name, options({ triangles: 12 })))).toBe('a model with 1 meshes');
    expect(await codeOf(readModel(bytes, name, options({ triangles: 11 })))).toBe('LIMIT_EXCEEDED');
  });

  it('counts placements of a shared mesh', async () => {
    const shared =
      '#VRML V2.0 utf8\nDEF a Shape { geometry Box { } } Group { children USE a } Group { children USE a }';
    expect(await codeOf(readModel(text(shared), 'a.wrl', options({ triangles: 36 })))).toBe('a model with 1 meshes');
    expect(await codeOf(readModel(text(shared), 'a.wrl', options({ triangles: 35 })))).toBe('LIMIT_EXCEEDED');
  });

  it('counts solids as components', async () => {
    const many = write.writeStlAscii(...Array.from({ length: 20 }, () => tetrahedron(1)));
    expect(await codeOf(readModel(many, 'a.stl', options({ components: 10 })))).toBe('LIMIT_EXCEEDED');
  });
});

describe('sniffing', () => {
  it('tells the kind by content, whatever the name', async () => {
    const kinds: [Uint8Array, string][] = [
      [STL, 'stl'],
      [write.writeStlAscii(box(1, 1, 1)), 'stl'],
      [OBJ, 'obj'],
      [write.writeOff(box(1, 1, 1)), 'off'],
      [write.writePly(box(1, 1, 1), 'binary_big_endian'), 'ply'],
      [write.writeAmf([box(1, 1, 1)]), 'amf'],
      [write.writeVrml1(box(1, 1, 1)), 'vrml'],
      [write.writeVrml2(box(1, 1, 1)), 'vrml'],
      [text('ISO-10303-21;\nHEADER;'), 'step'],
      [text('/* a note */ ISO-10303-21;'), 'step'],
      [text(`${'a note'.padEnd(72)}S      1\n`), 'iges'],
      [text('DBRep_DrawableShape\n\nCASCADE Topology V1'), 'brep'],
      [text('{"scenes": [], "asset": {"version": "2.0"}}'), 'gltf'],
      [text('glTF\x02\0\0\0'), 'glb'],
      [write.writeZip({ '[Content_Types].xml': text('<Types/>'), '3D/3dmodel.model': text('<model/>') }), '3mf'],
      [write.writeZip({ '3D/part.stl': STL }), 'zip'],
      [write.writeGzip(STL), 'gzip'],
    ];
    for (const [bytes, kind] of kinds) {
      for (const name of ['a', 'a.step', 'a.bin', 'a.stl', 'a.obj', 'a.zip']) expect(sniff(bytes, name)).toBe(kind);
    }
  });

  it('warns when the name says another kind', async () => {
    const model = await readModel(STL, 'a.step', options());
    expect(model.format).toBe('stl');
    expect(warningsOf(model)).toEqual(['EXTENSION_MISMATCH']);
    for (const name of ['a', 'a.v2', 'a.STL']) expect((await readModel(STL, name, options())).warnings).toEqual([]);
  });

  it.each([
    [new Uint8Array(0), 'FILE_MALFORMED'],
    [text('hello world, this is a letter\n'), 'FORMAT_UNSUPPORTED'],
    [text('%PDF-1.7\n'), 'FILE_MALFORMED'],
    [text('{"json": true}'), 'FORMAT_UNSUPPORTED'],
    [text('<?xml version="1.0"?><COLLADA/>'), 'FORMAT_UNSUPPORTED'],
  ])('%# ends in %s', async (bytes, code) => {
    expect(await codeOf(readModel(bytes, 'a.xyz', options()))).toBe(code);
  });

  it.each([
    ['a.xyz', 'not a part', 'the format of "a.xyz" is not supported; it begins with "not a pa"'],
    ['a.step', 'not a part', '"a.step" has the extension .step, but its content is neither STEP nor another format'],
    ['a.step', '\0\x01 a part', 'it begins with the bytes 00 01 20 61 20 70 61 72; supported are step, '],
  ])('%s with %j: what was found and expected', async (name, bytes, message) => {
    await expect(readModel(text(bytes), name, options())).rejects.toThrow(message);
  });
});
