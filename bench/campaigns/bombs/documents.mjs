import { strToU8, zipSync } from 'fflate';
import { wideZip } from './archives.mjs';
import { claimedPng } from './packages.mjs';

/** Small documents that unpack, nest or repeat without end. Each is `[name, make]`. */
export function documentBombs() {
  return [...officeBombs(), ...mailBombs(), ...textBombs()];
}

const MAIN = 'http://schemas.openxmlformats.org';

/** An Office package: its main part, and further parts. */
function office(kind, main, more = {}, relations = '') {
  const [path, folder, type] = {
    docx: ['word/document.xml', 'word', 'wordprocessingml.document'],
    xlsx: ['xl/workbook.xml', 'xl', 'spreadsheetml.sheet'],
    pptx: ['ppt/presentation.xml', 'ppt', 'presentationml.presentation'],
  }[kind];
  const bytes = (content) => (typeof content === 'string' ? strToU8(content) : content);
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="${MAIN}/package/2006/content-types"><Override PartName="/${path}" ContentType=` +
          `"application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
      ),
      '_rels/.rels': strToU8(
        `<Relationships xmlns="${MAIN}/package/2006/relationships"><Relationship Id="r1" Type=` +
          `"${MAIN}/officeDocument/2006/relationships/officeDocument" Target="${path}"/></Relationships>`,
      ),
      [path]: bytes(main),
      [`${folder}/_rels/${path.split('/')[1]}.rels`]: strToU8(
        `<Relationships xmlns="${MAIN}/package/2006/relationships">${relations}</Relationships>`,
      ),
      ...Object.fromEntries(Object.entries(more).map(([name, content]) => [name, bytes(content)])),
    }),
  );
}

