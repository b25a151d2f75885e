import { describe, expect, test } from 'vitest';
import { odf, ODF_PROPERTIES } from '../../fixtures/office-writer.js';
import { codesOf, propertiesOf, readDocument, textsOf } from './document-limits.js';
import { text } from '../helpers.js';

// OpenDocument packages, and Rich Text Format.

const p = (content: string, style = 'Standard'): string => `<text:p text:style-name="${style}">${content}</text:p>`;

describe('odt', () => {
  test('paragraphs, tables, blanks, notes, text boxes, properties', async () => {
    const body =
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>' +
      '</text:deletion></text:changed-region></text:tracked-changes>' +
      ('<text:h text:outline-level="1">Flange <text:span>DN</text:span>' +
        `50</text:h>${p(
          'Ø\n   50<text:tab/>±<text:s text:c="2000000000"/>0,1<text:line-break/>next<text:note ' +
            'text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>' +
            '<text:p>see AB-123/4</text:p></text:note-body></text:note> line',
        )}`) +
      ('<table:table table:name="T"><table:table-row>' +
        `<table:table-cell>${p('Part')}</table:table-cell>` +
        `<table:table-cell>${p('Qty')}</table:table-cell></table:table-row><table:table-row>` +
        `<table:table-cell/><table:table-cell>${p('شمارۀ')}</table:table-cell>` +
        `<table:table-cell>${p('日本語 😀')}</table:table-cell></table:table-row></table:table>`) +
      p(
        'before <draw:frame><svg:title>named</svg:title><draw:text-box><text:p>boxed</text:p>' +
          '</draw:text-box></draw:frame>after<office:annotation><dc:creator>Zoë</dc:creator><dc:date>' +
          '2024</dc:date><text:p>check this</text:p></office:annotation>',
      );
    const document = await readDocument(
      odf('text', body, {
        pageStyles:
          `<style:master-page><style:header>${p('ACME')}</style:header>` +
          `<style:header-left>${p('ACME')}</style:header-left>` +
          `<style:footer>${p('page <text:page-number>3</text:page-number>')}</style:footer>` +
          '</style:master-page>',
      }),
      'a.odt',
    );
    expect(document).toMatchObject({ format: 'odt', warnings: [] });
    expect(textsOf(document)).toEqual([
      'ACME\nFlange DN50\nØ 50\t± 0,1\nnext line\nsee AB-123/4\nPart\tQty\nشمارۀ\t日本語 😀\nbefore ' +
        'after\nboxed\ncheck this\npage',
    ]);
    expect(propertiesOf(document)).toEqual(ODF_PROPERTIES);
  });

  test('pages of the layout and of styles, inherited ones too', async () => {
    const styles =
      '<style:style style:name="B" style:family="paragraph"><style:paragraph-properties ' +
      'fo:break-before="page"/></style:style>' +
      ('<style:style style:name="C" style:family="paragraph" style:parent-style-name="B"/>' +
        '<style:style style:name="D" style:parent-style-name="B"><style:paragraph-properties ' +
        'fo:break-before="auto"/></style:style>') +
      ('<style:style style:name="E" style:master-page-name="Landscape"/><style:style ' +
        'style:name="F"><style:paragraph-properties fo:break-after="page"/></style:style>');
    const body =
      p('1', 'E') +
      p('<text:soft-page-break/>2') +
      p('3', 'B') +
      p('4', 'C') +
      p('still 4', 'D') +
      p('5', 'E') +
      p('still 5', 'F') +
      p('6') +
      '<text:soft-page-break/>' +
      p('7');
    expect(textsOf(await readDocument(odf('text', body, { styles }), 'a.odt'))).toEqual([
      '1',
      '2',
      '3',
      '4\nstill 4',
      '5\nstill 5',
      '6',
      '7',
    ]);
  });

  test('an encrypted one says so', async () => {
    const manifest =
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>';
    await expect(readDocument(odf('text', p('x'), { manifest }), 'a.odt')).rejects.toMatchObject({
      code: 'FILE_MALFORMED',
      message: expect.stringContaining('encrypted'),
    });
  });
});

describe('ods', () => {
  test('one page per sheet; a repeated row or cell is written once', async () => {
    const cell = (content: string, attributes = ''): string =>
      `<table:table-cell office:value-type="float" office:value="1234.5" ${attributes}>${content}</table:table-cell>`;
    const dated = cell(`${p('17.05.2024')}<office:annotation><text:p>why</text:p></office:annotation>`);
    const body =
      '<table:table table:name="Größen"><table:table-column/>' +
      `<table:table-row>${cell(p('1.234,50 mm'))}${cell('', 'table:number-columns-repeated="16000"')}${dated}` +
      '</table:table-row><table:table-row table:number-rows-repeated="1048570">' +
      `${cell(p('same'), 'table:number-columns-repeated="3"')}</table:table-row></table:table>` +
      '<table:table table:name="日本"/>';
    const document = await readDocument(odf('spreadsheet', body), 'a.ods');
    expect(document.format).toBe('ods');
    expect(document.pages).toEqual([
      { number: 1, name: 'Größen', text: '1.234,50 mm\t17.05.2024\nwhy\nsame' },
      { number: 2, name: '日本', text: '' },
    ]);
    expect(propertiesOf(document)).toEqual(ODF_PROPERTIES);
  });
});

