import { describe, expect, test } from 'vitest';
import {
  docx,
  OFFICE_PROPERTIES,
  paragraph,
  pptx,
  relations,
  shape,
  STRICT,
  TRANSITIONAL,
  wordPart,
  xlsx,
} from '../../fixtures/office-writer.js';
import { codesOf, propertiesOf, readDocument, textsOf } from './document-limits.js';
import { options } from '../helpers.js';

// Word, Excel and PowerPoint packages, as these programs and others write them.

const BREAK = '<w:r><w:br w:type="page"/></w:r>';
const RENDERED = '<w:r><w:lastRenderedPageBreak/></w:r>';

describe('docx', () => {
  test.each([
    ['transitional', TRANSITIONAL],
    ['strict', STRICT],
  ])('paragraphs, tables, marks, properties: %s', async (_what, names) => {
    const body =
      paragraph(
        'Flange ',
        'DN',
        '50',
        '<w:r><w:tab/><w:t>Ø 50 ± 0,1</w:t><w:br/><w:t>next</w:t><w:noBreakHyphen/><w:t>line</w:t></w:r>',
      ) +
      '<w:tbl><w:tblPr/><w:tr><w:tc>' +
      paragraph('Part') +
      '</w:tc><w:tc>' +
      paragraph('Qty') +
      '</w:tc></w:tr><w:tr><w:tc><w:p/></w:tc><w:tc>' +
      paragraph('شمارۀ') +
      paragraph('قطعه') +
      '</w:tc><w:tc>' +
      paragraph('日本語 😀') +
      '</w:tc></w:tr></w:tbl>' +
      paragraph(
        '<w:r><w:sym w:font="Symbol" w:char="F0B1"/><w:t>1</w:t><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>',
      ) +
      '<w:sectPr><w:pgSz w:w="11906"/></w:sectPr>';
    const document = await readDocument(docx(body, [], names), 'a.docx');
    expect(document).toMatchObject({ format: 'docx', warnings: [] });
    expect(textsOf(document)).toEqual(['Flange DN50\tØ 50 ± 0,1\nnext-line\nPart\tQty\nشمارۀ\nقطعه\t日本語 😀\n±1']);
    expect(propertiesOf(document)).toEqual({ ...OFFICE_PROPERTIES, Description: 'line one line two' });
  });

  test("prefixes are the writer's choice", async () => {
    const bytes = docx(
      paragraph('one').replaceAll('w:', 'ns0:').replaceAll('w14:', 'ns1:') + paragraph('<w:r><w:t>two</w:t></w:r>'),
    );
    expect(textsOf(await readDocument(bytes, 'a.docx'))).toEqual(['one\ntwo']);
  });

  test('pages: breaks of the author, of the layout, of sections and paragraphs, each once', async () => {
    const section = (type: string): string => `<w:sectPr>${type === '' ? '' : `<w:type w:val="${type}"/>`}</w:sectPr>`;
    const body =
      paragraph('1', BREAK) +
      paragraph(RENDERED, '2') + // Word's mark of the same break
      paragraph('still 2', RENDERED, '3') +
      `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${RENDERED}<w:r><w:t>4</w:t></w:r></w:p>` +
      `<w:p><w:pPr><w:pageBreakBefore w:val="0"/>${section('')}</w:pPr><w:r><w:t>still 4</w:t></w:r></w:p>` +
      paragraph(RENDERED, '5') +
      `<w:p><w:pPr>${section('nextPage')}</w:pPr><w:r><w:t>still 5</w:t></w:r></w:p>` +
      paragraph('still 5 after a continuous section') +
      section('continuous');
    const document = await readDocument(docx(body), 'a.docx');
    expect(textsOf(document)).toEqual([
      '1',
      '2\nstill 2',
      '3',
      '4\nstill 4',
      '5\nstill 5\nstill 5 after a continuous section',
    ]);
  });

  test('notes are on the page that refers to them, headers on the first, footers on the last', async () => {
    const body =
      paragraph(
        'One',
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        ' more',
        '<w:r><w:commentReference w:id="0"/></w:r>',
      ) +
      paragraph(BREAK) +
      paragraph('Two', '<w:r><w:endnoteReference w:id="1"/></w:r>');
    const document = await readDocument(
      docx(body, [
        ['header', 'header1.xml', wordPart('hdr', paragraph('ACME title block'))],
        ['header', 'header2.xml', wordPart('hdr', paragraph('ACME title block'))],
        ['footer', 'footer1.xml', wordPart('ftr', paragraph('confidential'))],
        [
          'footnotes',
          'footnotes.xml',
          wordPart(
            'footnotes',
            '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>' +
              `<w:footnote w:id="2">${paragraph(' see AB-123/4')}</w:footnote>`,
          ),
        ],
        [
          'endnotes',
          'endnotes.xml',
          wordPart('endnotes', `<w:endnote w:id="1">${paragraph('at the end')}</w:endnote>`),
        ],
        [
          'comments',
          'comments.xml',
          wordPart('comments', `<w:comment w:id="0" w:author="x">${paragraph('check this')}</w:comment>`),
        ],
      ]),
      'a.docx',
    );
    expect(textsOf(document)).toEqual([
      'ACME title block\nOne more\nsee AB-123/4\ncheck this',
      'Two\nat the end\nconfidential',
    ]);
  });

  test('a text box is written once, after its paragraph', async () => {
    const box = (text: string): string => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const body =
      paragraph(
        'before ',
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box('boxed')}</w:drawing>` +
          `</mc:Choice><mc:Fallback><w:pict><v:textbox>${box('boxed')}</v:textbox></w:pict>` +
          '</mc:Fallback></mc:AlternateContent></w:r>',
        'after',
      ) + paragraph('next');
    expect(textsOf(await readDocument(docx(body), 'a.docx'))).toEqual(['before after\nboxed\nnext']);
  });

  test('tracked changes: insertions, not deletions', async () => {
    const body =
      paragraph(
        '<w:ins><w:r><w:t>new</w:t></w:r></w:ins>',
        '<w:del><w:r><w:delText>old</w:delText></w:r></w:del>',
        '<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>',
      ) +
      paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "x" </w:instrText>' +
          '<w:fldChar w:fldCharType="separate"/><w:t>link</w:t></w:r>',
      );
    expect(textsOf(await readDocument(docx(body), 'a.docx'))).toEqual(['new\nlink']);
  });

  test('the text of a diagram is at its place', async () => {
    const body =
      paragraph('before') +
      paragraph('<w:r><w:drawing><dgm:relIds xmlns:dgm="d" r:dm="rId1" r:lo="rId9"/></w:drawing></w:r>') +
      paragraph('after');
    const diagram =
      '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:t><a:p><a:r><a:t>Milling</a:t></a:r>' +
      '</a:p></dgm:t></dgm:pt></dgm:dataModel>';
    expect(textsOf(await readDocument(docx(body, [['diagramData', 'diagrams/data1.xml', diagram]]), 'a.docx'))).toEqual(
      ['before\nMilling\nafter'],
    );
  });

  test('pages and characters beyond the limits are left out, with a warning', async () => {
    const bytes = docx(Array.from({ length: 9 }, (_, i) => paragraph(`page ${i}`, BREAK)).join(''));
    const few = await readDocument(bytes, 'a.docx', options({ pages: 3 }));
    expect(textsOf(few)).toEqual(['page 0', 'page 1', 'page 2']);
    expect(codesOf(few)).toEqual(['CONTENT_SKIPPED']);
    expect(few.warnings[0].message).toContain('limits.pages');
    const short = await readDocument(bytes, 'a.docx', options({ textCharacters: 10 }));
    expect(textsOf(short)).toEqual(['page 0', 'page']);
    expect(short.warnings[0].message).toContain('limits.textCharacters');
    const exact = await readDocument(
      docx(Array.from({ length: 3 }, (_, i) => paragraph(`page ${i}`, i < 2 ? BREAK : '')).join('')),
      'a.docx',
      options({ pages: 3 }),
    );
    expect(codesOf(exact)).toEqual([]);
  });
});

describe('xlsx', () => {
  const cellFormats = [0, 164, 165, 166, 14, 22, 2, 167, 49, 12].map((id) => `<xf numFmtId="${id}"/>`);
  const styles =
    '<numFmts count="4"><numFmt numFmtId="164" formatCode="#,##0.00\\ &quot;mm&quot;"/><numFmt ' +
    'numFmtId="165" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="166" formatCode="[Red]0.0%;' +
    '[Blue]\\-0.0%"/><numFmt numFmtId="167" formatCode="[h]:mm"/></numFmts>' +
    `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${cellFormats.join('')}</cellXfs>`;
  const number = (style: number, value: string): string => `<c r="A1" s="${style}"><v>${value}</v></c>`;
  const shown = async (rows: string, given: Parameters<typeof xlsx>[1] = {}): Promise<string> => {
    const [first] = textsOf(await readDocument(xlsx({ A: rows }, { styles, ...given }), 'a.xlsx'));
    return first.replace(/\nPart list .*$/s, '');
  };

  test.each([
    ['transitional', TRANSITIONAL],
    ['strict', STRICT],
  ])('a page a sheet, with its name: %s', async (_what, names) => {
    const strings =
      '<si><t>Part</t></si><si><r><t>Bolt </t></r><r><rPr><b/></rPr><t xml:space="preserve">M5 ' +
      '</t></r></si><si><t>部品</t><rPh sb="0" eb="2"><t>ブヒン</t></rPh></si><si><t>' +
      'two_x000D_\nlines</t></si>';
    const bytes = xlsx(
      {
        'Bill of materials':
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"/><row ' +
          'r="5"><c r="A5" t="s"><v>2</v></c><c r="B5" t="s"><v>3</v></c><c r="D5" t="inlineStr"><is>' +
          '<t>شمارۀ</t></is></c></row>',
        'Größen 2': '<row r="1048576"><c r="XFD1048576" t="str"><f>A1&amp;"x"</f><v>far 😀</v></c></row>',
      },
      { strings, names },
    );
    const document = await readDocument(bytes, 'a.xlsx');
    expect(document).toMatchObject({ format: 'xlsx', warnings: [] });
    expect(document.pages).toEqual([
      { number: 1, name: 'Bill of materials', text: 'Part\tBolt M5\n部品\ttwo lines\tشمارۀ\nPart list ACME & Co' },
      { number: 2, name: 'Größen 2', text: 'far 😀\nPart list ACME & Co' },
    ]);
    expect(propertiesOf(document)).toMatchObject(OFFICE_PROPERTIES);
  });

  test.each([
    ['general', 0, '0.30000000000000004', '0.3'],
    ['general, large', 0, '1.5E+20', '150000000000000000000'],
    ['a format with a unit', 1, '1234.5', '1,234.50 mm'],
    ['a date', 2, '45429', '17.05.2024'],
    ['per cent, negative', 3, '-0.125', '-12.5%'],
    ["the reader's own date", 4, '45429', '2024-05-17'],
    ["the reader's own date and time", 5, '45429.5', '2024-05-17 12:00'],
    ['two places', 6, '12.345', '12.35'],
    ['hours beyond a day', 7, '1.5', '36:00'],
    ['text', 8, '007', '7'],
    ['a fraction', 9, '2.25', '2 1/4'],
    ['a date that is none', 2, '-5', '-5'],
    ['no number', 0, 'abc', 'abc'],
    ['no such style', 99, '12', '12'],
  ])('a number as it is shown: %s', async (_what, style, value, expected) => {
    expect(await shown(`<row>${number(style, value)}</row>`)).toBe(expected);
  });

  test('texts of cells beyond the limit give a warning, even when nothing else is left out', async () => {
    const bytes = xlsx(
      { A: '<row><c t="s"><v>0</v></c><c t="s"><v>60</v></c></row>' },
      { styles, strings: '<si><t>ab</t></si>'.repeat(61) },
    );
    const whole = await readDocument(bytes, 'a.xlsx');
    expect([textsOf(whole)[0].split('\n')[0], codesOf(whole)]).toEqual(['ab\tab', []]);
    const short = await readDocument(bytes, 'a.xlsx', options({ textCharacters: 100 }));
    expect([textsOf(short)[0].split('\n')[0], codesOf(short)]).toEqual(['ab', ['CONTENT_SKIPPED']]);
    expect(short.warnings[0].message).toContain('limits.textCharacters');
  });

  test('booleans, errors, dates with names of months', async () => {
    expect(
      await shown(
        '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c><c t="d"><v>' +
          '2024-05-17T00:00:00</v></c><c t="s"><v>7</v></c></row>',
      ),
    ).toBe('TRUE\tFALSE\t#DIV/0!\t2024-05-17');
  });

  test('dates of the 1904 date system', async () => {
    expect(await shown(`<row>${number(4, '43967')}</row>`, { workbook: '<workbookPr date1904="1"/>' })).toBe(
      '2024-05-17',
    );
  });

  test('comments and text boxes of a sheet', async () => {
    const files = {
      'xl/worksheets/_rels/sheet1.xml.rels': relations([
        ['drawing', '../drawings/drawing1.xml'],
        ['comments', '../comments1.xml'],
      ]),
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>in a </a:t></a:r>' +
        '<a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>',
      'xl/comments1.xml':
        '<comments xmlns="c"><authors><author>Zoë</author></authors><commentList><comment ref="A1">' +
        '<text><r><t>check</t></r></text></comment><comment ref="A2"><text><t>twice</t></text>' +
        '</comment></commentList></comments>',
    };
    const [first] = textsOf(
      await readDocument(xlsx({ A: '<row><c t="str"><v>cell</v></c></row>' }, { files }), 'a.xlsx'),
    );
    expect(first).toBe('cell\nPart list ACME & Co\ncheck\ntwice\nin a box');
  });

  test('a binary workbook is refused by its name', async () => {
    const { packed } = await import('../../fixtures/office-writer.js');
    const bytes = packed({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations([['officeDocument', 'xl/workbook.bin']]),
      'xl/workbook.bin': 'x',
    });
    await expect(readDocument(bytes, 'a.xlsb')).rejects.toMatchObject({
      code: 'FORMAT_UNSUPPORTED',
      message: expect.stringContaining('.xlsb'),
    });
  });
});

describe('pptx', () => {
  test.each([
    ['transitional', TRANSITIONAL],
    ['strict', STRICT],
  ])('slides in the order of the presentation, with notes: %s', async (_what, names) => {
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>' +
      'Part</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Qty</a:t></a:r></a:p>' +
      '</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p/></a:txBody></a:tc><a:tc><a:txBody><a:p>' +
      '<a:r><a:t>4</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic>' +
      '</p:graphicFrame>';
    const document = await readDocument(
      pptx(
        [
          {
            file: 'slide2.xml',
            shapes: shape('Flange', '<a:r><a:t>Ø 50</a:t></a:r><a:br/><a:r><a:t>شمارۀ</a:t></a:r>') + table,
            notes: shape('say this') + shape('<a:fld id="{1}" type="slidenum"><a:rPr/><a:t>1</a:t></a:fld>'),
          },
          { file: 'slide1.xml', shapes: '' },
          { file: 'slide3.xml', shapes: shape('日本語 😀') },
        ],
        names,
      ),
      'a.pptx',
    );
    expect(document).toMatchObject({ format: 'pptx', warnings: [] });
    expect(textsOf(document)).toEqual(['Flange\nØ 50\nشمارۀ\nPart\tQty\n4\nsay this', '', '日本語 😀']);
    expect(propertiesOf(document)).toMatchObject(OFFICE_PROPERTIES);
  });
});