const relation = (id, type, target) =>
  `<Relationship Id="${id}" Type="${MAIN}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

/** Declared entities, each ten times the one before. */
const LAUGHS = `<!DOCTYPE a [<!ENTITY a "haha">${Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`,
).join('')}]>`;

function officeBombs() {
  const document = (body) =>
    `<w:document xmlns:w="${MAIN}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const paragraph = '<w:p><w:r><w:t>a</w:t></w:r></w:p>';
  const sheetNames = `xmlns="${MAIN}/spreadsheetml/2006/main" xmlns:r="${MAIN}/officeDocument/2006/relationships"`;
  const workbook = (sheets = 1) =>
    `<workbook ${sheetNames}><sheets>${Array.from({ length: sheets }, (_, i) => `<sheet name="s${i}" sheetId="${i + 1}" r:id="r1"/>`).join('')}</sheets></workbook>`;
  const xlsx = (rows, { strings = '', sheets = 1, more = {} } = {}) =>
    office(
      'xlsx',
      workbook(sheets),
      {
        'xl/sheet1.xml': `<worksheet ${sheetNames}><sheetData>${rows}</sheetData></worksheet>`,
        'xl/sharedStrings.xml': `<sst ${sheetNames}>${strings}</sst>`,
        ...more,
      },
      relation('r1', 'worksheet', 'sheet1.xml') + relation('r2', 'sharedStrings', 'sharedStrings.xml'),
    );
  const shared = '<row><c t="s"><v>0</v></c></row>';
  const presentation = (slides) =>
    `<p:presentation xmlns:p="${MAIN}/presentationml/2006/main" xmlns:r="${MAIN}/officeDocument/2006/relationships"><p:sldIdLst>${'<p:sldId id="256" r:id="r1"/>'.repeat(slides)}</p:sldIdLst></p:presentation>`;
  const odf = (content) =>
    Buffer.from(
      zipSync({
        mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
        'content.xml': strToU8(
          '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
            'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">' +
            `<office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document-content>`,
        ),
      }),
    );
  return [
    ['docx-paragraphs-of-200-mb.docx', () => office('docx', document(paragraph.repeat(6_000_000)))],
    [
      'docx-one-word-of-500-mb.docx',
      () => office('docx', document(`<w:p><w:r><w:t>${'a'.repeat(500_000_000)}</w:t></w:r></w:p>`)),
    ],
    ['docx-100000-deep.docx', () => office('docx', document('<w:tbl><w:tr><w:tc>'.repeat(33_000)))],
    [
      'docx-tables-20-deep-of-2.docx',
      () => office('docx', document(nested(16, 2, '<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', paragraph))),
    ],
    ['docx-entities.docx', () => office('docx', LAUGHS + document('<w:p><w:r><w:t>&j;</w:t></w:r></w:p>'))],
    ['docx-attribute-of-100-mb.docx', () => office('docx', document(`<w:p w:a="${'a'.repeat(100_000_000)}"/>`))],
    [
      'docx-100000-attributes.docx',
      () => office('docx', document(`<w:p ${Array.from({ length: 100_000 }, (_, i) => `w:a${i}="1"`).join(' ')}/>`)),
    ],
    [
      'docx-header-is-itself.docx',
      () => office('docx', document(paragraph), {}, relation('r1', 'header', 'document.xml').repeat(1_000)),
    ],
    [
      'docx-picture-claims-60000.docx',
      () =>
        office(
          'docx',
          document(paragraph),
          { 'word/media/a.png': claimedPng(60_000) },
          relation('r1', 'image', 'media/a.png'),
        ),
    ],
    [
      'docx-thumbnail-claims-60000.docx',
      () => office('docx', document(paragraph), { 'docProps/thumbnail.jpeg': claimedPng(60_000) }),
    ],
    [
      'docx-80000-parts.docx',
      () =>
        office(
          'docx',
          document(paragraph),
          Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`word/p${i}.xml`, ''])),
        ),
    ],
    [
      'xlsx-string-of-30-mb-in-each-cell.xlsx',
      () => xlsx(shared.repeat(200_000), { strings: `<si><t>${'a b '.repeat(3_000_000)}</t></si>` }),
    ],
    ['xlsx-10-million-strings.xlsx', () => xlsx(shared, { strings: '<si><t>a</t></si>'.repeat(10_000_000) })],
    [
      'xlsx-cell-in-row-1e9.xlsx',
      () => xlsx('<row r="1"><c r="A1"><v>1</v></c></row><row r="1000000000"><c r="XFD1000000000"><v>2</v></c></row>'),
    ],
    ['xlsx-string-2-to-53.xlsx', () => xlsx('<row><c t="s"><v>9007199254740993</v></c><c t="s"><v>-1</v></c></row>')],
    [
      'xlsx-one-sheet-20000-times.xlsx',
      () => xlsx(shared.repeat(2_000), { strings: '<si><t>word</t></si>', sheets: 20_000 }),
    ],
    ['xlsx-3-million-cells.xlsx', () => xlsx(`<row>${'<c><v>1.5</v></c>'.repeat(3_000_000)}</row>`)],
    [
      'xlsx-format-of-a-million.xlsx',
      () =>
        xlsx('<row><c s="0"><v>1.5</v></c></row>', {
          more: {
            'xl/styles.xml': `<styleSheet ${sheetNames}><numFmts><numFmt numFmtId="200" formatCode="${'[<1]0;'.repeat(200_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
          },
        }),
    ],
    [
      'pptx-one-slide-100000-times.pptx',
      () =>
        office(
          'pptx',
          presentation(100_000),
          { 'ppt/s.xml': '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>words on it</a:t></a:r></a:p></p:sld>' },
          relation('r1', 'slide', 's.xml'),
        ),
    ],
    [
      'ods-repeats-1e9.ods',
      () =>
        odf(
          '<table:table table:name="a"><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>a</text:p></table:table-cell></table:table-row></table:table>',
        ),
    ],
    [
      'ods-spaces-1e9.ods',
      () =>
        odf(
          '<table:table table:name="a"><table:table-row><table:table-cell><text:p>a<text:s text:c="1000000000"/>b</text:p></table:table-cell></table:table-row></table:table>',
        ),
    ],
    [
      'ods-merged-2-gi.ods',
      () =>
        odf(
          '<table:table table:name="a"><table:table-row><table:table-cell table:number-columns-spanned="2147483647" table:number-rows-spanned="2147483647"><text:p>a</text:p></table:table-cell></table:table-row></table:table>',
        ),
    ],
  ];
}

/** `content` inside `times` elements of each level. */
function nested(levels, times, open, close, content) {
  let inner = content;
  for (let i = 0; i < levels; i++) inner = `${open}${inner.repeat(times)}${close}`;
  return inner;
}