describe('odp', () => {
  test('one page per slide, with its notes', async () => {
    const slide = (content: string, notes = ''): string =>
      `<draw:page draw:name="page1"><draw:frame><draw:text-box>${content}</draw:text-box>` +
      `</draw:frame><presentation:notes><draw:frame><draw:text-box>${notes}</draw:text-box>` +
      '</draw:frame></presentation:notes></draw:page>';
    const document = await readDocument(
      odf('presentation', slide(p('Flange') + p('شمارۀ'), p('say this')) + slide('') + slide(p('日本語 😀'))),
      'a.odp',
    );
    expect(document).toMatchObject({ format: 'odp', warnings: [] });
    expect(textsOf(document)).toEqual(['Flange\nشمارۀ\nsay this', '', '日本語 😀']);
  });
});

describe('rtf', () => {
  const rtf = (content: string): Uint8Array =>
    Uint8Array.from(
      Buffer.from(
        `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Times New ` +
          `Roman{\\*\\falt Times};}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;` +
          `}{\\f3\\fcharset2 Symbol;}{\\f4\\fcharset178 Arial;}}{\\colortbl;\\red0\\green0\\blue0;` +
          `}{\\stylesheet{\\s0 Normal;}}${content}}`,
        'latin1',
      ),
    );
  const pagesOf = async (content: string): Promise<string[]> => textsOf(await readDocument(rtf(content), 'a.rtf'));

  test.each([
    [
      'paragraphs and signs',
      '\\pard\\plain One\\tab two\\par\r\nthree\\line four \\{\\}\\\\\\~x\\_y\\-z\\emdash\\rquote',
      ['One\ttwo\nthree\nfour {}\\\u00a0x-yz—’'],
    ],
    [
      'code pages',
      "Gr\\'f6\\'dfe \\'80 {\\f1 \\'d4\\'eb\\'e0\\'ed\\'e5\\'f6} {\\f2 \\'93\\'fa\\'96\\'7b} " +
        "{\\f3 \\'b1\\'b0 m} {\\f4 \\'d4}",
      ['Größe € Фланец 日本 ±° μ ش'],
    ],
    ['a trail byte that looks like a letter', "{\\f2 \\'83A}", ['ア']],
    [
      'Unicode with what stands for it',
      "\\u1588?\\u26085\\'93\\'fa{\\uc2 \\u26412\\'96\\'7b}\\uc0\\u233 e\\uc1\\u-10179?\\u-8704?",
      ['\u0634日ú本ée😀'],
    ],
    ['a field: its result', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}} end', ['link end']],
    [
      'pictures, unknown groups, binary data',
      '{\\*\\unknown hidden}{\\pict\\wmetafile8 0123456789abcdef}{\\pict\\bin5 }}{{\\}a{\\*\\shppict{\\pict 00}}b',
      ['ab'],
    ],
    ['Unicode and its stand-in', '{\\upr{ansi}{\\*\\ud{unicode}}}', ['unicode']],
    [
      'tables',
      '\\trowd\\cellx1\\cellx2\\pard\\intbl Part\\cell Qty\\cell\\row\\trowd\\intbl\\cell ' +
        '4\\cell\\row\\pard after\\par',
      ['Part\tQty\n4\nafter'],
    ],
    [
      'pages and sections',
      'one\\page two\\sect\\sectd three\\sect\\sectd\\sbknone still three\\par\\pard\\pagebb four',
      ['one', 'two', 'three\nstill three', 'four'],
    ],
    [
      'notes, headers and boxes',
      '{\\header ACME\\par}text{\\footnote  see AB-123/4} more\\par{\\shp{\\*\\shpinst{\\sp{\\sn ' +
        'x}{\\sv y}}{\\shptxt boxed\\par}}}{\\*\\annotation check}',
      ['ACME\ntext\n see AB-123/4\n more\nboxed\ncheck'],
    ],
  ])('%s', async (_what, content, expected) => {
    expect(await pagesOf(content)).toEqual(expected);
  });

  test('properties', async () => {
    const document = await readDocument(
      rtf(
        "{\\info{\\title Fl\\'e4nsch}{\\subject DN 50}{\\author Zo\\u235?}{\\keywords a, " +
          'b}{\\doccomm about it}{\\operator ' +
          'Max}{\\creatim\\yr2024\\mo5\\dy17\\hr8\\min30}{\\revtim\\yr0\\mo0}{\\nofpages1}{\\*\\compan' +
          'y ACME}}{\\*\\userprops{\\propname Part number}\\proptype30{\\staticval AB-123/4}}text',
      ),
      'a.rtf',
    );
    expect(propertiesOf(document)).toEqual({
      Title: 'Flänsch',
      Subject: 'DN 50',
      Author: 'Zoë',
      Keywords: 'a, b',
      Description: 'about it',
      'Last modified by': 'Max',
      Created: '2024-05-17T08:30:00',
      Company: 'ACME',
      'Part number': 'AB-123/4',
    });
    expect(textsOf(document)).toEqual(['text']);
  });

  test('a document in another code page than its first words say', async () => {
    expect(
      textsOf(await readDocument(text("{\\rtf1\\ansi\\ansicpg1251 \\'d4\\'eb\\'e0\\'ed\\'e5\\'f6}"), 'a.rtf')),
    ).toEqual(['Фланец']);
  });

  test('one that is cut off keeps what came before', async () => {
    const document = await readDocument(text('{\\rtf1 {\\b bold text'), 'a.rtf');
    expect(textsOf(document)).toEqual(['bold text']);
    expect(codesOf(document)).toEqual(['FILE_TRUNCATED']);
  });
});
