import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../dist/errors.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import { attachment, mail } from '../../fixtures/mail-writer.js';
import { docx, odf, packed, paragraph, pptx, relations, shape, xlsx } from '../../fixtures/office-writer.js';
import { codesOf, expectSoundDocument, readDocument, textsOf } from './document-limits.js';
import { options, text } from '../helpers.js';
import { stopwatch } from '../../fixtures/stopwatch.js';
import { runs } from '../../fixtures/runs.js';

// Reading any document ends soon, with a document or a coded error.

const MIB = 1024 * 1024;
const LETTER = mail(
  ['From: a@example.com', 'To: b@example.com', 'Subject: =?utf-8?q?Gr=C3=B6=C3=9Fe?='],
  [
    'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Gr=C3=B6=C3=9Fe',
    attachment('a.txt', 'text/plain', text('words')),
  ],
);

const KINDS: Readonly<Record<string, Uint8Array>> = {
  'a.txt': text('Größe Ø 50 ± 0,1\nشمارۀ\n日本語 😀\n'),
  'a.md': text('---\ntitle: x\n---\n# Größe\n'),
  'a.csv': text('Part;Qty\n"Bolt ""M5""";4\nNut;8\n'),
  'a.html': text(
    '<!doctype html><html><head><meta charset=utf-8><title>Größe</title></head><body><table><tr>' +
      '<td>a<td>&Oslash;</table><pre>x</pre></body></html>',
  ),
  'a.docx': docx(
    paragraph('Größe') +
      '<w:tbl><w:tr><w:tc>' +
      paragraph('a') +
      '</w:tc></w:tr></w:tbl>' +
      paragraph('<w:r><w:br w:type="page"/></w:r>', 'two'),
  ),
  'a.xlsx': xlsx(
    { A: '<row><c t="s"><v>0</v></c><c s="1"><v>45429.5</v></c></row>', B: '' },
    { strings: '<si><t>Größe</t></si>', styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>' },
  ),
  'a.pptx': pptx([
    { file: 'slide1.xml', shapes: shape('Größe'), notes: shape('note') },
    { file: 'slide2.xml', shapes: shape('two') },
  ]),
  'a.odt': odf(
    'text',
    '<text:p>Größe<text:note><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>',
  ),
  'a.ods': odf(
    'spreadsheet',
    '<table:table table:name="A"><table:table-row><table:table-cell><text:p>1</text:p>' +
      '</table:table-cell></table:table-row></table:table>',
  ),
  'a.odp': odf(
    'presentation',
    '<draw:page><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page>',
  ),
  'a.rtf': text(
    '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset128 A;}}{\\info{\\title x}}\\f0 ' +
      "Gr\\'93\\'fa\\u233?\\par{\\trowd\\cell a\\row}{\\pict 00}}",
  ),
  'a.eml': text(LETTER),
};

/**
 * Reads, and returns the code of the failure, or undefined; anything but an EngineError or a sound document is a failed
 * test.
 */
async function endOf(
  bytes: Uint8Array,
  name: string,
  limits: Parameters<typeof options>[0] = {},
): Promise<EngineError | undefined> {
  try {
    const content = await readContent(bytes, name, options(limits));
    if (content.kind === 'document') expectSoundDocument(content);
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

async function quickly<T>(work: () => Promise<T>, milliseconds = 10_000): Promise<T> {
  const took = stopwatch();
  const result = await work();
  expect(took()).toBeLessThan(milliseconds);
  return result;
}

describe('damaged files', () => {
  test.each(Object.entries(KINDS))('%s, two hundred times', async (name, bytes) => {
    expect((await readContent(bytes, name, options())).kind).toBe('document');
    await quickly(async () => {
      for (const copy of damaged(bytes, 200, 4711)) {
        const error = await endOf(copy, name);
        if (error !== undefined)
          expect(error.code).toMatch(/^(FORMAT_UNSUPPORTED|FILE_MALFORMED|LIMIT_EXCEEDED|NO_GEOMETRY)$/);
      }
    });
  });

  // A package's checksums catch most damage before the XML is read: here the XML itself is damaged, and packed anew.
  test.each([
    [
      'docx',
      'word/document.xml',
      (xml: Uint8Array) => packed({ '[Content_Types].xml': '<Types/>', 'word/document.xml': xml }),
      '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Größe</w:t></w:r></w:p><w:tbl><w:tr><w:tc>' +
        '<w:p/></w:tc></w:tr></w:tbl></w:body></w:document>',
    ],
    [
      'xlsx',
      'xl/worksheets/sheet1.xml',
      (xml: Uint8Array) =>
        packed({
          '[Content_Types].xml': '<Types/>',
          'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
          'xl/_rels/workbook.xml.rels': relations([['worksheet', 'worksheets/sheet1.xml']]),
          'xl/worksheets/sheet1.xml': xml,
        }),
      '<worksheet><sheetData><row r="1"><c r="A1" t="n" s="3"><v>45429.25</v></c><c t="s"><v>0</v>' +
        '</c></row></sheetData></worksheet>',
    ],
    [
      'odt',
      'content.xml',
      (xml: Uint8Array) =>
        packed({
          mimetype: 'application/vnd.oasis.opendocument.text',
          'META-INF/manifest.xml': '<m/>',
          'content.xml': xml,
        }),
      '<office:document-content><office:body><office:text><text:p>Größe<text:s text:c="3"/>' +
        '<text:note><text:note-body><text:p>x</text:p></text:note-body></text:note></text:p>' +
        '</office:text></office:body></office:document-content>',
    ],
  ] as const)('%s: %s, two hundred times', async (format, _part, pack, xml) => {
    let documents = 0;
    for (const copy of damaged(strToU8(xml), 200, 815)) {
      const error = await endOf(pack(copy), `a.${format}`);
      if (error === undefined) documents++;
      else expect(error.code).toMatch(/^(FILE_MALFORMED|LIMIT_EXCEEDED)$/);
    }
    expect(documents).toBeGreaterThan(20);
  });

  test('a part that is cut off keeps what came before, with a warning', async () => {
    const document = await readDocument(
      packed({
        '[Content_Types].xml': '<Types/>',
        'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>tw',
      }),
      'a.docx',
    );
    expect([textsOf(document)[0].startsWith('one'), codesOf(document)]).toEqual([true, ['FILE_TRUNCATED']]);
  });

  test('arbitrary text under any name', async () => {
    const word = fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      '<p',
      '</p>',
      '<!--',
      '-->',
      '<script>',
      '{',
      '}',
      '\\',
      '\\rtf1',
      "\\'9",
      '\\u-1?',
      '\\*',
      '\\bin9 ',
      ';',
      ',',
      '\n',
      '\r\n',
      '\t',
      '--b',
      '=?utf-8?q?=C3?=',
      'a',
      'Ø',
      '日',
      '\u0301',
      '\0',
      '&#x110000;',
      '&#0;',
    );
    const start = fc.constantFrom(
      '',
      '<html>',
      '{\\rtf1',
      'From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=b\n\n',
      '---\n',
      'sep=,\n',
    );
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.array(word, { maxLength: 60 }),
        fc.constantFrom('txt', 'md', 'csv', 'html', 'rtf', 'eml'),
        async (first, words, extension) => {
          await endOf(text(first + words.join('')), `a.${extension}`);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('bombs', () => {
  const zeros = new Uint8Array(64 * MIB).fill(0x20);

  test.each([
    ['docx', 'word/document.xml'],
    ['xlsx', 'xl/workbook.xml'],
    ['pptx', 'ppt/presentation.xml'],
  ])('%s stops at the unpacked size and at the ratio', async (format, main) => {
    const bytes = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), [main]: zeros });
    expect(await endOf(bytes, `a.${format}`, { unpackedBytes: 4 * MIB })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'unpackedBytes' },
    });
    expect(await endOf(bytes, `a.${format}`, { archiveRatio: 100 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'archiveRatio' },
    });
  });

  test('an OpenDocument package stops, too', async () => {
    const bytes = zipSync({
      mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
      'content.xml': zeros,
    });
    expect(await endOf(bytes, 'a.odt', { unpackedBytes: 4 * MIB })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'unpackedBytes' },
    });
  });

  test('entries are counted', async () => {
    const bytes = packed({
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`word/media/${i}.png`, 'x'])),
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': '<w/>',
    });
    expect(await endOf(bytes, 'a.docx', { archiveEntries: 100 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'archiveEntries' },
    });
  });

  test('what attachments unpack to is counted together', async () => {
    const big = docx(paragraph('x'.repeat(3 * MIB)));
    const letter = text(
      mail(['From: a', 'To: b', 'Subject: c'], [attachment('a.docx', 'x/y', big), attachment('b.docx', 'x/y', big)]),
    );
    expect(await endOf(letter, 'a.eml', { unpackedBytes: 5 * MIB, archiveRatio: 1e9 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'unpackedBytes' },
    });
    expect(await endOf(letter, 'a.eml', { unpackedBytes: 9 * MIB, archiveRatio: 1e9 })).toBeUndefined();
  });

  test.each(['quoted-printable', 'base64'])(
    'messages in messages in %s are counted as often as they are decoded',
    async (encoding) => {
      let letter = `Subject: inmost\r\n\r\n${'a '.repeat(MIB / 2)}`;
      // Quoting changes nothing in this text; each layer of base64 makes it longer.
      const depth = encoding === 'base64' ? 4 : 40;
      for (let i = 0; i < depth; i++) {
        const body = encoding === 'base64' ? Buffer.from(letter).toString('base64') : letter.replaceAll('=', '=3D');
        letter =
          'Subject: x\r\nContent-Type: message/rfc822\r\n' + `Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
      }
      expect(await endOf(text(letter), 'a.eml', { unpackedBytes: 4 * MIB })).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { limit: 'unpackedBytes' },
      });
      expect(await endOf(text(letter), 'a.eml', { unpackedBytes: 80 * MIB })).toBeUndefined();
    },
  );

  test('entities are not expanded', async () => {
    const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    expect(
      await endOf(
        packed({
          '[Content_Types].xml': '<Types/>',
          'word/document.xml': `${laughs}<w:document><w:t>&b;</w:t></w:document>`,
        }),
        'a.docx',
      ),
    ).toMatchObject({ code: 'FILE_MALFORMED' });
  });

  test.each([
    ['docx', docx('<w:tbl><w:tr><w:tc>'.repeat(200))],
    ['odt', odf('text', '<text:section>'.repeat(200) + '</text:section>'.repeat(200))],
    ['rtf', text(`{\\rtf1${'{'.repeat(200)}`)],
  ])('%s: nesting ends at the depth', async (format, bytes) => {
    expect(await endOf(bytes, `a.${format}`)).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'depth' } });
  });
});

describe('what could take long', () => {
  test.each([
    ['a million marks on a letter', 'a.txt', text(`a${'\u0301\u0323'.repeat(500_000)}`)],
    ['blanks before no line end', 'a.txt', text(`${' '.repeat(2_000_000)}x`)],
    ['quotation marks', 'a.csv', text('"a'.repeat(500_000))],
    ['tags never closed', 'a.html', text(`<html>${'<b></x>'.repeat(500_000)}`)],
    ['signs that begin tags', 'a.html', text(`<html>${'<'.repeat(1_000_000)}`)],
    [
      'many fonts',
      'a.rtf',
      text(`{\\rtf1{\\fonttbl${Array.from({ length: 50_000 }, (_, i) => `{\\f${i}\\fcharset0 A;}`).join('')}}x}`),
    ],
    ['pages in RTF', 'a.rtf', text(`{\\rtf1${'\\page a'.repeat(200_000)}}`)],
    ['pages in docx', 'a.docx', docx('<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(100_000))],
    [
      'references to one diagram',
      'a.docx',
      docx('<w:p><w:r><dgm:relIds r:dm="rId1"/></w:r></w:p>'.repeat(20_000), [
        ['diagramData', 'd.xml', `<d>${'<p/>'.repeat(200_000)}</d>`],
      ]),
    ],
    [
      'sheets that are one sheet',
      'a.xlsx',
      packed({
        '[Content_Types].xml': '<Types/>',
        'xl/workbook.xml': `<workbook><sheets>${'<sheet name="A" r:id="rId1"/>'.repeat(1_000)}</sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relations([['worksheet', 's.xml']]),
        'xl/s.xml': `<worksheet>${'<row/>'.repeat(200_000)}</worksheet>`,
      }),
    ],
    ['a far cell', 'a.xlsx', xlsx({ A: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' })],
    [
      'a long text that a million cells share',
      'a.xlsx',
      xlsx(
        { A: '<row><c t="s"><v>0</v></c></row>'.repeat(100_000) },
        { strings: `<si><t>${'x'.repeat(32_000)}</t></si>` },
      ),
    ],
    [
      'a number format of many places',
      'a.xlsx',
      xlsx(
        { A: '<row><c s="0"><v>1e300</v></c></row>'.repeat(2_000) },
        {
          styles:
            `<numFmts><numFmt numFmtId="164" formatCode="${'0'.repeat(120)}.${'#'.repeat(120)}"/>` +
            '</numFmts><cellXfs><xf numFmtId="164"/></cellXfs>',
        },
      ),
    ],
    [
      'repeated rows of repeated cells',
      'a.ods',
      odf(
        'spreadsheet',
        '<table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell ' +
          'table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>' +
          '</table:table-row></table:table>',
      ),
    ],
    [
      'parts of a message',
      'a.eml',
      text(`From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(200_000)}`),
    ],
    [
      'boundaries that are none',
      'a.eml',
      text(`From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=b\n\n${'--bx\n'.repeat(400_000)}`),
    ],
    ['empty lines of a message', 'a.eml', text(`From: a\nTo: b\nSubject: c\n\n${'\n'.repeat(3_000_000)}`)],
    [
      'parameters never closed',
      'a.eml',
      text(`From: a\nTo: b\nSubject: c\nContent-Type: x; ${';a="\\"'.repeat(20_000)}\n\nx`),
    ],
    ['a list of recipients', 'a.eml', text(`From: a\nSubject: c\nTo: ${'x:'.repeat(500_000)}\n\nx`)],
    ['encoded words', 'a.eml', text(`From: a\nTo: b\nSubject: ${'=?utf-8?q?a?= '.repeat(50_000)}\n\nx`)],
  ])('%s', async (_what, name, bytes) => {
    await quickly(() => endOf(bytes, name, { archiveRatio: 1e9 }));
  });
});

