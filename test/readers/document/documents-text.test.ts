import { describe, expect, test } from 'vitest';
import { codesOf, propertiesOf, readDocument, textsOf } from './document-limits.js';
import { options, text } from '../helpers.js';

// Text files, tables and web pages: encodings, structure, properties.

const LINES = 'Größe Ø 50 ± 0,1\nشمارۀ قطعه\n日本語テキスト 😀\nAB-123/4';

function utf16(content: string, { bigEndian, mark }: { bigEndian: boolean; mark: boolean }): Uint8Array {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + content, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

describe('txt', () => {
  test.each([
    ['UTF-8', text(LINES)],
    ['UTF-8 with a mark', text(`\ufeff${LINES}`)],
    ['UTF-16 LE with a mark', utf16(LINES, { bigEndian: false, mark: true })],
    ['UTF-16 BE with a mark', utf16(LINES, { bigEndian: true, mark: true })],
  ])('%s', async (_what, bytes) => {
    const document = await readDocument(bytes, 'notes.txt');
    expect(document).toMatchObject({ format: 'txt', properties: [], warnings: [] });
    expect(textsOf(document)).toEqual([LINES]);
  });

  test.each([[false], [true]])('UTF-16 without a mark, big-endian: %s', async (bigEndian) => {
    const words = 'A letter about flanges and bolts, Größe 50';
    expect(textsOf(await readDocument(utf16(words, { bigEndian, mark: false }), 'a.txt'))).toEqual([words]);
  });

  test('Windows-1252 where it is not UTF-8', async () => {
    const bytes = Uint8Array.from(Buffer.from('Gr\xf6\xdfe \xd8 50 \xb1 0,1 \x80 \x93Zoll\x94', 'latin1'));
    expect(textsOf(await readDocument(bytes, 'a.txt'))).toEqual(['Größe Ø 50 ± 0,1 € “Zoll”']);
  });

  test('one damaged byte does not make UTF-8 another encoding', async () => {
    const bytes = text('ä'.repeat(50));
    bytes[21] = 0xff;
    expect(textsOf(await readDocument(bytes, 'a.txt'))[0]).toContain('äääää');
  });

  test('line ends, control characters, combining marks, soft hyphens', async () => {
    const bytes = text(`\nA\u030a\r\nO\u0308l\rx\x07y\u2028z  \nFlan\u00adsch\fnext\u0085end\n\n${'long '.repeat(20)}`);
    expect(textsOf(await readDocument(bytes, 'a.txt'))).toEqual([
      `Å\nÖl\nxy\nz\nFlansch\nnext\nend\n\nlong${' long'.repeat(19)}`,
    ]);
  });

  test('a text about STEP is not a STEP file, even if it quotes one', async () => {
    const document = await readDocument(text('Please export as ISO-10303-21; thank you.\n'), 'letter.txt');
    expect(document.format).toBe('txt');
  });

  test('text beyond the limit is left out, with a warning, and no character is cut in half', async () => {
    const document = await readDocument(
      text(`${'a'.repeat(9)}😀${'b'.repeat(90)}`),
      'a.txt',
      options({ textCharacters: 10 }),
    );
    expect(textsOf(document)).toEqual(['aaaaaaaaa']);
    expect(codesOf(document)).toEqual(['CONTENT_SKIPPED']);
    const whole = await readDocument(text('a'.repeat(10)), 'a.txt', options({ textCharacters: 10 }));
    expect(codesOf(whole)).toEqual([]);
  });
});

describe('markdown', () => {
  test('the text as it is; title and author of the front matter', async () => {
    const document = await readDocument(
      text(
        '---\ntitle: "The Flange"\nauthor: Zoë\nPart number: AB-1\ntags: [a, b]\n---\n\n# Heading\n\n**bold** text\n',
      ),
      'a.md',
    );
    expect(document.format).toBe('markdown');
    expect(propertiesOf(document)).toEqual({
      Title: 'The Flange',
      Author: 'Zoë',
      'Part number': 'AB-1',
      Keywords: 'a, b',
    });
    expect(document.pages[0].text).toContain('# Heading\n\n**bold** text');
  });

  test('the first heading is the title where there is no other', async () => {
    expect(propertiesOf(await readDocument(text('text\n\n# The Flange #\n\n# Two\n'), 'a.md'))).toEqual({
      Title: 'The Flange',
    });
  });
});

describe('csv', () => {
  test.each([
    ['commas', 'a.csv', 'Part,Qty,Note\r\n"Bolt, ""M5""",4,"two\r\nlines"\r\nNut,,8\r\n'],
    ['semicolons, as where the comma is decimal', 'a.csv', 'Part;Qty;Note\n"Bolt, ""M5""";4;"two\nlines"\nNut;;8'],
    ['tabs', 'a.tsv', 'Part\tQty\tNote\n"Bolt, ""M5"""\t4\t"two\nlines"\nNut\t\t8\n'],
    ['a separator that is named', 'a.csv', 'sep=#\r\nPart#Qty#Note\r\n"Bolt, ""M5"""#4#"two\nlines"\r\nNut##8\r\n'],
  ])('%s', async (_what, name, content) => {
    const document = await readDocument(text(content), name);
    expect(document).toMatchObject({ format: 'csv', warnings: [] });
    expect(textsOf(document)).toEqual(['Part\tQty\tNote\nBolt, "M5"\t4\ttwo lines\nNut\t8']);
  });

  test('numbers with a decimal comma stay in one cell', async () => {
    expect(textsOf(await readDocument(text('a;1,5\nb;2,5\nc;3,5\n'), 'a.csv'))).toEqual(['a\t1,5\nb\t2,5\nc\t3,5']);
  });

  test('an inch mark at the end is no open quotation', async () => {
    expect(textsOf(await readDocument(text('Pipe,3/4"\nRod,"\nNut,1'), 'a.csv'))).toEqual([
      'Pipe\t3/4"\nRod\t"\nNut\t1',
    ]);
  });
});

describe('html', () => {
  const page = `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Flansch &amp; Bolzen</title>
    <meta name="author" content="Zoë Müller"><META NAME=keywords CONTENT='flange, bolt'>
    <meta name="description" content="about &quot;it&quot;">
    <meta name="viewport" content="width=device-width"><style>p { color: red }</style>
    <script>var hidden = "<p>no</p>";</script></head>
    <body><h1>Flange   DN50</h1><!-- no --><p>Material <b>1.</b>4301,
    &Oslash;&nbsp;50 &plusmn; 0.1<br>next</p><ul><li>one<li>two</ul>
    <table><tr><th>Part</th><th>Qty</th></tr>
      <tr><td><p>Bolt</p></td><td></td><td>4</td></tr><tr><td>شمارۀ</td><td>日本 &#x1F600;</td></tr></table>
    <pre>a
  b</pre><img src="x.png" alt="a drawing"><script>again()</script><template><p>no</p>
  </template>end &unknown; &lt;tag&gt;</body></html>`;

  test('text as it is read, properties of the head', async () => {
    const document = await readDocument(text(page), 'a.html');
    expect(document).toMatchObject({ format: 'html', warnings: [] });
    expect(textsOf(document)).toEqual([
      'Flange DN50\nMaterial 1.4301, Ø\u00a050 ± ' +
        '0.1\nnext\none\ntwo\nPart\tQty\nBolt\t4\nشمارۀ\t日本 😀\na\n  b\na drawing end &unknown; <tag>',
    ]);
    expect(propertiesOf(document)).toEqual({
      Title: 'Flansch & Bolzen',
      Author: 'Zoë Müller',
      Keywords: 'flange, bolt',
      Description: 'about "it"',
    });
  });

  test.each([
    ['<meta charset>', '<html><meta charset="windows-1251"><p>\xd4\xeb\xe0\xed\xe5\xf6'],
    [
      '<meta http-equiv>',
      '<html><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xd4\xeb\xe0\xed\xe5\xf6',
    ],
    ['an XML declaration', '<?xml version="1.0" encoding="windows-1251"?><html><p>\xd4\xeb\xe0\xed\xe5\xf6</p></html>'],
  ])('the encoding of %s', async (_what, content) => {
    expect(textsOf(await readDocument(Uint8Array.from(Buffer.from(content, 'latin1')), 'a.html'))).toEqual(['Фланец']);
  });

  test('a page recognised only by its name', async () => {
    expect(textsOf(await readDocument(text('<p>one<p>two &eacute;'), 'a.htm'))).toEqual(['one\ntwo é']);
  });

  test('an element that is never closed hides nothing else', async () => {
    expect(textsOf(await readDocument(text('<html><b><i>one</p></x><div>two<title>three'), 'a.html'))).toEqual([
      'one\ntwo',
    ]);
  });
});