function mailBombs() {
  const head = 'From: a@b.c\r\nTo: d@e.f\r\nSubject: Bolts\r\n';
  const multipart = (depth) =>
    head +
    Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`).join(
      '',
    ) +
    'Content-Type: text/plain\r\n\r\nwords\r\n' +
    Array.from({ length: depth }, (_, i) => `--b${depth - 1 - i}--\r\n`).join('');
  const parts = (count, part) =>
    `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${`--b\r\n${part}\r\n`.repeat(count)}--b--\r\n`;
  const forwarded = (depth) => `${head}Content-Type: message/rfc822\r\n\r\n`.repeat(depth) + `${head}\r\nwords\r\n`;
  return [
    ['mail-multiparts-20000-deep.eml', () => Buffer.from(multipart(20_000))],
    ['mail-multiparts-60-deep.eml', () => Buffer.from(multipart(60))],
    ['mail-forwarded-10000-times.eml', () => Buffer.from(forwarded(10_000))],
    ['mail-200000-parts.eml', () => Buffer.from(parts(200_000, 'Content-Type: text/plain\r\n\r\na'))],
    [
      'mail-3000-attached-documents.eml',
      () =>
        Buffer.from(
          parts(
            3_000,
            'Content-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nwords',
          ),
        ),
    ],
    [
      'mail-300000-header-lines.eml',
      () => Buffer.from(`${'Received: from a by b; 1 Jan 2026\r\n'.repeat(300_000)}${head}\r\nwords\r\n`),
    ],
    [
      'mail-header-of-20-mb.eml',
      () => Buffer.from(`${head}X-A: ${'=?utf-8?q?a?= '.repeat(1_500_000)}\r\n\r\nwords\r\n`),
    ],
    [
      'mail-same-boundary-10000-deep.eml',
      () =>
        Buffer.from(
          `${head}${'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'.repeat(10_000)}\r\nwords\r\n`,
        ),
    ],
    [
      'mail-attached-zip-bomb.eml',
      () =>
        Buffer.from(
          parts(
            1,
            `Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="a.zip"\r\n\r\n${wideZip(8, 6).toString('base64')}`,
          ),
        ),
    ],
  ];
}

function textBombs() {
  return [
    ['rtf-300000-deep.rtf', () => Buffer.from(`{\\rtf1\\ansi ${'{\\b '.repeat(300_000)}a${'}'.repeat(300_000)}}`)],
    ['rtf-bin-of-2-gi.rtf', () => Buffer.from('{\\rtf1\\ansi a{\\pict\\bin2147483647 00}b}')],
    [
      'rtf-fonts-500000.rtf',
      () =>
        Buffer.from(`{\\rtf1\\ansi{\\fonttbl${Array.from({ length: 500_000 }, (_, i) => `{\\f${i} A;}`).join('')}}a}`),
    ],
    ['rtf-unicode-skips-1e9.rtf', () => Buffer.from(`{\\rtf1\\ansi\\uc1000000000 ${'\\u233 ?'.repeat(100_000)}}`)],
    ['rtf-cells-of-a-million.rtf', () => Buffer.from(`{\\rtf1\\ansi\\trowd ${'\\cell '.repeat(2_000_000)}\\row}`)],
    ['html-300000-deep.html', () => Buffer.from(`<!doctype html><html><body>${'<div><b>'.repeat(300_000)}a`)],
    [
      'html-tables-nested-2000.html',
      () => Buffer.from(`<!doctype html><html><body>${'<table><tr><td>'.repeat(20_000)}a`),
    ],
    [
      'html-colspan-1e9.html',
      () =>
        Buffer.from('<!doctype html><html><body><table><tr><td colspan=1000000000 rowspan=1000000000>a<td>b</table>'),
    ],
    [
      'html-2-million-cells.html',
      () => Buffer.from(`<!doctype html><html><body><table>${'<tr><td>a<td>b'.repeat(1_000_000)}</table>`),
    ],
    [
      'html-entities.xhtml',
      () =>
        Buffer.from(`<?xml version="1.0"?>${LAUGHS}<html xmlns="http://www.w3.org/1999/xhtml"><body>&j;</body></html>`),
    ],
    ['csv-row-of-10-million.csv', () => Buffer.from(`a,b\n${'1,'.repeat(10_000_000)}\n`)],
    ['csv-quote-never-ends.csv', () => Buffer.from(`a,b\n"${'1,\n'.repeat(5_000_000)}`)],
    ['csv-quotes-in-quotes.csv', () => Buffer.from(`a,b\n${'""","'.repeat(3_000_000)}\n`)],
    [
      'md-quotes-100000-deep.md',
      () => Buffer.from(`# a\n${'>'.repeat(200_000)} a\n${'- '.repeat(100_000)}a\n${'['.repeat(200_000)}`),
    ],
    [
      'md-table-of-a-million-bars.md',
      () => Buffer.from(`# a\n\n${'|a'.repeat(1_000_000)}|\n${'|-'.repeat(1_000_000)}|\n`),
    ],
    ['txt-one-line-of-15-mb.txt', () => Buffer.from('word '.repeat(3_000_000))],
    [
      'txt-10-million-words.txt',
      () => Buffer.from(Array.from({ length: 4_000_000 }, (_, i) => i.toString(36)).join(' ')),
    ],
    ['txt-combining-marks.txt', () => Buffer.from(`a${'\u0301'.repeat(3_000_000)} \ufdfa${'\ufdfa'.repeat(300_000)}`)],
  ];
}