describe('compound files', () => {
  const compound = (stream: string): Uint8Array => {
    const bytes = new Uint8Array(4_096);
    bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    bytes.set(Buffer.from(`${stream}\0`, 'utf16le'), 1_024);
    return bytes;
  };

  test.each([
    ['EncryptedPackage', 'a.docx', 'encrypted'],
    ['EncryptedPackage', 'a.xlsx', 'password'],
    ['WordDocument', 'a.doc', '.docx'],
    ['Workbook', 'a.xls', '.xlsx'],
    ['PowerPoint Document', 'a.ppt', '.pptx'],
    ['__properties_version1.0', 'a.msg', '.eml'],
    ['Other', 'a.bin', 'OLE'],
  ])('%s in %s says what it is', async (stream, name, words) => {
    const error = await endOf(compound(stream), name);
    expect(error).toMatchObject({ code: 'FORMAT_UNSUPPORTED' });
    expect(error?.message).toContain(words);
  });
});

describe('packages of other writers', () => {
  test('a bad part beside the main one costs a warning, not the text', async () => {
    const document = await readDocument(
      docx(paragraph('kept'), [
        ['footnotes', 'footnotes.xml', '<w:footnotes><<'],
        ['header', 'header1.xml', '<w:hdr><w:p><w:r><w:t>ACME</w:t></w:r></w:p>&no;</w:hdr>'],
      ]),
      'a.docx',
    );
    expect(textsOf(document)).toEqual(['ACME\nkept']);
    expect(codesOf(document)).toEqual(['CONTENT_SKIPPED', 'CONTENT_SKIPPED']);
  });

  test('a docx without its main part says what is missing', async () => {
    const error = await endOf(packed({ '[Content_Types].xml': '<Types/>', 'word/other.xml': '<w/>' }), 'a.docx');
    expect(error).toMatchObject({ code: 'FILE_MALFORMED' });
    expect(error?.message).toContain('word/document.xml');
  });

  test('parts in any order, with other names, found by their relations', async () => {
    const document = await readDocument(
      packed({
        'word/main.xml': '<w:document><w:body><w:p><w:r><w:t>found</w:t></w:r></w:p></w:body></w:document>',
        '_rels/.rels': relations([['officeDocument', '/word/Main.xml']]),
        '[Content_Types].xml': '<Types/>',
      }),
      'a.docx',
    );
    expect(textsOf(document)).toEqual(['found']);
  });

  test('an OpenDocument package whose first entry is not its kind', async () => {
    const bytes = zipSync({
      'content.xml': strToU8(
        '<office:document-content><office:body><office:text><text:p>found</text:p></office:text>' +
          '</office:body></office:document-content>',
      ),
      'META-INF/manifest.xml': strToU8('<m/>'),
      mimetype: strToU8('application/vnd.oasis.opendocument.text'),
    });
    expect(textsOf(await readDocument(bytes, 'a.odt'))).toEqual(['found']);
  });

  test('documents in an archive are one document, bounded as one', async () => {
    const bytes = packed({ 'a.txt': 'one', 'b.docx': docx(paragraph('two')), 'c.rtf': '{\\rtf1 three}' });
    const document = await readDocument(bytes, 'a.zip');
    expect(document.pages).toEqual([
      { number: 1, name: 'a.txt', text: 'one' },
      { number: 2, name: 'b.docx', text: 'two' },
      { number: 3, name: 'c.rtf', text: 'three' },
    ]);
    const few = await readDocument(bytes, 'a.zip', options({ pages: 2 }));
    expect([few.pages.length, codesOf(few)]).toEqual([2, ['CONTENT_SKIPPED']]);
  });
});
